/** Late costs are billed by the open statement, or by the next one if none is open; until then they are listed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { picture, upload } from '../customer.ts'
import { approve, paid, payrollFor } from '../salary/salary.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { billedCustomer, deliver, generate, read, sample, statements, statementsOf } from '../statement.ts'
import { isLong } from '../long.ts'

let house: TestServer
let clerk: Client
let manager: Client
beforeAll(async () => {
  house = await createTestServer()
  clerk = await house.user('payrollone', ['payrollClerk'])
  manager = await house.user('financeone', ['financeManager'])
})
afterAll(() => house?.close())

const confirm = async (id: number) => {
  const { result } = await upload(house, house.admin, 'stamped.png', picture)
  return house.admin.post(`${statements}/confirm`, { id, values: { confirmEvidence: [{ ...result }] as Value } })
}
const unbilled = async (customer: number): Promise<RecordData[]> =>
  (
    await house.admin.get('/settlement/costLine/list', {
      filters: { customer: { equals: customer }, statement: { empty: true } },
    })
  ).result.list
const benefit = async ({ customer, contract, people }: Awaited<ReturnType<typeof billedCustomer>>) => {
  const id = await house.create('/welfare/otherBenefit', {
    feeMonth: '2026-03',
    customer,
    serviceContract: contract,
    person: people[0],
    benefitType: 'heating',
    itemName: '采暖补贴',
    quantity: 1,
    unitPrice: '500',
    companyAmount: '500',
  })
  expect(await house.admin.post('/welfare/otherBenefit/confirm', { id })).toMatchObject({ code: 1 })
}

test('a payroll and a benefit that arrive while the statement is open are billed by it', async () => {
  const customer = await paid(house)
  await deliver(house, customer, [{ person: customer.people[0], feeItem: 'pension', amount: '100.00' }])
  await generate(house.admin, [customer.customer])
  await approve(house, customer.payroll, { clerk, manager })
  await benefit(customer)
  expect(await statementsOf(house, customer.customer)).toMatchObject([
    { wageAmount: '12000.00', socialAmount: '100.00', otherBenefitAmount: '500.00' },
  ])
  expect(await unbilled(customer.customer)).toEqual([])
})

test('after the confirmation they are listed as unbilled, and the next statement bills them', async () => {
  const customer = await paid(house)
  await deliver(house, customer, [{ person: customer.people[0], feeItem: 'pension', amount: '100.00' }])
  await generate(house.admin, [customer.customer])
  const [{ id }] = await statementsOf(house, customer.customer)
  const before = (await read(house, id!)).totalAmount
  expect(await confirm(id!)).toMatchObject({ code: 1 })
  await approve(house, customer.payroll, { clerk, manager })
  await benefit(customer)
  expect(await read(house, id!)).toMatchObject({ totalAmount: before })
  expect(
    (await unbilled(customer.customer)).map(({ feeItem, amount, dueMonth, waitingDays }) => [
      feeItem,
      amount,
      dueMonth,
      Number(waitingDays),
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['grossWage', '6000.00', '2026-03', 14],
      ['welfareGoods', '500.00', '2026-03', 14],
    ]),
  )
  const { supportStaff } = (await house.admin.get('/customer/detail', { id: customer.customer })).result
  const owners = (await unbilled(customer.customer)).map((cost) => cost.supportStaff)
  expect(new Set(owners.map((owner) => JSON.stringify(owner)))).toEqual(new Set([JSON.stringify(supportStaff)]))
  const { columns } = house.runtime.derived.catalog.screens['unbilledCost.list'].body as {
    columns: { field: string }[]
  }
  expect(columns.map(({ field }) => field)).toEqual(expect.arrayContaining(['waitingDays', 'supportStaff']))
  // Users who record a delivery or confirm a statement see the unbilled amount.
  expect(await read(house, id!)).toMatchObject({ unbilledAmount: '12500.00' })
  const { actions, states } = house.runtime.derived.catalog.entities.statement
  for (const form of [actions.send.form, states[0].transitions.confirm.form])
    expect(JSON.stringify(form)).toContain('unbilledAmount')
  await generate(house.admin, [customer.customer], '2026-04', { wageMonth: '2026-03' })
  expect((await statementsOf(house, customer.customer)).at(-1)).toMatchObject({
    billMonth: '2026-04',
    wageAmount: '12000.00',
    otherBenefitAmount: '500.00',
    unbilledAmount: '0.00',
  })
  expect(await unbilled(customer.customer)).toEqual([])
})

test.skipIf(!isLong)('late costs of an ended contract are billed', async () => {
  const customer = await billedCustomer(house, { terms: { startDate: '2025-06-01', endDate: '2026-02-28' } })
  await deliver(house, customer, sample(customer.people))
  await generate(house.admin, [customer.customer], '2026-05', { wageMonth: '2026-04' })
  expect(await statementsOf(house, customer.customer)).toMatchObject([{ wageAmount: '14500.00' }])
})

test.skipIf(!isLong)('of two open statements, the earlier bills late costs', async () => {
  const customer = await billedCustomer(house)
  await deliver(house, customer, sample(customer.people))
  await generate(house.admin, [customer.customer])
  await deliver(house, customer, [
    { person: customer.people[0], feeItem: 'pension', amount: '7.00', costMonth: '2026-04' },
  ])
  await generate(house.admin, [customer.customer], '2026-04', { wageMonth: '2026-03' })
  await approve(house, await payrollFor(house, customer), { clerk, manager })
  expect((await statementsOf(house, customer.customer)).map(({ wageAmount }) => wageAmount)).toEqual([
    '26500.00',
    '0.00',
  ])
})

const closeMonth = async (closedMonth: string, as: Client = house.admin) => {
  const { id, revision } = (await house.admin.get('/setting/parameter/detail')).result
  return as.post('/setting/parameter/update', { id, revision, values: { closedMonth } })
}

test('a month with open statements cannot be closed, and a message reports its unbilled costs', async () => {
  const customer = await billedCustomer(house, { terms: { startDate: '2025-06-01' } })
  const [person] = customer.people
  await deliver(house, customer, [{ person, feeItem: 'pension', amount: '9.00', costMonth: '2026-01' }])
  await generate(house.admin, [customer.customer], '2026-01', { wageMonth: '2025-12' })
  const [{ id, statementNo }] = await statementsOf(house, customer.customer)
  const close = () => closeMonth('2026-01')
  // Sees no customers, and so none of their statements and contracts.
  const functionPermissions = ['setting:parameter:*', 'settlement:statement:view', 'contract:contract:view']
  await house.create('/setting/role', { code: 'closer', name: '关账员', functionPermissions, dataScope: 'self' })
  const stranger = await house.user('strangeone', ['closer'])
  const unnamed = '还有账单未确认（含您无权查看的），请先确认或作废'
  expect((await closeMonth('2026-01', stranger)).errors).toMatchObject([{ message: unnamed }])
  expect((await close()).errors).toMatchObject([
    { field: 'closedMonth', message: expect.stringContaining(String(statementNo)) },
  ])
  await confirm(id!)
  await deliver(house, customer, [{ person, feeItem: 'pension', amount: '7.00', costMonth: '2026-01' }])
  expect(await close()).toMatchObject({ code: 1 })
  const { rows } = await house.database.pool.query(
    "select title->>'cn' as title, content->>'cn' as content from message where type = 'monthClosed'",
  )
  expect(rows[0]).toEqual({ title: '2026-01已关账', content: '未出账的费用将计入之后的账单' })
})

test('a month cannot be closed while a fixed or minimum fee of it is in no statement', async () => {
  const customerWith = (rule: Record<string, Value>) => {
    const feeRules = [{ serviceType: 'dispatch', chargeRule: 'fullMonth', effectiveFrom: '2026-01', ...rule }]
    return billedCustomer(house, {
      heads: 0,
      terms: { startDate: '2025-06-01', feeRules: feeRules as unknown as Value },
    })
  }
  const numberOf = async ({ contract }: { contract: number }) =>
    String((await house.admin.get('/contract/contract/detail', { id: contract })).result.contractNo)
  await customerWith({ feeMode: 'perHead', unitPrice: '120' })
  const [fixed, least, disabled] = [
    await customerWith({ feeMode: 'fixed', fixedAmount: '3000' }),
    await customerWith({ feeMode: 'perHead', unitPrice: '120', minAmount: '500' }),
    await customerWith({ feeMode: 'fixed', fixedAmount: '900' }),
  ]
  await house.database.pool.query(`update customer set "accountStatus" = 'disabled' where id = $1`, [disabled.customer])
  const generateBoth = async () => {
    await generate(house.admin, [fixed.customer, least.customer], '2026-02', { wageMonth: '2026-01' })
    const made = [...(await statementsOf(house, fixed.customer)), ...(await statementsOf(house, least.customer))]
    return made.filter(({ status }) => status === 'generated').map(({ id }) => id!)
  }
  const [first, second] = await generateBoth()
  await confirm(second)
  const voidReason = '费用有误，重新出账'
  expect(await house.admin.post(`${statements}/void`, { id: first, values: { voidReason } })).toMatchObject({ code: 1 })
  const { errors } = await closeMonth('2026-02')
  expect(errors).toMatchObject([{ field: 'closedMonth', message: expect.stringContaining('请先生成') }])
  expect(errors![0].message, 'only the one').toMatch(new RegExp(`1份.*：${await numberOf(fixed)}（2026-02）$`))
  const unnamed = await closeMonth('2026-02', await house.user('strangetwo', ['closer']))
  expect(unnamed.errors).toMatchObject([
    {
      message: expect.stringMatching(
        /^有固定服务费或最低收费的账单未生成（含您无权查看的合同）.*（不应收的用调整冲减）$/,
      ),
    },
  ])
  const [again] = await generateBoth()
  expect(await read(house, again)).toMatchObject({ serviceFeeAmount: '3000.00' })
  await confirm(again)
  expect(await closeMonth('2026-02')).toMatchObject({ code: 1 })
})
