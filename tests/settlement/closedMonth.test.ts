/** A closed month accepts no changes, by any user or any call, but later receipts are accepted. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { lockWait } from '../lockWait.ts'
import type { Value } from '../../engine/model/model.ts'
import { createCallWorker } from '../../engine/server/jobs/callWorker.ts'
import { confirmStatement } from '../invoice.ts'
import { approve, paid } from '../salary/salary.ts'
import { type Answer, createTestServer, type TestServer } from '../server.ts'
import {
  adjustments,
  type BilledCustomer,
  billedCustomer,
  deliver,
  generate,
  items,
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

const february = async () => {
  const customer = await billedCustomer(house, { terms: { startDate: '2025-06-01' } })
  await deliver(
    house,
    customer,
    sample(customer.people).map((cost) => ({ ...cost, costMonth: '2026-01' })),
  )
  await generate(house.admin, [customer.customer], '2026-02', { wageMonth: '2026-01' })
  return { ...customer, id: (await statementsOf(house, customer.customer))[0].id! }
}
/** Skips the check for open statements, as an import of an old database might. */
const close = async (month: string | null) => {
  await house.database.pool.query('update parameter set "closedMonth" = $1', [month])
  await house.database.pool.query('update system_overlay set version = version + 1')
}

test.skipIf(!isLong)(
  'an open statement of a closed month is not adjusted, recomputed, confirmed or voided',
  async () => {
    const { id } = await february()
    const values = { feeItem: 'grossWage', costMonth: '2026-02', reason: '补发上月绩效', amount: '10' }
    expect(await house.admin.post(`${adjustments}/create`, { values: { statement: id, ...values } })).toMatchObject({
      code: 1,
    })
    const manual = (await items(house, id)).find(({ sourceType }) => sourceType === 'manual')!
    const before = await read(house, id)
    await close('2026-02')
    const closed = { code: 409, message: '该月已关账' }
    expect(await house.admin.post(`${adjustments}/create`, { values: { statement: id, ...values } })).toMatchObject(
      closed,
    )
    expect(
      await house.admin.post(`${adjustments}/update`, {
        id: manual.id,
        revision: manual.revision,
        values: { amount: '9' },
      }),
    ).toMatchObject(closed)
    expect(await house.admin.post(`${adjustments}/delete`, { id: manual.id })).toMatchObject(closed)
    expect(await house.admin.post(`${statements}/regenerate`, { id })).toMatchObject(closed)
    expect(
      await house.admin.post(`${statements}/void`, { id, values: { voidReason: '费用有误，重新出账' } }),
    ).toMatchObject(closed)
    await expect(confirmStatement(house, id)).rejects.toThrow('该月已关账')
    const budget = { month: '2026-02', basis: 'roster' }
    expect((await house.admin.post('/settlement/budget/generate', { values: budget })).errors).toMatchObject([
      { field: 'month', message: '该月已关账' },
    ])
    expect(await read(house, id)).toMatchObject({ revision: before.revision, totalAmount: before.totalAmount })
    await close(null)
  },
)

