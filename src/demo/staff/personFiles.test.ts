import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemUser } from '../../../engine/server/identity/access.ts'
import { createContext } from '../../../engine/server/identity/session.ts'
import { testWholeDemo } from '../../../tests/demo.ts'
import { createSmallDemo } from '../../../tests/smallDemo.ts'
import type { TestServer } from '../../../tests/server.ts'
import { personFiles } from './personFiles.ts'

let server: TestServer
beforeAll(async () => {
  server = await createSmallDemo()
  const context = createContext(server.runtime, systemUser, 'cn')
  await personFiles(context)
})
afterAll(() => server?.close())

const counts = async (table: string) =>
  (
    await sql<{
      totalCount: number
      successCount: number
      failCount: number
      status: string
    }>`select "totalCount", "successCount", "failCount", status from ${sql.table(table)} order by id`.execute(
      server.runtime.database.kysely,
    )
  ).rows

testWholeDemo('has files of joiners and leavers: one of each partly written with errors, and one waiting', async () => {
  expect(await counts('personJoinImport')).toMatchObject([
    { totalCount: 9, successCount: 4, failCount: 5, status: 'partial' },
    { totalCount: 3, status: 'checked' },
  ])
  expect(await counts('personLeaveImport')).toMatchObject([
    { totalCount: 7, successCount: 2, failCount: 5, status: 'partial' },
    { totalCount: 2, status: 'checked' },
  ])
})

test('has letters in every state, printed if approved, and work injuries in most, one of them urgent', async () => {
  const { rows } = await sql<{
    status: string
    count: number
    printed: number
  }>`select status, count(*)::integer as count, count("generatedFile")::integer as printed from proof group by 1 order by 1`.execute(
    server.runtime.database.kysely,
  )
  expect(rows.map(({ status }) => status)).toEqual(['approved', 'draft', 'issued', 'rejected', 'submitted', 'void'])
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(60)
  for (const { status, count, printed } of rows)
    expect(printed, status).toBe(['approved', 'issued', 'void'].includes(status) ? count : 0)
  const context = createContext(server.runtime, systemUser, 'cn')
  const today = context.now.slice(0, 10)
  const {
    rows: [{ total, pressing }],
  } = await sql<{
    total: number
    pressing: number
  }>`select count(*)::integer as total, count(*) filter (where status in ('registered', 'reported') and "applyDeadline"::date < ${today}::date + 7)::integer as pressing from "workInjury"`.execute(
    server.runtime.database.kysely,
  )
  expect([total, pressing]).toEqual([8, 1])
})

testWholeDemo('has people in every state, including namesakes, returners, and people without a card', async () => {
  const { rows } = await sql<{
    status: string
    count: number
  }>`select "employmentStatus" as status, count(*)::integer as count from person group by 1`.execute(
    server.runtime.database.kysely,
  )
  const countOf = (status: string) => rows.find((row) => row.status === status)?.count ?? 0
  const total = rows.reduce((sum, { count }) => sum + count, 0)
  expect(total).toBeGreaterThan(700)
  expect(countOf('active') / total).toBeGreaterThan(0.75)
  for (const status of ['pending', 'leaving', 'left', 'cancelled']) expect(countOf(status), status).toBeGreaterThan(2)
  const {
    rows: [found],
  } = await sql<Record<'names' | 'twice' | 'noCard' | 'foreign' | 'retired' | 'endsInX', number>>`select
    (select count(*)::integer from (select 1 from person group by customer, name having count(*) > 1) x) as names, (select count(*)::integer from (select 1 from "employmentRecord" group by person having count(*) > 1) x) as twice,
    (select count(*)::integer from person p where "employmentStatus" = 'active' and not exists (select 1 from "personBankCard" where person = p.id and "isDefault")) as "noCard",
    (select count(*)::integer from person where "idType" = 'passport') as foreign, (select count(*)::integer from person where "workerKind" = 'retiree') as retired, (select count(*)::integer from person where "idNumber" like '%X') as "endsInX"`.execute(
    server.runtime.database.kysely,
  )
  for (const [what, count] of Object.entries(found)) expect(count, what).toBeGreaterThan(0)
})
