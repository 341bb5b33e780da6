import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { systemUser } from '../../../engine/server/identity/access.ts'
import { reading } from '../../../engine/server/records/records.ts'
import { createContext } from '../../../engine/server/identity/session.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { testWholeDemo } from '../../../tests/demo.ts'
import { createSmallDemo, demoMonths } from '../../../tests/smallDemo.ts'
import type { TestServer } from '../../../tests/server.ts'

let server: TestServer
let budgets: RecordData[]

beforeAll(async () => {
  server = await createSmallDemo()
  const context = createContext(server.runtime, systemUser, 'cn')
  budgets = (await reading.list(context, context.derived.catalog.entities.budget, { page: 1, size: 1000 })).list
})
afterAll(() => server?.close())

testWholeDemo('every month and the next have thirty budgets, in every state', () => {
  const budgetsOf = (wanted: string) => budgets.filter(({ month }) => month === wanted)
  expect(['2026-01', '2026-02', '2026-03'].map((month) => budgetsOf(month).length)).toEqual([30, 30, 30])
  expect(budgetsOf('2026-04').length).toBeGreaterThanOrEqual(20)
  expect(new Set(budgetsOf('2026-02').map(({ status }) => status))).toEqual(new Set(['compared']))
  expect(new Set(budgetsOf('2026-03').map(({ status }) => status))).toEqual(
    new Set(['compared', 'confirmed', 'drafted']),
  )
  expect(new Set(budgetsOf('2026-04').map(({ status, statement }) => [status, statement].join(' ')))).toEqual(
    new Set(['confirmed ', 'drafted ']),
  )
})

testWholeDemo('actual amounts are 0.92 to 1.12 of the budget, except two far off', () => {
  const rates = budgets.flatMap(({ actualAmount, totalAmount }) =>
    actualAmount === null ? [] : Number(actualAmount) / Number(totalAmount),
  )
  expect(rates.length).toBeGreaterThanOrEqual(demoMonths * 30 - 2)
  expect(rates.filter((rate) => rate < 0.92 || rate > 1.12)).toHaveLength(2)
  expect(
    budgets.filter(({ varianceRate }) => varianceRate !== null && Math.abs(Number(varianceRate)) > 20),
  ).toHaveLength(2)
  expect(budgets.filter(({ overAlert }) => overAlert).length).toBeGreaterThanOrEqual(2)
})

testWholeDemo('sums agree: lines make budgets, and budgets of people are compared with their statements', async () => {
  const {
    rows: [whole],
  } = await sql<{
    wrong: number
    seen: number
  }>`select count(*) filter (where b."totalAmount" <> added.total or b."taxAmount" <> added.tax or b.headcount <> added.heads)::integer as wrong,
    count(*)::integer as seen from budget as b join (select budget, sum("totalAmount") as total, sum("taxAmount") as tax, count(*) filter (where "lineType" = 'person') as heads
      from "budgetLine" where "deletedAt" is null group by budget) as added on added.budget = b.id`.execute(
    server.runtime.database.kysely,
  )
  expect(whole).toEqual({ wrong: 0, seen: budgets.length })
  const {
    rows: [lines],
  } = await sql<{
    wrong: number
    seen: number
  }>`select count(*) filter (where s."totalAmount" <> added.actual)::integer as wrong, count(*)::integer as seen
    from budget as b join statement as s on s.id = b.statement and s.stage = 'confirmed' join (select l.budget, sum(sl."totalAmount") as actual from "budgetLine" as l join "statementLine" as sl on sl.id = l."statementLine" group by l.budget) as added on added.budget = b.id`.execute(
    server.runtime.database.kysely,
  )
  expect(lines.wrong).toBe(0)
  expect(lines.seen).toBeGreaterThan(60)
})
