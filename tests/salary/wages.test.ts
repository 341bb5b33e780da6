/** The wage report: how each month differs from the one before, and what has been paid. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { billedCustomer } from '../statement.ts'
import { approve, edit, linesOf, payrollFor } from './salary.ts'

let house: TestServer
let both: { clerk: Client; manager: Client }
beforeAll(async () => {
  house = await createTestServer()
  both = {
    clerk: await house.user('paying', ['payrollClerk']),
    manager: await house.user('deciding', ['financeManager']),
  }
})
afterAll(() => house?.close())

test('each month shows the change from the one before, and can be filtered to paid lines', async () => {
  const customer = await billedCustomer(house, { heads: 2 })
  const ids: number[] = []
  for (const [month, paidIn, wage] of [
    ['2026-01', '2026-02', '4000'],
    ['2026-02', '2026-03', '4500'],
  ]) {
    const id = await payrollFor(house, customer, {
      payrollMonth: month,
      planPayDate: `${paidIn}-16`,
      taxMonth: paidIn,
      welfareMonth: month,
    })
    for (const line of await linesOf(house, id)) await edit(house, line, { baseSalary: wage })
    await approve(house, id, both)
    ids.push(id)
  }
  const report = async (group: string, filters: object = {}) => {
    const { result } = await house.admin.get('/plans/report', {
      screen: 'wages.report',
      tab: 'summary',
      group,
      filters: {
        payrollMonth: { between: ['2026-01', '2026-12'] },
        customer: { equals: customer.customer },
        ...filters,
      },
    })
    return result.list as { values: RecordData }[]
  }
  const changes = (await report('month')).map(({ values }) => [
    values.netPay,
    values.netPayChange,
    values.laborCostChange,
  ])
  expect(changes).toEqual([
    ['8000.00', null, null],
    ['9000.00', '12.5000', '12.5000'],
  ])
  // Mark the first line of February as paid by the bank.
  const [{ id: paid }] = await linesOf(house, ids[1])
  const isPaid = { payStatus: { in: ['success'] } }
  expect(await report('month', isPaid)).toEqual([])
  await sql`update "payrollLine" set "payStatus" = 'success' where id = ${paid}`.execute(house.database.kysely)
  expect((await report('month', isPaid)).map(({ values }) => [values.lines, values.netPay])).toEqual([[1, '4500.00']])
})
