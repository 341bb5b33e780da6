import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { compile } from '../../../engine/schema/compile.ts'
import { indexFindings } from '../../../engine/server/catalog/indexFindings.ts'
import { readSchemas } from '../../../engine/server/catalog/sources.ts'
import { applyTables } from '../../../engine/server/postgres/tables.ts'
import { createTestDatabase, type TestDatabase } from '../../../tests/database.ts'
import { copySoundTree } from '../../../tests/soundTree.ts'
import { lists } from '../../lists.ts'
import { command } from './check.ts'

const home = mkdtempSync(join(tmpdir(), 'formwork-check-data-'))
const directory = join(home, 'schemas')
copySoundTree(directory)
const catalog = compile(readSchemas(directory), lists).catalog!
let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await applyTables(database, catalog.tables)
  await database.pool.query(`insert into "order" (number, total) select 'N' || n, n from generate_series(1, 200) as n`)
  await database.pool.query('analyze')
})
afterAll(async () => {
  await database?.drop()
  rmSync(home, { recursive: true, force: true })
})
afterEach(() => vi.unstubAllEnvs())

const run = async (options: object) => {
  vi.stubEnv('DATABASE_URL', database.url)
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((text: string) => void lines.push(text))
  const status = await command.run([directory], { ...options })
  log.mockRestore()
  return { status, output: lines.join('\n').replace(/ \(\d+\.\d\d s\)$/, '') }
}

test('reports that every index exists', async () => {
  expect(await run({ data: true })).toEqual({
    status: 0,
    output: 'In the database\n  every index is there and used\n\n16 files, no issue',
  })
})

test('reports a missing index with the line that creates it, as a failure on request', async () => {
  await database.pool.query('drop index "order_customer_index"')
  expect((await run({ data: true, strict: true })).output.split('\n').slice(0, 3)).toEqual([
    'In the database',
    '  missing  order: order_customer_index',
    expect.stringContaining('the next start builds it'),
  ])
  const { status, output } = await run({ data: true, strict: true, json: true })
  const { issues, data } = JSON.parse(output)
  expect([status, issues, data.length]).toEqual([1, [], 1])
  await database.pool.query(data[0].remedy.replace(/^.*: drop index.*?; /, ''))
  expect((await run({ data: true, strict: true })).status).toBe(0)
})

test('reports unused indexes of large tables, and lists sorted without one', async () => {
  const found = await indexFindings(database, catalog, 100)
  expect(found.every(({ table }) => table === 'order')).toBe(true)
  expect(found.find(({ kind, text }) => kind === 'unused' && text.startsWith('order_customer_index,'))).toEqual({
    kind: 'unused',
    table: 'order',
    text: expect.stringMatching(/^order_customer_index, \d+ (kB|bytes), was not used since /),
    remedy: 'it goes when no file sorts, filters, searches or refers by customer, nor declares it in "indexes"',
  })
  expect(found.some(({ text }) => text.includes('unique'))).toBe(false)
  expect(found.filter(({ kind }) => kind === 'sort')).toEqual([
    {
      kind: 'sort',
      table: 'order',
      text: '/order sorts all 200 records by due',
      remedy:
        '"indexes": [["due"]] in schemas/shop/order.entity.json, or "sort": false in schemas/shop/order.list.json',
    },
  ])
})

test('goes with neither --watch nor --fix', async () => {
  await expect(run({ data: true, fix: true })).rejects.toThrow('--data goes with neither --watch nor --fix.')
})
