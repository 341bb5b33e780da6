import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Compiled } from '../engine/schema/compile.ts'
import { cachedCatalog } from './cachedCatalog.ts'

let folder: string
let compiled = 0
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'formwork-catalog-'))
  compiled = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const files = [{ path: 'a.json', text: '{}' }]
const compile = (): Compiled => ({ catalog: { hash: String(++compiled) } as Compiled['catalog'], issues: [] })
const hashOf = (sources = files, where = folder) => cachedCatalog(sources, compile, where).catalog!.hash

test('a catalog is compiled once for the same files, and again for others', () => {
  expect([hashOf(), hashOf()]).toEqual(['1', '1'])
  expect(hashOf([{ path: 'a.json', text: '{"a":1}' }])).toBe('2')
  expect(hashOf()).toBe('3')
})

test('compiles again if the stored catalog is cut off or broken, or cannot be stored', () => {
  writeFileSync(join(folder, 'catalog.json'), '{"key"')
  expect([hashOf(), hashOf()]).toEqual(['1', '1'])
  const broken: Compiled = { issues: [{ code: 'no-files' } as unknown as Compiled['issues'][number]] }
  const others = [{ path: 'b.json', text: '{}' }]
  expect(cachedCatalog(others, () => broken, folder)).toBe(broken)
  expect(hashOf(others)).toBe('2')
  expect([hashOf(files, join(folder, 'no')), hashOf(files, join(folder, 'no'))]).toEqual(['3', '4'])
})

test('reports that a catalog cannot be stored, because each start then takes longer', () => {
  mkdirSync(join(folder, `catalog.json.${process.pid}`))
  const reasons: string[] = []
  const again = () => cachedCatalog(files, compile, folder, (reason) => reasons.push(reason)).catalog!.hash
  expect([again(), again()]).toEqual(['1', '2'])
  expect(reasons).toEqual([expect.stringContaining('catalog.json'), expect.stringContaining('catalog.json')])
})
