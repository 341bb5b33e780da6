/** The invariants that hold for any company's books, checked on the demo's. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { createSmallDemo } from '../smallDemo.ts'
import type { TestServer } from '../server.ts'
import { idOf } from './invariants/Books.ts'
import { paid } from './invariants/paid.ts'
import { addsUp } from './invariants/settled.ts'

let house: TestServer
beforeAll(async () => {
  house = await createSmallDemo()
})
afterAll(() => house?.close())

async function all(path: string): Promise<RecordData[]> {
  const found: RecordData[] = []
  for (let page = 1; ; page++) {
    const { result } = await house.admin.get(`${path}/list`, { sort: 'id', size: 1000, page })
    found.push(...result.list)
    if (found.length >= result.total) return found
  }
}

test('statements, matches and receipts of the demo add up', async () => {
  const [statements, lines, matches, receipts] = [
    await all('/settlement/statement'),
    await all('/settlement/statementLine'),
    await all('/settlement/receiptMatch'),
    await all('/settlement/receipt'),
  ]
  expect(statements.length).toBeGreaterThan(20)
  const customers = []
  for (const { id } of await all('/customer'))
    customers.push((await house.admin.get('/customer/detail', { id })).result as RecordData)
  addsUp({ statements, lines, matches, receipts, customers })
  expect(matches.every((match) => receipts.some(({ id }) => id === idOf(match.receipt)))).toBe(true)
})

test('nobody in the demo is paid twice or before the payroll is approved', async () => {
  const [payments, wages] = [await all('/salary/payLine'), await all('/salary/payrollLine')]
  expect(payments.length).toBeGreaterThan(40)
  paid({ payments, wages })
})
