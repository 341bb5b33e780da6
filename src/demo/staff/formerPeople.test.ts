import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemUser } from '../../../engine/server/identity/access.ts'
import { createContext } from '../../../engine/server/identity/session.ts'
import { createSmallDemo } from '../../../tests/smallDemo.ts'
import type { TestServer } from '../../../tests/server.ts'
import { writeFormerPeople } from './formerPeople.ts'

let server: TestServer
beforeAll(async () => {
  server = await createSmallDemo()
})
afterAll(() => server?.close())

test('adds former people up to the requested number, who left before the first payroll month', async () => {
  const { kysely } = server.runtime.database
  const count = async () =>
    (await sql<{ count: number }>`select count(*)::int as count from person`.execute(kysely)).rows[0].count
  const before = await count()
  const context = createContext(server.runtime, systemUser, 'cn')
  await kysely.transaction().execute((db) => writeFormerPeople(context, db, () => 1, before + 50))
  expect(await count()).toBe(before + 50)
  const {
    rows: [figures],
  } = await sql<{
    left: number
    late: number
    ids: number
    stints: number
  }>`select count(*) filter (where p."employmentStatus" = 'left')::int as left, count(*) filter (where p."leaveDate" > current_date - 450)::int as late,
    count(distinct p."idNumber")::int as ids, count(e.id)::int as stints from person as p left join "employmentRecord" as e on e.person = p.id and e."leaveDate" = p."leaveDate" where p.id > (select id from person order by id offset ${before - 1} limit 1)`.execute(
    kysely,
  )
  expect(figures).toEqual({ left: 50, late: 0, ids: 50, stints: 50 })
  await kysely.transaction().execute((db) => writeFormerPeople(context, db, () => 1, 10))
  expect(await count()).toBe(before + 50)
})
