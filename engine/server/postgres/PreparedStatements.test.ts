import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../tests/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase(undefined, 1)
  await database.pool.query('create table thing (id bigint primary key, name integer)')
  await database.pool.query('insert into thing values (1, 7)')
})
afterAll(() => database.drop())

const kept = async () =>
  (await database.pool.query<{ statement: string }>('select statement from pg_prepared_statements')).rows.map(
    ({ statement }) => statement,
  )
const readThing = (db = database.kysely) => sql<{ name: number }>`select name from thing where id = ${1}`.execute(db)
const page = () => sql`select name from thing order by id limit ${1}`.execute(database.kysely)

it('prepares frequent statements once, except pages', async () => {
  await readThing()
  expect(await kept()).toEqual([])
  for (let time = 0; time < 4; time++) {
    expect((await readThing()).rows).toEqual([{ name: 7 }])
    await page()
  }
  expect(await kept()).toEqual(['select name from thing where id = $1'])
})

it('keeps working after a column changes its type', async () => {
  for (let time = 0; time < 4; time++) await readThing()
  await database.pool.query('alter table thing alter column name type text')
  expect((await readThing()).rows).toEqual([{ name: '7' }])
  for (let time = 0; time < 4; time++) await readThing()
  await database.pool.query('alter table thing alter column name type integer using name::integer')
  const within = () => database.kysely.transaction().execute((db) => readThing(db as typeof database.kysely))
  await expect(within()).rejects.toMatchObject({ code: '0A000' })
  expect((await within()).rows).toEqual([{ name: 7 }])
})

it('plans a statement for many records again whenever its uses have doubled', async () => {
  const among = (count: number) => {
    const ids = Array.from({ length: count }, (_, id) => id)
    return sql`select name from thing where id = any(${ids}::bigint[])`.execute(database.kysely)
  }
  const plans = async () => (await kept()).filter((statement) => statement.includes('any(')).length
  for (let time = 0; time < 4; time++) await among(5)
  expect(await plans()).toBe(1)
  for (let time = 1; time < 8; time++) await among(500)
  // Planned at the first, the second and the fourth use.
  expect(await plans()).toBe(1 + 3)
})
