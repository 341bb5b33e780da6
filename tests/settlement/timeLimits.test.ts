/** The time limits in the other settings, and the limit on a statement's variance from its budget, take effect. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { Value } from '../../engine/model/model.ts'
import { runDaily } from '../../engine/server/jobs/daily.ts'
import { createClock } from '../../engine/server/clock.ts'
import { clockOn } from '../clock.ts'
import { apply, confirmed, confirmStatement, readInvoice } from '../invoice.ts'
import { createTestServer, type TestServer } from '../server.ts'
import {
  billedCustomer,
  deliver,
  delivery,
  generate,
  journal,
  read,
  sample,
  statements,
  statementsOf,
} from '../statement.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const query = (text: string, values: unknown[] = []) => house.database.pool.query(text, values)
const set = async (entity: string, values: Record<string, Value>): Promise<void> => {
  const { id, revision } = (await house.admin.get(`/setting/${entity}/detail`)).result
  expect(await house.admin.post(`/setting/${entity}/update`, { id, revision, values })).toMatchObject({ code: 1 })
}
/** Runs the daily rules as if the last run were on the day before. */
async function dayAfter(): Promise<void> {
  await runDaily(house.runtime)
  await query("update system_daily_rule set day = '2026-03-14'")
  await runDaily(house.runtime)
}
const titlesOf = async (type: string): Promise<string[]> =>
  (await query("select title->>'cn' as title from message where type = $1", [type])).rows.map(({ title }) => title)

test.skipIf(!isLong)('a sent statement is confirmed after the set days, unless it is disputed', async () => {
  const ids: number[] = []
  for (let count = 0; count < 4; count++) {
    const customer = await billedCustomer(house)
    await deliver(house, customer, sample(customer.people))
    await generate(house.admin, [customer.customer])
    ids.push((await statementsOf(house, customer.customer))[0].id!)
  }
  const [late, fresh, disputed, unsent] = ids
  for (const id of [late, fresh, disputed])
    expect(await house.admin.post(`${statements}/send`, { id, values: delivery })).toMatchObject({ code: 1 })
  expect(
    await house.admin.post(`${statements}/dispute`, { id: disputed, values: { disputeRemark: '人数不符' } }),
  ).toMatchObject({ code: 1 })
  await query(
    'update statement set "sentAmount" = "totalAmount", "sentAt" = \'2026-03-12 18:00:00\' where id in ($1, $2)',
    [late, disputed],
  )
  await query('update statement set "sentAmount" = "totalAmount", "sentAt" = \'2026-03-13 09:00:00\' where id = $1', [
    fresh,
  ])
  const stages = async () =>
    Promise.all([late, fresh, disputed, unsent].map(async (id) => (await read(house, id)).stage))

  await set('otherSettings', { autoConfirmOrder: 0 })
  await dayAfter()
  expect(await stages(), 'off').toEqual(['generated', 'generated', 'generated', 'generated'])
  await set('otherSettings', { autoConfirmOrder: 3 })
  await dayAfter()
  expect(await stages()).toEqual(['confirmed', 'generated', 'generated', 'generated'])
  expect(await read(house, late)).toMatchObject({
    confirmMode: 'auto',
    confirmedAt: expect.stringMatching(/^2026-03-15/),
  })
  expect((await journal(house, late)).at(-1)).toMatchObject({ action: 'confirm', operator: null })
  expect(
    await house.admin.post(`${statements}/confirmByTime`, { id: fresh }),
    'nobody gets round the evidence',
  ).toMatchObject({ status: 409 })
})

test('an unhandled application is voided within an hour after the set time, with a message', async () => {
  const id = (await apply(house.admin, [(await confirmed(house)).id])).result.id as number
  await query('update invoice set "appliedAt" = \'2026-03-13 10:30:00\' where id = $1', [id])
  await set('otherSettings', { autoCancelOrder: 48 })
  const at = async (time: string) => {
    house.runtime.clock = createClock('2026-03-15', () => Date.parse(`1970-01-01T${time}+08:00`))
    await runDaily(house.runtime)
    return (await readInvoice(house, id)).status
  }
  expect([await at('09:10:00'), await at('10:20:00'), await at('10:50:00'), await at('11:05:00')]).toEqual([
    'applied',
    'applied',
    'applied',
    'voided',
  ])
  house.runtime.clock = clockOn('2026-03-15')
  expect(await readInvoice(house, id)).toMatchObject({ reason: 'withdrawn' })
  expect(await titlesOf('invoiceVoided')).toEqual([expect.stringContaining('开票申请超时撤回')])
})

test.skipIf(!isLong)(
  'a request after the confirmation is accepted for the set days, reported and settled',
  async () => {
    const { id } = await confirmed(house)
    const requestAdjustment = () =>
      house.admin.post(`${statements}/requestAdjustment`, { id, values: { adjustmentRequest: '二月加班费少计' } })
    await query('update statement set "confirmedAt" = \'2026-03-01 10:00:00\' where id = $1', [id])
    await set('otherSettings', { afterSalesApplication: 13 })
    expect(await requestAdjustment()).toMatchObject({ status: 409 })
    await set('otherSettings', { afterSalesApplication: 14 })
    expect(await requestAdjustment()).toMatchObject({ code: 1 })
    expect(await titlesOf('statementDisputed')).toContainEqual(expect.stringContaining('售后调整申请'))
    expect(await read(house, id)).toMatchObject({
      stage: 'confirmed',
      disputed: false,
      adjustmentRequest: '二月加班费少计',
    })
    expect(await house.admin.post(`${statements}/settleAdjustment`, { id })).toMatchObject({ code: 1 })
    expect((await journal(house, id)).slice(-2).map(({ detail }) => detail)).toEqual([
      '二月加班费少计',
      '二月加班费少计',
    ])
  },
)

test("a statement beyond its budget's limit is reported when it is confirmed", async () => {
  const alerted = async (percent: string): Promise<boolean> => {
    await set('parameter', { budgetAlertPercent: percent })
    const before = (await titlesOf('budgetAlert')).length
    const customer = await billedCustomer(house)
    expect(
      await house.admin.post('/settlement/budget/generate', {
        values: { month: '2026-03', basis: 'roster', customers: [customer.customer] },
      }),
    ).toMatchObject({ code: 1 })
    const [budget] = (
      await house.admin.get('/settlement/budget/list', { filters: { customer: { equals: customer.customer } } })
    ).result.list
    expect(await house.admin.post('/settlement/budget/confirm', { id: budget.id })).toMatchObject({ code: 1 })
    await deliver(house, customer, sample(customer.people))
    await generate(house.admin, [customer.customer])
    await confirmStatement(house, (await statementsOf(house, customer.customer))[0].id!)
    return (await titlesOf('budgetAlert')).length > before
  }
  // 19596.44 against a budget of 12253.44 is 59.9 % more.
  expect([await alerted('59'), await alerted('60')]).toEqual([true, false])
})
