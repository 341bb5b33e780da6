/** The ledger on a customer's detail: each movement of the account and the balance after it. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { receiptHouse, type ReceiptHouse } from '../receipts.ts'
import { createTestServer, type TestServer } from '../server.ts'

let house: TestServer
let desk: ReceiptHouse
beforeAll(async () => {
  house = await createTestServer()
  desk = await receiptHouse(house)
})
afterAll(() => house?.close())

const act = async (path: string, id: number, values: object = {}) =>
  expect(await house.admin.post(`/settlement/${path}`, { id, values })).toMatchObject({ code: 1 })

test("lists each receipt, match and refund with the balance after it, up to the customer's balance", async () => {
  const { id: customer } = await desk.customer({ openingBalance: '50' })
  const ledger = async () => {
    const query = { filters: { customer: { equals: customer }, subject: { equals: 'receipt' } }, size: 100 }
    const { list } = (await house.admin.get('/settlement/settlementJournal/list', query)).result
    return (list as RecordData[])
      .toSorted((a, b) => a.id! - b.id!)
      .map(({ action, moneyIn, moneyOut, balanceAfter }) => [action, moneyIn, moneyOut, balanceAfter])
  }
  const first = await desk.receipt({ customer, amount: '1000.00' })
  const second = await desk.receipt({ amount: '500.00' })
  await act('receipt/claim', second, { customer })
  const owed = [
    await desk.statement(customer, '300.00', '2026-03-05'),
    await desk.statement(customer, '400.00', '2026-03-12', { billMonth: '2026-01' }),
  ]
  expect(
    await desk.match(first, [
      { statement: owed[0], amount: '300.00' },
      { statement: owed[1], amount: '250.00' },
    ]),
  ).toMatchObject({ code: 1 })
  await act('receipt/refund', second, {
    amount: '100.00',
    receivedDate: '2026-03-15',
    companyAccount: desk.account,
    remark: '多付退回',
  })
  const match = (await desk.matchesOf(first)).find(({ statement }) => (statement as { id: number }).id === owed[1])!
  await act('receiptMatch/unmatch', match.id!, { cancelReason: '认领有误，撤销核销' })
  const third = await desk.receipt({ customer, amount: '200.00' })
  await act('receipt/void', third, { voidReason: '银行退票重入' })

  expect(await ledger()).toEqual([
    ['register', '1000.00', null, '1050.00'],
    ['claim', '500.00', null, '1550.00'],
    ['match', null, '300.00', '1250.00'],
    ['match', null, '250.00', '1000.00'],
    ['refund', null, '100.00', '900.00'],
    ['unmatch', '250.00', null, '1150.00'],
    ['register', '200.00', null, '1350.00'],
    ['void', null, '200.00', '1150.00'],
  ])
  expect((await house.admin.get('/customer/detail', { id: customer })).result.balance).toBe('1150.00')
})

test('a movement after two concurrent ones counts both, in whatever order they were counted', async () => {
  const { id: customer } = await desk.customer()
  const [first, second] = [
    await desk.receipt({ customer, amount: '100.00' }),
    await desk.receipt({ customer, amount: '50.00' }),
  ]
  // The state after the second was counted before the first was committed.
  const leave = (receipt: number, balance: string) =>
    house.database.pool.query('update "settlementJournal" set "balanceAfter" = $1 where receipt = $2', [
      balance,
      receipt,
    ])
  await leave(second, '50.00')
  await leave(first, '150.00')
  const third = await desk.receipt({ customer, amount: '1.00' })
  const { rows } = await house.database.pool.query(
    'select "balanceAfter" from "settlementJournal" where receipt = $1',
    [third],
  )
  expect(rows).toEqual([{ balanceAfter: '151.00' }])
})

test('the ledger is a tab of the customer’s detail', () => {
  const file = (path: string) => JSON.parse(readFileSync(`schemas/${path}.json`, 'utf8'))
  const { tabs } = file('customer/customer.detail') as { tabs: { name: string; related: object }[] }
  expect(tabs.find(({ name }) => name === 'ledger')?.related).toEqual({ screen: 'customerLedger.list', by: 'customer' })
  const { where, columns } = file('settlement/customerLedger.list') as {
    where: object
    columns: (string | { field: string })[]
  }
  expect(where).toEqual({ subject: 'receipt' })
  expect(columns.map((column) => (typeof column === 'string' ? column : column.field))).toEqual(
    expect.arrayContaining(['occurredAt', 'action', 'documentNo', 'moneyIn', 'moneyOut', 'balanceAfter']),
  )
})
