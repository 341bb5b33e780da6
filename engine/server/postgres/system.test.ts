import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestDatabase, createTestDatabase } from '../../../tests/database.ts'
import { createSystemTables, nextNumbers } from './system.ts'
import { applyTables } from './tables.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await Promise.all([createSystemTables(database), createSystemTables(database)])
})
afterAll(() => database.drop())

const next = (format: string, count = 1, now = '2026-03-10 09:00:00') =>
  nextNumbers(database.kysely, format, count, now)

it('creates its tables once, and none of them counts as an orphan', async () => {
  await createSystemTables(database)
  const { rows } = await database.pool.query(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  )
  expect(rows.map((row) => row.name)).toEqual([
    'system_credential',
    'system_daily_rule',
    'system_feed',
    'system_file',
    'system_generation',
    'system_history',
    'system_job',
    'system_notice',
    'system_overlay',
    'system_preference',
    'system_preset',
    'system_reader',
    'system_request',
    'system_sequence',
    'system_session',
    'system_work',
  ])
  expect((await applyTables(database, {})).orphans).toEqual([])
})

it('counts within the rendered prefix', async () => {
  expect(await next('C{seq:6}', 2)).toEqual(['C000001', 'C000002'])
  expect(await next('C{seq:6}', 1, '2027-01-01 00:00:00')).toEqual(['C000003'])
  expect(await next('FW{yyyy}{MM}{seq:4}')).toEqual(['FW2026030001'])
  expect(await next('FW{yyyy}{MM}{seq:4}', 1, '2026-03-31 23:59:59')).toEqual(['FW2026030002'])
  expect(await next('FW{yyyy}{MM}{seq:4}', 1, '2026-04-01 00:00:00')).toEqual(['FW2026040001'])
  expect(await next('SK{yyyyMMdd}{seq:4}')).toEqual(['SK202603100001'])
  expect(await next('{yy}-{seq:2}/X')).toEqual(['26-01/X'])
})

it('continues if its width changes or is used up', async () => {
  expect(await next('W{seq:1}', 10)).toEqual(['W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7', 'W8', 'W9', 'W10'])
  expect(await next('W{seq:4}')).toEqual(['W0011'])
})

it('gives no number twice, even to many at once', async () => {
  const numbers = (await Promise.all(Array.from({ length: 20 }, () => next('P{seq:5}', 5)))).flat()
  expect(new Set(numbers).size).toBe(100)
  expect(numbers.sort().at(-1)).toBe('P00100')
})

it('returns the numbers of a failed transaction', async () => {
  await expect(
    database.kysely.transaction().execute(async (transaction) => {
      expect(await nextNumbers(transaction, 'R{seq:3}', 1, '2026-03-10 09:00:00')).toEqual(['R001'])
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(await next('R{seq:3}')).toEqual(['R001'])
})

it('gives no numbers for a count of zero, and refuses a wrong format', async () => {
  expect(await next('C{seq:6}', 0)).toEqual([])
  await expect(next('C{year}{seq:6}')).rejects.toThrow('"C{year}{seq:6}" is not the format of a number series')
  await expect(next('C')).rejects.toThrow(/needs one \{seq/)
})

it('does not have queries compiled, which no list is worth', async () => {
  expect((await database.pool.query('show jit')).rows).toEqual([{ jit: 'off' }])
})
