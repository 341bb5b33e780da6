/** What was outstanding, and for how long, is told as it was on the day that is asked about. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clockOn } from '../clock.ts'
import { receiptHouse, type ReceiptHouse } from '../receipts.ts'
import { createTestServer, type TestServer } from '../server.ts'

let house: TestServer
let money: ReceiptHouse
beforeAll(async () => {
  house = await createTestServer()
  money = await receiptHouse(house)
})
afterAll(() => house?.close())

const on = (day: string) => Object.assign(house.runtime, { clock: clockOn(day) })
const ageing = async (customer: number, asOf: string) => {
  const filters = {
    billMonth: { between: ['2026-01', '2026-12'] },
    customer: { equals: customer },
    status: { in: ['confirmed', 'invoiced', 'settled'] },
  }
  const query = { screen: 'report.report', tab: 'ageing', asOf, filters }
  const { totals } = (await house.admin.get('/plans/report', query)).result
  return [totals.outstandingAmount, totals.notDue, totals.d1to30]
}

test('what was matched, taken back or confirmed later is not yet so', async () => {
  const { id: customer } = await money.customer()
  const first = await money.statement(customer, '1000.00', '2026-03-05')
  const second = await money.statement(customer, '500.00', '2026-03-12', { billMonth: '2026-01' })
  const receipt = await money.receipt({ customer, amount: '2000.00' })
  expect(
    await money.match(receipt, [
      { statement: first, amount: '1000.00' },
      { statement: second, amount: '300.00' },
    ]),
  ).toMatchObject({ code: 1 })
  on('2026-03-20')
  const match = (await money.matchesOf(receipt)).find(({ statement }) => (statement as { id: number }).id === second)!
  const values = { cancelReason: '认领有误，撤销核销' }
  expect(await house.admin.post('/settlement/receiptMatch/unmatch', { id: match.id, values })).toMatchObject({
    code: 1,
  })

  expect(await ageing(customer, '2026-02-25'), 'not yet confirmed').toEqual(['0.00', '0.00', '0.00'])
  expect(await ageing(customer, '2026-03-10'), 'not yet matched').toEqual(['1500.00', '500.00', '1000.00'])
  expect(await ageing(customer, '2026-03-15'), 'not yet taken back').toEqual(['200.00', '0.00', '200.00'])
  expect(await ageing(customer, '2026-03-20'), 'now').toEqual(['500.00', '0.00', '500.00'])
  on('2026-03-15')
})
