import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../../../../tests/server.ts'
import { readStored } from './read.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

it('looks once at each row to tell whose it is, however many records are read', async () => {
  const { kysely } = house.database
  await sql`with made as (insert into customer (name, "createdAt", "updatedAt")
    select 'read' || n, now(), now() from generate_series(1, 60) as n returning id)
    insert into "customerContact" (customer, name, "createdAt", "updatedAt")
    select made.id, 'contact' || n, now(), now() from generate_series(3, 1, -1) as n cross join made`.execute(kysely)
  await sql`insert into customer (name, "createdAt", "updatedAt") values ('readAlone', now(), now())`.execute(kysely)
  let looks = 0
  const counting = kysely.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      for (const row of result.rows.filter((each) => 'mobile' in each)) {
        const { customer } = row
        Object.defineProperty(row, 'customer', { get: () => (looks++, customer), enumerable: true })
      }
      return result
    },
  })
  const context = house.context()
  const entity = context.derived.catalog.entities.customer
  const found = await readStored(context, counting, entity, [sql<boolean>`name like 'read%'`], {
    fields: ['name', 'contacts'],
  })
  expect(found).toHaveLength(61)
  expect(looks).toBe(180)
  for (const { id, name, contacts } of found) {
    const rows = contacts as { id: number; customer: number }[]
    expect(rows.map(({ customer }) => customer)).toEqual(name === 'readAlone' ? [] : [id, id, id])
    expect(rows.map((row) => row.id)).toEqual(rows.map((row) => row.id).toSorted((a, b) => a - b))
  }
})
