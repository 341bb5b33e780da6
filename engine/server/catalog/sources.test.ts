import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSchemas, schemaFile, schemaPath } from './sources.ts'

test('an unedited file is the same object when read again, and its path resolves back to it', () => {
  const home = mkdtempSync(join(tmpdir(), 'formwork-sources-'))
  try {
    const directory = join(home, 'schemas')
    mkdirSync(join(directory, 'shop'), { recursive: true })
    for (const name of ['a', 'b']) writeFileSync(join(directory, `shop/${name}.list.json`), '{}')
    const [a, b] = readSchemas(directory)
    expect([a.path, schemaPath('shop/a.list.json', directory)]).toEqual([
      'schemas/shop/a.list.json',
      'schemas/shop/a.list.json',
    ])
    expect(schemaFile(a.path, directory)).toBe(join(directory, 'shop/a.list.json'))
    writeFileSync(schemaFile(b.path, directory), '{ }')
    const [again, edited] = readSchemas(directory)
    expect(again).toBe(a)
    expect(edited).toEqual({ path: b.path, text: '{ }' })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
