/** The guide for adding a widget, followed to the letter in a copy of the project. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
/** A block of the guide: what its fence names, and what stands in it. */
interface Block {
  file: string
  text: string
}
const blocks: Block[] = [
  ...readFileSync(path.join(root, 'engine/widgets/README.md'), 'utf8').matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```$/gm),
].map(([, file, text]) => ({ file, text }))
const of = (part: string) => blocks.filter(({ file }) => file.includes(part))

let copy: string
beforeAll(() => {
  copy = mkdtempSync(path.join(tmpdir(), 'formwork-guide-'))
  for (const part of ['engine', 'src', 'schemas', 'tests', 'package.json', 'tsconfig.json', 'vite.config.ts'])
    cpSync(path.join(root, part), path.join(copy, part), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  for (const { file, text } of of('/rating/')) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
    writeFileSync(path.join(copy, file), text)
  }
  for (const { file, text } of [...of('widgets/index.ts'), ...of('widgets/views.ts')]) {
    const [line, entry] = text.split('\n')
    const before = readFileSync(path.join(copy, file), 'utf8')
    // After the import of its neighbour, and where the list begins.
    const withImport = before.replace(/(?=\n\n(?:const all|export const widgetViews))/, `\n${line}`)
    const after = withImport.replace(/^((?:const all|export const widgetViews).*[[{])$/m, `$1\n${entry}`)
    expect(after.split('\n').length - before.split('\n').length, file).toBe(2)
    writeFileSync(path.join(copy, file), after)
  }
  const [{ file, text }] = of('.entity.json')
  const entity = readFileSync(path.join(copy, file), 'utf8')
  writeFileSync(path.join(copy, file), entity.replace('"fields": {', `"fields": {\n${text.trimEnd()},`))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const run = (...parameters: string[]) => {
  // It is started as from a shell, and knows nothing of a test around it.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(NODE_ENV|TEST|VITE.*|DEV|PROD|MODE|BASE_URL|SSR|SCHEMAS_DIR)$/.test(name),
    ),
  )
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { cwd: copy, encoding: 'utf8', env })
  return { status, output: stdout + stderr }
}

test('the guide has the three files of the folder, the two lines, and a field', () => {
  expect(blocks.map(({ file }) => file)).toEqual([
    ...['rating.ts', 'rating.view.tsx', 'rating.examples.ts'].map((file) => `engine/widgets/rating/${file}`),
    'engine/widgets/index.ts',
    'engine/widgets/views.ts',
    'schemas/customer/customer.entity.json',
  ])
})

test('types are right', () => {
  expect(run('node_modules/ts7/bin/tsc', '-p', '.')).toEqual({ status: 0, output: '' })
}, 240_000)

test('the widget keeps the contract, in both halves', () => {
  const { status, output } = run(
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'unit*',
    '--retry=0',
    'tests/contract/widgets.test.ts',
    '-t',
    'rating|name each folder once',
  )
  expect(status, output).toBe(0)
  expect(output.replace(/\u001b\[\d+m/g, '')).toMatch(/Test Files +2 passed/)
}, 240_000)

test('schema files may use it', () => {
  expect(run('--import', 'tsx', 'src/commands/schemas.ts', 'check')).toEqual({
    status: 0,
    output: expect.stringContaining('no issue'),
  })
}, 120_000)
