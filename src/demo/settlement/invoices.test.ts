import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemUser } from '../../../engine/server/identity/access.ts'
import { reading } from '../../../engine/server/records/records.ts'
import { createContext } from '../../../engine/server/identity/session.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { testWholeDemo } from '../../../tests/demo.ts'
import { createSmallDemo } from '../../../tests/smallDemo.ts'
import type { TestServer } from '../../../tests/server.ts'

let server: TestServer
let invoices: RecordData[]
const rows = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(server.runtime.database.kysely)).rows

beforeAll(async () => {
  server = await createSmallDemo()
  const context = createContext(server.runtime, systemUser, 'cn')
  invoices = (await reading.list(context, context.derived.catalog.entities.invoice, { page: 1, size: 1000 })).list
})
afterAll(() => server?.close())

testWholeDemo('most invoices are issued and digital, some wait, and some are void or reversed by a red one', () => {
  const count = (status: string) => invoices.filter((invoice) => invoice.status === status).length
  expect(invoices.length).toBeGreaterThan(100)
  expect([count('applied'), count('redFlushed'), count('voided')]).toEqual([8, 4, 3])
  expect(invoices.filter(({ kind }) => kind === 'red')).toHaveLength(4)
  expect(
    invoices.filter(({ invoiceType }) => String(invoiceType).startsWith('e')).length / invoices.length,
  ).toBeGreaterThan(0.6)
  expect(
    invoices.some(({ status, applicant }) => status === 'applied' && (applicant as RecordData).code === 'support'),
  ).toBe(true)
  expect(invoices.some(({ statements }) => (statements as RecordData[]).length === 2)).toBe(true)
  expect(invoices.some(({ diffMode }) => diffMode === 'split')).toBe(true)
  expect(
    invoices.filter(({ status, deliveredAt, kind }) => status === 'issued' && kind === 'blue' && deliveredAt === null)
      .length,
  ).toBeGreaterThanOrEqual(6)
})

testWholeDemo('sums agree: items, statements and taxes, and no statement is invoiced beyond its total', async () => {
  const [wrong] = await rows(sql<{ items: number; allocations: number; taxes: number; red: number }>`select
    count(*) filter (where amount <> (select sum(amount) from "invoiceItem" where invoice = i.id))::integer as items,
    count(*) filter (where amount <> (select sum(amount) from "invoiceAllocation" where invoice = i.id))::integer as allocations,
    count(*) filter (where "taxAmount" <> (select sum("taxAmount") from "invoiceItem" where invoice = i.id) or "netAmount" <> amount - "taxAmount")::integer as taxes,
    count(*) filter (where kind = 'red' and amount <> (select -amount from invoice where id = i."redOf"))::integer as red from invoice i`)
  expect(wrong).toEqual({ items: 0, allocations: 0, taxes: 0, red: 0 })
  const context = createContext(server.runtime, systemUser, 'cn')
  const { list } = await reading.list(context, context.derived.catalog.entities.statement, { page: 1, size: 1000 })
  expect(
    list.filter(
      ({ stage, uninvoicedAmount, totalAmount }) =>
        stage === 'confirmed' && Number(totalAmount) > 0 && Number(uninvoicedAmount) < 0,
    ),
  ).toEqual([])
  const progress = new Set(list.map(({ invoiceProgress }) => invoiceProgress))
  expect(progress).toEqual(new Set(['none', 'part', 'full']))
  expect(list.some(({ status }) => status === 'invoiced')).toBe(true)
})

test('each invoice has journal entries in the past, and a unique number', async () => {
  const [{ without, late, double }] = await rows(sql<{ without: number; late: number; double: number }>`select
    (select count(*) from invoice i where not exists (select 1 from "settlementJournal" where invoice = i.id))::integer as without,
    (select count(*) from "settlementJournal" where "occurredAt" > '2026-03-15 23:59:59')::integer as late,
    (select count(*) from (select 1 from invoice where "invoiceNo" is not null group by "invoiceCode", "invoiceNo" having count(*) > 1) as twice)::integer as double`)
  expect({ without, late, double }).toEqual({ without: 0, late: 0, double: 0 })
})