test('a closed month takes no receipts, and later receipts pay its statements', async () => {
  const { id, customer, agency } = await february()
  await confirmStatement(house, id)
  const bank = await house.create('/bank/bank', {
    bankName: '北辰示范银行',
    branchName: '北辰示范银行演示支行',
    cnapsCode: '990100000018',
    kind: 'stateOwned',
    city: '310100',
  })
  const account = await house.create('/bank/companyAccount', {
    agency,
    accountName: '收款户',
    accountNo: '9900880000000012',
    bank,
    accountKind: 'basic',
    purpose: ['receipt'],
  })
  let serial = 0
  const receive = (values: Record<string, Value>) =>
    house.admin.post('/settlement/receipt/create', {
      values: {
        customer,
        method: 'bankTransfer',
        companyAccount: account,
        payerName: '付款公司',
        bankSerialNo: `S${++serial}`,
        ...values,
      },
    })
  const old = (await receive({ amount: '5.00', receivedDate: '2026-02-20' })).result.id
  await close('2026-02')
  const problems = async (values: Record<string, Value>) => {
    const { revision } = (await house.admin.get('/settlement/receipt/detail', { id: old })).result
    return (await house.admin.post('/settlement/receipt/update', { id: old, revision, values })).errors
  }
  const message = '到账日期所在月份已关账'
  expect((await receive({ amount: '5.00', receivedDate: '2026-02-21' })).errors).toMatchObject([{ message }])
  expect(await problems({ amount: '6.00' })).toMatchObject([{ message }])
  expect((await problems({ receivedDate: '2026-03-01' }))?.[0]).toMatchObject({ message })
  expect(await problems({ remark: '二月款项' })).toBeUndefined()
  expect(
    await house.admin.post('/settlement/receipt/void', { id: old, values: { voidReason: '重复登记的到账' } }),
  ).toMatchObject({ code: 409, message })
  const late = (await receive({ amount: '100.00', receivedDate: '2026-03-10' })).result.id
  expect(
    await house.admin.post('/settlement/receipt/match', {
      id: late,
      values: { matches: [{ statement: id, amount: '100.00' }] },
    }),
  ).toMatchObject({ code: 1 })
  expect(await read(house, id)).toMatchObject({ receivedAmount: '100.00' })
  await close(null)
})

describe('while another request writes', () => {
  /** Both requests: the second begins once the first waits for another session that locks this table. */
  async function both(table: string, first: () => Promise<Answer>, second: () => Promise<Answer>) {
    const other = await house.database.pool.connect()
    const answers: Promise<Answer>[] = []
    try {
      await other.query(`begin; lock table ${table} in share mode`)
      answers.push(first())
      await lockWait(house)
      answers.push(second())
      await Promise.race([answers[1], lockWait(house, 2)])
    } finally {
      await other.query('rollback')
      other.release()
    }
    return Promise.all(answers)
  }
  const closing = async (closedMonth: string) => {
    const { id, revision } = (await house.admin.get('/setting/parameter/detail')).result
    return house.admin.post('/setting/parameter/update', { id, revision, values: { closedMonth } })
  }
  const costly = async () => {
    const customer = await billedCustomer(house, { heads: 1 })
    await deliver(house, customer, [
      { person: customer.people[0], feeItem: 'pension', amount: '100.00', costMonth: '2026-02' },
    ])
    return customer
  }
  const generated = async ({ customer }: BilledCustomer) =>
    generate(house.admin, [customer], '2026-02', { wageMonth: '2026-01' })
  const open = async () => (await house.database.pool.query("select id from statement where stage = 'generated'")).rows
  beforeEach(async () => {
    for (const { id } of await open())
      await house.admin.post(`${statements}/void`, { id, values: { voidReason: '费用有误，重新出账' } })
    expect(await open()).toEqual([])
  })
  afterEach(() => close(null))

  test('a statement generated as its month is closed keeps it open', async () => {
    const customer = await costly()
    const [made, closed] = await both(
      '"costLine"',
      () => generated(customer),
      () => closing('2026-02'),
    )
    expect(made).toMatchObject({ code: 1 })
    expect(closed.errors).toMatchObject([{ field: 'closedMonth', code: 'openStatements' }])
  })

  test('none is generated in a month that is closed meanwhile', async () => {
    const customer = await costly()
    const [closed, made] = await both(
      'message',
      () => closing('2026-02'),
      () => generated(customer),
    )
    expect(closed).toMatchObject({ code: 1 })
    expect(made).toMatchObject({ code: 409, message: '该月已关账' })
    expect(await statementsOf(house, customer.customer)).toEqual([])
  })

  test('nor is one opened again', async () => {
    const customer = await costly()
    expect(await generated(customer)).toMatchObject({ code: 1 })
    const [{ id }] = await statementsOf(house, customer.customer)
    await confirmStatement(house, id!)
    const [closed, opened] = await both(
      'message',
      () => closing('2026-02'),
      () => house.admin.post(`${statements}/unconfirm`, { id }),
    )
    expect(closed).toMatchObject({ code: 1 })
    expect(opened).toMatchObject({ code: 409, message: '该月已关账' })
    expect(await read(house, id!)).toMatchObject({ stage: 'confirmed' })
  })
})

