import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemUser } from '../../engine/server/access.ts'
import { createContext } from '../../engine/server/session.ts'
import { createTestServer } from '../../tests/server.ts'
import { fill } from './fill.ts'

type TestServer = Awaited<ReturnType<typeof createTestServer>>
let server: TestServer
const rows = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(server.runtime.database.kysely)).rows

beforeAll(async () => {
  server = await createTestServer()
  await fill(createContext(server.runtime, systemUser, 'cn'), { customers: 60 })
})
afterAll(() => server.close())

test('the states that must exist', async () => {
  const counts = await rows(sql<{ status: string; count: number }>`select "approvalStatus" as status, count(*)::integer as count from customer group by 1 order by 1`)
  expect(counts).toEqual([{ status: 'approved', count: 51 }, { status: 'pending', count: 6 }, { status: 'rejected', count: 3 }])
  const [{ disabled }] = await rows(sql<{ disabled: number }>`select count(*)::integer as disabled from customer where "approvalStatus" = 'approved' and "accountStatus" = 'disabled'`)
  expect(disabled).toBe(4)
})

test('one approved after a rejection, one approved that waits again after its name changed, one user with two roles', async () => {
  const actions = await rows(sql<{ actions: string }>`select string_agg(action, ' ' order by round) as actions from "customerApproval" group by customer`)
  expect(actions.map((row) => row.actions)).toEqual(expect.arrayContaining(['submit reject resubmit agree', 'submit agree resubmit']))
  const [{ two }] = await rows(sql<{ two: number }>`select count(*)::integer as two from "user" where cardinality(roles) = 2`)
  expect(two).toBe(1)
})

test('a second fill changes nothing', async () => {
  await fill(createContext(server.runtime, systemUser, 'cn'), { customers: 5 })
  const [{ count }] = await rows(sql<{ count: number }>`select count(*)::integer as count from customer`)
  expect(count).toBe(60)
})

test('every customer has its contacts, approvals and history, made by people and in the past', async () => {
  const [bad] = await rows(sql<{ count: number }>`select count(*)::integer as count from customer c where c."createdBy" is null or c."createdAt" > now() at time zone 'Asia/Shanghai' + interval '1 minute'
    or not exists (select 1 from "customerContact" where customer = c.id) or not exists (select 1 from "customerApproval" where customer = c.id)
    or not exists (select 1 from system_history h where h.entity = 'customer' and h.record_id = c.id)`)
  expect(bad.count).toBe(0)
})
