import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemUser } from '../../../engine/server/identity/access.ts'
import { reading } from '../../../engine/server/records/records.ts'
import { createContext } from '../../../engine/server/identity/session.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { testWholeDemo } from '../../../tests/demo.ts'
import { createSmallDemo } from '../../../tests/smallDemo.ts'
import type { TestServer } from '../../../tests/server.ts'
import { receiptFiles } from './receiptFiles.ts'

let server: TestServer
let receipts: RecordData[]
let statements: RecordData[]
let customers: RecordData[]
const rows = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(server.runtime.database.kysely)).rows

beforeAll(async () => {
  server = await createSmallDemo()
  const context = createContext(server.runtime, systemUser, 'cn')
  const all = async (name: string) =>
    (await reading.list(context, context.derived.catalog.entities[name], { page: 1, size: 1000 })).list
  receipts = await all('receipt')
  statements = await all('statement')
  customers = await all('customer')
})
afterAll(() => server?.close())

const counted = (array: readonly RecordData[], field: string) =>
  array.reduce<Record<string, number>>(
    (all, record) => ({ ...all, [String(record[field])]: (all[String(record[field])] ?? 0) + 1 }),
    {},
  )

testWholeDemo('has receipts in every state, of known and unknown payers, some refunded and some void', () => {
  const statuses = counted(receipts, 'status')
  expect(Object.keys(statuses).sort()).toEqual(['matched', 'partMatched', 'registered', 'voided'])
  expect([statuses.voided, counted(receipts, 'direction').out]).toEqual([2, 3])
  expect(
    receipts.filter(({ claimStatus, direction }) => claimStatus === 'unclaimed' && direction === 'in'),
  ).toHaveLength(12)
  expect(statuses.matched).toBeGreaterThan(receipts.length * 0.7)
  expect(
    receipts.some(
      ({ customer, payerName, status }) =>
        status === 'matched' &&
        customers.find(({ id }) => id === (customer as { id: number }).id)!.corporateName !== payerName,
    ),
  ).toBe(true)
  expect(receipts.every(({ unmatchedAmount }) => !String(unmatchedAmount).startsWith('-'))).toBe(true)
  expect(new Set(receipts.map(({ receiptNo }) => receiptNo)).size).toBe(receipts.length)
})

testWholeDemo('has statements paid in full, in part, and not at all, of every age', () => {
  expect(Object.keys(counted(statements, 'receiptProgress')).sort()).toEqual(['full', 'none', 'part'])
  expect(counted(statements, 'status').settled).toBeGreaterThan(statements.length * 0.6)
  const open = statements.filter(
    ({ outstandingAmount, stage }) => stage === 'confirmed' && Number(outstandingAmount) > 0,
  )
  expect(Object.keys(counted(open, 'ageing')).sort()).toEqual([
    'd180plus',
    'd1to30',
    'd31to60',
    'd61to90',
    'd91to180',
    'notDue',
  ])
  expect(
    statements.every(
      ({ outstandingAmount, totalAmount }) =>
        String(totalAmount).startsWith('-') || !String(outstandingAmount).startsWith('-'),
    ),
  ).toBe(true)
  expect(statements.some(({ differenceAmount }) => differenceAmount === '0.37')).toBe(true)
})

test('has a customer with both money and debts, and one owing more than its limit', () => {
  expect(customers.some(({ balance, receivable }) => Number(balance) > 0 && Number(receivable) > 0)).toBe(true)
  expect(
    customers.some(
      ({ creditLimit, receivable }) => Number(creditLimit) > 0 && Number(receivable) > Number(creditLimit),
    ),
  ).toBe(true)
})

test('sums agree: matches with receipts, statements, customers and the journal', async () => {
  const [wrong] = await rows(sql<{ over: number; strange: number }>`select
    (select count(*)::integer from receipt as r where r.amount < (select coalesce(sum(amount), 0) from "receiptMatch" where receipt = r.id) + (select coalesce(sum(amount), 0) from receipt where "refundOf" = r.id)) as over,
    (select count(*)::integer from "receiptMatch" as m join receipt as r on r.id = m.receipt join statement as s on s.id = m.statement
      where r.customer <> m.customer or s.customer <> m.customer or s.stage <> 'confirmed' or m."matchedAt" < s."confirmedAt") as strange`)
  expect(wrong).toEqual({ over: 0, strange: 0 })
  const differing = await rows(sql<{
    id: number
  }>`select r.id from receipt as r where r.direction = 'in' and (select j."amountAfter" from "settlementJournal" as j where j.receipt = r.id order by j."occurredAt" desc, j.id desc limit 1)
    <> case when r."voidReason" is null then r.amount - (select coalesce(sum(amount), 0) from "receiptMatch" where receipt = r.id) - (select coalesce(sum(amount), 0) from receipt where "refundOf" = r.id) else 0 end`)
  expect(differing).toEqual([])
  const unequal = await rows(sql<{ id: number }>`select j.id from "settlementJournal" as j where j.subject = 'receipt'
    and j."balanceAfter" is distinct from case when j."balanceChange" = 0 then null else
      (select coalesce("openingBalance", 0) from customer where id = j.customer) + (select sum(o."balanceChange")
        from "settlementJournal" as o where o.customer = j.customer and (o."occurredAt", o.id) <= (j."occurredAt", j.id)) end`)
  expect(unequal, 'the balance that each movement left').toEqual([])
  const total = (array: readonly RecordData[], field: string) =>
    array.reduce((sum, record) => sum + Math.round(Number(record[field]) * 100), 0)
  const own = receipts.filter(({ customer }) => customer !== null)
  expect(total(customers, 'balance') - total(customers, 'openingBalance')).toBe(total(own, 'unmatchedAmount'))
  expect(total(customers, 'receivable')).toBe(
    total(
      statements.filter(({ status }) => status === 'confirmed' || status === 'invoiced'),
      'outstandingAmount',
    ),
  )
})

testWholeDemo('has bank flow files: one partly written with common errors, and one waiting', async () => {
  await receiptFiles(createContext(server.runtime, systemUser, 'cn'))
  const batches = await rows(
    sql<object>`select status, "successCount" as written, "skipCount" as skipped, "failCount" as failed from "receiptImport" order by id`,
  )
  expect(batches).toEqual([
    { status: 'partial', written: 4, skipped: 0, failed: 4 },
    { status: 'checked', written: 0, skipped: 1, failed: 1 },
  ])
  const messages = await rows(
    sql<{
      text: string
    }>`select error -> 'message' ->> 'cn' as text from "receiptImportRow", jsonb_array_elements(errors) as error order by batch, "rowNo"`,
  )
  for (const part of [
    '到账日期不能晚于今天',
    '付款方名称不能为空',
    '与第2行重复',
    '客户编号与付款方名称对应的客户不一致',
    '不在可选范围内',
    '已存在，已跳过',
  ])
    expect(messages.map(({ text }) => text).join('\n')).toContain(part)
})
