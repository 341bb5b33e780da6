import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { inWork, type Work } from './Work.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
  await house.database.pool.query('create table crossing (id integer primary key, count integer not null)')
})
afterAll(() => house?.close())

const counts = async (): Promise<number[]> =>
  (await house.database.pool.query('select count from crossing order by id')).rows.map(({ count }) => count)
const add = ({ db }: Work, id: number) => sql`update crossing set count = count + 1 where id = ${id}`.execute(db)

/** Holds callers until `size` of them have arrived; later ones pass at once. */
function meeting(size: number): () => Promise<void> {
  let missing = size
  let open = () => {}
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    if (--missing <= 0) open()
    return all
  }
}

test('one of two deadlocked works is retried as a whole, without an error', async () => {
  await house.database.pool.query('insert into crossing values (1, 0), (2, 0) on conflict (id) do update set count = 0')
  const both = meeting(2)
  let attempts = 0
  const work = (first: number, then: number) =>
    inWork(house.context(), { cause: 'system' }, async (open) => {
      attempts++
      await add(open, first)
      await both()
      await add(open, then)
      return then
    })
  expect(await Promise.all([work(1, 2), work(2, 1)])).toEqual([2, 1])
  expect(attempts).toBeGreaterThan(2)
  expect(await counts()).toEqual([2, 2])
})

test('retries a work that could not be serialized, on what the others left', async () => {
  await house.database.pool.query('insert into crossing values (1, 0) on conflict (id) do update set count = 0')
  let attempts = 0
  const done = inWork(house.context(), { cause: 'system' }, async (work) => {
    await add(work, 1)
    if (++attempts > 1) return
    await sql.raw(`do $$ begin raise exception 'met' using errcode = '40001'; end $$`).execute(work.db)
  })
  await done
  expect(attempts).toBe(2)
  expect((await counts())[0]).toBe(1)
})

test('reports repeated conflicts after three retries, with nothing written', async () => {
  await house.database.pool.query('insert into crossing values (1, 0), (2, 0) on conflict (id) do update set count = 0')
  const attempts: number[] = []
  const act = (code: string) =>
    inWork(house.context(), { cause: 'system' }, async (work) => {
      attempts.push(attempts.length)
      await add(work, 1)
      await sql.raw(`do $$ begin raise exception 'met' using errcode = '${code}'; end $$`).execute(work.db)
    })
  await expect(act('40P01')).rejects.toMatchObject({ code: '40P01' })
  expect(attempts.length).toBe(4)
  // An error that is no conflict is not retried.
  await expect(act('23514')).rejects.toMatchObject({ code: '23514' })
  expect(attempts.length).toBe(5)
  expect(await counts()).toEqual([0, 0])
})