test('closing a month reports progress, and is refused while statements are open', async () => {
  await february()
  const { rows: open } = await house.database.pool.query("select id from statement where stage = 'generated'")
  const { result: parameter } = await house.admin.get('/setting/parameter/detail')
  const closing = async (closedMonth: string) => {
    const { id, revision } = parameter
    const request = { id, revision, values: { closedMonth } }
    const { status, result } = await house.admin.post('/setting/parameter/update', request, { prefer: 'respond-async' })
    expect(status).toBe(202)
    await createCallWorker(house.runtime).drain()
    return (await house.admin.get(`/jobs/${result.job.id}`)).result
  }
  expect(await closing('2026-02')).toMatchObject({
    state: 'refused',
    refusal: { code: 422, errors: [{ field: 'closedMonth', message: expect.stringContaining('份账单未确认') }] },
  })
  for (const { id } of open)
    await house.admin.post(`${statements}/void`, { id, values: { voidReason: '费用有误，重新出账' } })
  expect(await closing('2026-02')).toMatchObject({ state: 'done', result: { revision: parameter.revision + 1 } })
  expect((await house.admin.get('/setting/parameter/detail')).result.closedMonth).toBe('2026-02')
})

test.skipIf(!isLong)('costs after the closing are billed in the first open month', async () => {
  const [clerk, manager] = [
    await house.user('paying', ['payrollClerk']),
    await house.user('deciding', ['financeManager']),
  ]
  const customer = await paid(house, {}, { terms: { startDate: '2025-06-01' } })
  await deliver(house, customer, [{ person: customer.people[0], feeItem: 'pension', amount: '100.00' }])
  await generate(house.admin, [customer.customer])
  await confirmStatement(house, (await statementsOf(house, customer.customer))[0].id!)
  await close('2026-03')
  await approve(house, customer.payroll, { clerk, manager })
  const benefit = {
    customer: customer.customer,
    serviceContract: customer.contract,
    person: customer.people[0],
    benefitType: 'heating',
    itemName: '采暖补贴',
    quantity: 1,
    unitPrice: '500',
    companyAmount: '500',
  }
  const give = (feeMonth: string) =>
    house.admin.post('/welfare/otherBenefit/create', { values: { ...benefit, feeMonth } })
  expect((await give('2026-03')).errors).toMatchObject([{ field: 'feeMonth' }])
  expect(await give('2026-04')).toMatchObject({ code: 1 })
  const again = await generate(house.admin, [customer.customer])
  expect(JSON.stringify(again)).toContain('已关账')
  await generate(house.admin, [customer.customer], '2026-04', { wageMonth: '2026-03' })
  expect(
    (await statementsOf(house, customer.customer)).map((statement) => [
      statement.billMonth,
      statement.wageAmount,
      statement.socialAmount,
    ]),
  ).toEqual([
    ['2026-03', '0.00', '100.00'],
    ['2026-04', '12000.00', '0.00'],
  ])
  await close(null)
})

test('the closed month only moves forward', async () => {
  await close('2026-03')
  const set = async (closedMonth: string | null) => {
    const { id, revision } = (await house.admin.get('/setting/parameter/detail')).result
    return house.admin.post('/setting/parameter/update', { id, revision, values: { closedMonth } })
  }
  expect((await set('2026-02')).errors).toMatchObject([{ field: 'closedMonth' }])
  expect((await set(null)).errors).toMatchObject([{ field: 'closedMonth' }])
  await close(null)
})
