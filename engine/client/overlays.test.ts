import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const views = ['engine/client', 'engine/screens']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
  .map((name) => ({ name, code: readFileSync(name, 'utf8') }))

const overlays = views.flatMap(({ name, code }) =>
  [...code.matchAll(/<(?:Modal|Drawer)\b([^]*?)\bopen(?:=\{([^}]*)\})?/g)].map(([, , open = '']) => ({ name, open })),
)

test.each(overlays)('$name: a dialog or drawer is hidden with its screen ($open)', ({ name, open }) => {
  expect(open).toMatch(/\b(?:isShown|shown)$/)
  expect(views.find((view) => view.name === name)!.code).toMatch(/const (?:isShown|shown) = useShown\(\)/)
})

test('questions go with their screen, because they are asked by useConfirm', () => {
  expect(overlays.length).toBeGreaterThan(7)
  expect(views.filter(({ code }) => /\bmodal\.confirm\(/.test(code)).map(({ name }) => name)).toEqual([
    'engine/client/useConfirm.ts',
  ])
})
