/** Outstanding amounts and their age are reported as of the chosen day. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { clockOn } from '../clock.ts'
import { apply, confirmed, confirmStatement, invoiceFile, invoices, issue, nextNumber } from '../invoice.ts'
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

/** The amounts of the customer's statements that are invoiced, and that are neither invoiced nor applied for. */
const invoiced = async (customer: number, asOf: string) => {
  const filters = { billMonth: { between: ['2026-01', '2026-12'] }, customer: { equals: customer } }
  const query = { screen: 'report.report', tab: 'summary', asOf, filters }
  const { totals } = (await house.admin.get('/plans/report', query)).result
  return [totals.invoicedAmount, totals.uninvoicedAmount]
}

test('later matches, reversals and confirmations do not count yet', async () => {
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

test('moving a due date or undoing a confirmation does not change earlier overdue amounts', async () => {
  const { id, customer } = await confirmed(house)
  const total = '19596.44'
  const [notDue, overdue] = [
    [total, total, '0.00'],
    [total, '0.00', total],
  ]
  const change = async (dueDate: string) =>
    expect(
      await house.admin.post('/settlement/statement/changeDueDate', {
        id,
        values: { dueDate, dueDateReason: '客户申请延期' },
      }),
    ).toMatchObject({ code: 1 })
  expect(await ageing(customer, '2026-03-15'), 'due on the 12th').toEqual(overdue)
  on('2026-03-20')
  await change('2026-03-25')
  on('2026-03-28')
  expect(await ageing(customer, '2026-03-28')).toEqual(overdue)
  await change('2026-04-30')
  expect(await ageing(customer, '2026-03-28'), 'now').toEqual(notDue)
  expect(await ageing(customer, '2026-03-27'), 'between').toEqual(overdue)
  expect(await ageing(customer, '2026-03-22'), 'after the first').toEqual(notDue)
  expect(await ageing(customer, '2026-03-19'), 'before').toEqual(overdue)

  on('2026-04-02')
  const go = (action: string, values = {}) => house.admin.post(`/settlement/statement/${action}`, { id, values })
  expect(await go('unconfirm')).toMatchObject({ code: 1 })
  const nothing = ['0.00', '0.00', '0.00']
  expect(await ageing(customer, '2026-04-02'), 'undone').toEqual(nothing)
  expect(await ageing(customer, '2026-04-01'), 'confirmed still').toEqual(notDue)
  on('2026-04-05')
  expect(await go('void', { voidReason: '费用有误，重新出账' })).toMatchObject({ code: 1 })
  expect(await ageing(customer, '2026-04-05'), 'voided').toEqual(nothing)
  expect(await ageing(customer, '2026-03-22'), 'confirmed then').toEqual(notDue)
  expect(await invoiced(customer, '2026-03-22'), 'open to invoicing then').toEqual(['0.00', total])
  expect(await invoiced(customer, '2026-04-05'), 'not any more').toEqual(['0.00', '0.00'])
  expect(await ageing(customer, '2026-03-19'), 'overdue then').toEqual(overdue)
  expect(await ageing(customer, '2026-03-14'), 'not yet confirmed').toEqual(nothing)
  on('2026-03-15')
})

test.skipIf(!isLong)('invoices applied for, issued, voided or red-flushed later do not count yet', async () => {
  const total = '19596.44'
  const { id: paper, customer } = await confirmed(house)
  const applied = async (values = {}) => (await apply(house.admin, [paper], values)).result.id as number
  const go = async (action: string, id: number, values = {}) =>
    expect(await house.admin.post(`${invoices}/${action}`, { id, values })).toMatchObject({ code: 1 })
  on('2026-03-16')
  const first = await applied({ invoiceType: 'paperNormal', deliverMethod: 'pickup' })
  on('2026-03-18')
  await issue(house, first, {
    invoiceCode: '099000000001',
    invoiceNo: nextNumber(8),
    issueDate: '2026-03-18',
    files: null,
  })
  on('2026-03-20')
  await go('void', first, { reason: 'wrongInfo' })
  on('2026-03-22')
  await go('withdraw', await applied())
  on('2026-03-24')
  const blue = await applied()
  await issue(house, blue, { issueDate: '2026-03-24' })
  on('2026-04-02')
  const red = { reason: 'wrongAmount', invoiceNo: nextNumber(), issueDate: '2026-04-02' }
  await go('redFlush', blue, { ...red, files: await invoiceFile(house, house.admin) })
  on('2026-04-05')

  expect(await invoiced(customer, '2026-03-15'), 'confirmed').toEqual(['0.00', total])
  expect(await invoiced(customer, '2026-03-16'), 'applied for').toEqual(['0.00', '0.00'])
  expect(await invoiced(customer, '2026-03-18'), 'issued').toEqual([total, '0.00'])
  expect(await invoiced(customer, '2026-03-20'), 'voided').toEqual(['0.00', total])
  expect(await invoiced(customer, '2026-03-22'), 'withdrawn on the day').toEqual(['0.00', total])
  expect(await invoiced(customer, '2026-03-24'), 'issued again').toEqual([total, '0.00'])
  expect(await invoiced(customer, '2026-04-01'), 'before the red one').toEqual([total, '0.00'])
  expect(await invoiced(customer, '2026-04-02'), 'issued in red').toEqual(['0.00', total])
  expect(await invoiced(customer, '2026-04-05'), 'now').toEqual(['0.00', total])
})

test.skipIf(!isLong)('fees changed after undoing a confirmation do not change what was billed before', async () => {
  on('2026-03-15')
  const { id, customer } = await confirmed(house)
  const fees = async (asOf: string) => {
    const filters = {
      billMonth: { between: ['2026-01', '2026-12'] },
      customer: { equals: customer },
      status: { in: ['confirmed', 'invoiced', 'settled'] },
    }
    const read = async (tab: string) =>
      (await house.admin.get('/plans/report', { screen: 'report.report', tab, asOf, filters })).result.totals
    return { ...(await read('summary')), ...(await read('margin')) }
  }
  const before = await fees('2026-03-15')
  expect(before).toMatchObject({ totalAmount: '19596.44', headcount: 2, adjustAmount: '0.00' })
  on('2026-03-20')
  const change = { dueDate: '2026-04-25', dueDateReason: '客户申请延期' }
  const go = async (action: string, values = {}) =>
    expect(await house.admin.post(`/settlement/statement/${action}`, { id, values })).toMatchObject({ code: 1 })
  await go('changeDueDate', change)
  on('2026-03-25')
  await go('unconfirm')
  on('2026-03-28')
  const item = { statement: id, feeItem: 'grossWage', costMonth: '2026-03', amount: '1000', reason: '补发上月绩效' }
  await house.create('/settlement/statementItem', item)
  on('2026-04-02')
  await confirmStatement(house, id)
  const now = await fees('2026-04-02')
  expect(now).not.toEqual(before)
  expect(now.totalAmount).not.toBe(before.totalAmount)
  expect(await fees('2026-03-16'), 'before the due date was moved').toEqual(before)
  expect(await fees('2026-03-22'), 'before it was undone').toEqual(before)
  expect(await fees('2026-03-30'), 'while it was open').toMatchObject({ totalAmount: '0.00', adjustAmount: '0.00' })
  on('2026-04-05')
  expect(await fees('2026-04-03'), 'confirmed again').toEqual(now)
  on('2026-03-15')
})
