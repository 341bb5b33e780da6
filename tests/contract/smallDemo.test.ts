/**
 * Every procedure writes and reads on a database of another version, because the demo of a small company uses them all.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillDemo } from '../../src/demo/fillDemo.ts'
import { createTestServer, type TestServer } from '../server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

test('makes the demo of a small company, with the files that it uploads', async () => {
  await fillDemo(house.context(), { customers: 24, months: 3 }, { onePassword: true })
  for (const table of [
    'statement',
    'invoice',
    'payroll',
    'payBatch',
    'socialsecurityExpenseLine',
    'personJoinImport',
  ]) {
    const { rows } = await sql<{
      count: number
    }>`select count(*)::integer as count from ${sql.table(table)}`.execute(house.database.kysely)
    expect(rows[0].count, table).toBeGreaterThan(0)
  }
}, 240_000)
