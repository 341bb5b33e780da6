/** What is done with many documents at once asks the database as often as with two of them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMonths } from '../../engine/expression/index.ts'
import type { Value } from '../../engine/model/model.ts'
import { receiptHouse, type ReceiptHouse } from '../receipts.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { delivery } from '../statement.ts'
import { moreOften, queriesOf } from '../statementsOf.ts'

let house: TestServer
let desk: ReceiptHouse
let customer: number
beforeAll(async () => {
  house = await createTestServer()
  desk = await receiptHouse(house)
  const contacts = [
    { name: '赵文', kind: ['settlement'], mobile: '15400000009', email: 'zhaowen@qilan.example.com', primary: true },
  ]
  customer = (await desk.customer({ contacts })).id
})
afterAll(() => house?.close())

/** So many of each. */
const make = async (size: number, one: (index: number) => Promise<number>): Promise<number[]> => {
  const ids: number[] = []
  for (let index = 0; index < size; index++) ids.push(await one(index))
  return ids
}
let payers = 0
const receipts = (size: number) => make(size, () => desk.receipt({ payerName: `付款人${++payers}` }))
// There is one for each month of a contract.
let month = '2026-02'
const statements = (values: Record<string, Value>) => (size: number) =>
  make(size, () => {
    month = addMonths(month, -1)!
    return desk.statement(customer, '100.00', '2026-02-20', { billMonth: month, ...values })
  })

const cases: [string, (size: number) => Promise<number[]>, string, () => Record<string, Value>][] = [
  ['receipts that are claimed', receipts, '/settlement/receipt/claim', () => ({ customer })],
  [
    'claims that are taken back',
    async (size) => {
      const ids = await receipts(size)
      expect(await house.admin.post('/settlement/receipt/claim', { ids, values: { customer } })).toMatchObject({
        code: 1,
      })
      return ids
    },
    '/settlement/receipt/unclaim',
    () => ({}),
  ],
  [
    'statements that are delivered',
    statements({ stage: 'generated', confirmedAt: null }),
    '/settlement/statement/send',
    () => delivery,
  ],
  ['customers who are reminded', statements({}), '/settlement/statement/remind', () => ({})],
]

test.each(cases)('%s', async (_, prepare, path, values) => {
  const asked = async (size: number) => {
    const ids = await prepare(size)
    return queriesOf(async () => {
      const answer = await house.admin.post(path, { ids, values: values() })
      expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1, result: { succeeded: size } })
    })
  }
  // Queries whose result is cached are not counted.
  await asked(2)
  const few = await asked(2)
  expect(few.size).toBeGreaterThan(3)
  expect(moreOften(few, await asked(20))).toEqual([])
})
