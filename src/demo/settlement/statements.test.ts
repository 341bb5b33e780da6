import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemUser } from '../../../engine/server/identity/access.ts'
import { reading } from '../../../engine/server/records/records.ts'
import { createContext } from '../../../engine/server/identity/session.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { createDemoServer, demoMonths } from '../../../tests/demo.ts'
import type { TestServer } from '../../../tests/server.ts'

let server: TestServer
let statements: RecordData[]
const rows = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(server.runtime.database.kysely)).rows

beforeAll(async () => {
  server = await createDemoServer()
  const context = createContext(server.runtime, systemUser, 'cn')
  statements = (await reading.list(context, context.derived.catalog.entities.statement, { page: 1, size: 1000 })).list
})
afterAll(() => server?.close())

test('every month has statements, the last in every state of a clerk at work', () => {
  expect(new Set(statements.map(({ billMonth }) => billMonth)).size).toBe(demoMonths)
  expect(statements.length).toBeGreaterThan(demoMonths * 30)
  const counts = (of: readonly RecordData[]) => (status: string) => of.filter((one) => one.status === status).length
  const last = counts(statements.filter(({ billMonth }) => billMonth === '2026-03'))
  expect(['generated', 'confirmed', 'voided'].map(last)).toEqual([expect.any(Number), expect.any(Number), 2])
  expect([last('generated') >= 10, last('confirmed') >= 6]).toEqual([true, true])
  expect(counts(statements.filter(({ billMonth }) => billMonth !== '2026-03'))('generated')).toBe(0)
  expect(
    statements.filter(({ status, totalAmount }) => status === 'settled' && String(totalAmount).startsWith('-')),
  ).toHaveLength(2)
  expect(statements.filter(({ disputed }) => disputed)).toHaveLength(4)
  expect(statements.some(({ dueDate, stage }) => dueDate === '2026-03-15' && stage === 'confirmed')).toBe(true)
  expect(new Set(statements.map(({ ageing }) => ageing))).toEqual(
    new Set(['notDue', 'd1to30', 'd31to60', 'd61to90', 'd91to180', 'd180plus']),
  )
})

test('what was carried over stands in the next statement of the contract, but for contracts that have ended', () => {
  const negative = statements.filter(({ carriedAmount }) => carriedAmount !== null)
  expect(negative).toHaveLength(2)
  expect(negative.map(({ totalAmount, carriedAmount }) => totalAmount === carriedAmount)).toEqual([true, true])
})

test('sums agree: items make lines, lines make statements', async () => {
  const columns = ['wage', 'social', 'medical', 'fund', 'supplement', 'otherBenefit', 'serviceFee', 'adjust']
  const differing = sql.join(
    columns.map(
      (category) =>
        sql`sum(i.amount) filter (where i.billable and i."feeCategory" = ${category}) is distinct from nullif(l.${sql.ref(`${category}Amount`)}, 0)`,
    ),
    sql` or `,
  )
  const [lines] = await rows(sql<{
    wrong: number
  }>`select count(*)::integer as wrong from (select l.id from "statementLine" as l join "statementItem" as i on i.line = l.id and i."deletedAt" is null
    where l."deletedAt" is null group by l.id having ${differing}) as bad`)
  expect(lines.wrong).toBe(0)
  const [whole] = await rows(sql<{
    wrong: number
    seen: number
  }>`select count(*) filter (where s."totalAmount" <> added.total or s."taxAmount" <> added.tax or s.headcount <> added.heads)::integer as wrong, count(*)::integer as seen
    from statement as s join (select statement, sum("totalAmount") as total, sum("taxAmount") as tax, count(*) filter (where "lineType" = 'person') as heads
      from "statementLine" where "deletedAt" is null group by statement) as added on added.statement = s.id`)
  expect(whole).toEqual({ wrong: 0, seen: statements.length })
})

test('each cost is billed once, by the statement that holds its item, but for those of one that is still to be made anew', async () => {
  const [costs] = await rows(sql<{
    free: number
    wrong: number
  }>`select count(distinct c.customer) filter (where c.statement is null)::integer as free,
    count(*) filter (where c.statement is not null and not exists (select from "statementItem" as i where i.statement = c.statement and i."sourceId" = c."sourceId" and i.amount = c.amount))::integer as wrong from "costLine" as c where c."deletedAt" is null`)
  expect(costs).toEqual({ free: 1, wrong: 0 })
})

test('the journal tells of every statement, made by the clerk and never after now', async () => {
  const [journal] = await rows(sql<{
    generated: number
    strangers: number
    late: number
  }>`select count(*) filter (where action = 'generate' and subject = 'statement')::integer as generated,
    count(*) filter (where operator is null)::integer as strangers, count(*) filter (where "occurredAt" > '2026-03-15 23:59:59')::integer as late from "settlementJournal"`)
  expect(journal).toEqual({ generated: statements.length, strangers: 0, late: 0 })
})
