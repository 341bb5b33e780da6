import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { verdictOn, versionOf } from './verdicts.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'formwork-verdicts-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const files = [
  { path: 'a.json', text: '{}' },
  { path: 'b.json', text: '{"b":1}' },
]

test('a verdict is stored for unchanged files, and recomputed for any other set', async () => {
  let decided = 0
  const on = async (sources: typeof files, form = 'text') =>
    (await verdictOn(sources, form, () => Promise.resolve({ text: `${++decided}`, issues: 0, warnings: 0 }), folder))
      .text
  expect([await on(files), await on([...files]), await on(files.map((file) => ({ ...file })))]).toEqual(['1', '1', '1'])
  const others = [
    [files[0], { path: 'b.json', text: '{"b":2}' }],
    [files[0], { path: 'c.json', text: '{"b":1}' }],
    [files[0]],
    [...files, { path: 'c.json', text: '' }],
    // Content moved from the end of one file to the beginning of the next is a different set, too.
    [{ path: 'a.json', text: '{}\n' }, files[1]],
    [files[1], files[0]],
  ]
  for (const [index, other] of others.entries())
    expect([await on(other), await on(other)]).toEqual([`${index + 2}`, `${index + 2}`])
  expect([await on(files), await on(files, 'json'), await on(files)]).toEqual(['8', '9', '8'])
})

test('recomputes a verdict that was cut off or cannot be stored', async () => {
  const on = (where: string) =>
    verdictOn(files, 'text', () => Promise.resolve({ text: 'new', issues: 1, warnings: 0 }), where)
  await on(folder)
  rmSync(folder, { recursive: true })
  writeFileSync(folder, 'no folder')
  expect(await on(folder)).toEqual({ text: 'new', issues: 1, warnings: 0 })
})

test('another compiler gives another verdict: every file of it counts, except tests', () => {
  mkdirSync(join(folder, 'engine/schema'), { recursive: true })
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const version = () => versionOf(folder, ['engine', 'package-lock.json'])
  write('package-lock.json', '{}')
  write('engine/schema/link.ts', 'export {}')
  const seen = [version()]
  write('engine/schema/link.test.ts', 'export {}')
  expect(version()).toBe(seen[0])
  for (const [name, text] of [
    ['engine/schema/link.ts', 'export { }'],
    ['engine/schema/more.ts', ''],
    ['package-lock.json', '{ }'],
  ]) {
    write(name, text)
    expect(seen).not.toContain(version())
    seen.push(version())
  }
})
