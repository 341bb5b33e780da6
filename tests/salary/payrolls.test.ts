import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import { batch, importFile, planOf, workbook, worker } from '../importing.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { type BilledCustomer, billedCustomer, deliver, generate, sample, statementsOf } from '../statement.ts'
import {
  act,
  approve,
  deductions,
  edit,
  linesOf,
  paid,
  payroll,
  payrollFor,
  payrollLines,
  payrolls,
  wageUsers,
} from './salary.ts'

let house: TestServer
let clerk: Client
let manager: Client
beforeAll(async () => {
  house = await createTestServer()
  ;[clerk, manager] = await wageUsers(house)
})
afterAll(() => house?.close())

const costs = async (customer: number): Promise<RecordData[]> =>
  (
    await house.admin.get('/settlement/costLine/list', { filters: { customer: { equals: customer } }, size: 100 })
  ).result.list.sort((a: RecordData, b: RecordData) => a.id! - b.id!)
const journal = async (filters: object): Promise<RecordData[]> =>
  (await house.admin.get('/salary/salaryJournal/list', { filters, size: 100 })).result.list.sort(
    (a: RecordData, b: RecordData) => a.id! - b.id!,
  )

const approved = (customer: { payroll: number }) => approve(house, customer.payroll, { clerk, manager })

describe('a payroll', () => {
  test('starts with all employees, is calculated, and returns to draft when a line changes', async () => {
    const { payroll: id, people } = await paid(house)
    expect(await payroll(house, id)).toMatchObject({
      batchNo: expect.stringMatching(/^XZ20260315\d{4}$/),
      status: 'draft',
      headcount: 2,
      grossTotal: '12000.00',
      source: 'active',
      incomeType: 'wage',
      taxSubject: 'provider',
      withholdingAgent: '示范派遣有限公司',
    })
    const [first] = await linesOf(house, id)
    expect(first).toMatchObject({
      person: { id: people[0] },
      baseSalary: '6000.00',
      grossPay: '6000.00',
      lineStatus: 'normal',
    })
    expect(
      await edit(house, first, {
        baseSalary: '26000',
        performancePay: '2000',
        mealAllowance: '300',
        afterTaxDeduct: '100',
      }),
    ).toMatchObject({ code: 1 })
    expect(await act(house, id, 'calculate', undefined, clerk)).toMatchObject({ code: 1 })
    expect(await payroll(house, id)).toMatchObject({
      status: 'calculated',
      grossTotal: '34300.00',
      taxTotal: '399.00',
      netTotal: '33801.00',
      costTotal: '34300.00',
      warningCount: 2,
    })
    expect((await linesOf(house, id))[0]).toMatchObject({
      cumIncome: '28300.00',
      cumBasic: '15000.00',
      cumStatutory: '0.00',
      cumTaxable: '13300.00',
      taxRate: '3.0000',
      cumTax: '399.00',
      currentTax: '399.00',
      netPay: '27801.00',
      laborCost: '28300.00',
      warnings: ['noCard', 'noDeduction', 'noWelfare'],
    })
    expect(await edit(house, first, { remark: '补发绩效' })).toMatchObject({ code: 1 })
    expect(await payroll(house, id)).toMatchObject({ status: 'draft' })
    expect(
      (await journal({ payrollLine: { equals: first.id } })).map(({ action, amountBefore, amountAfter }) => [
        action,
        amountBefore,
        amountAfter,
      ]),
    ).toEqual([
      ['edit', '6000.00', '28200.00'],
      ['edit', '27801.00', '27801.00'],
    ])
    expect(
      (await journal({ payroll: { equals: id }, subject: { in: ['payroll'] } })).map(({ action, statusAfter }) => [
        action,
        statusAfter,
      ]),
    ).toEqual([
      ['create', 'draft'],
      ['calculate', 'calculated'],
    ])
  })

  test('has the basic deduction in force in its tax year', async () => {
    const law = (value: string, effectiveFrom: string) => ({ kind: 'basicDeduction', value, effectiveFrom })
    const parameter = '/setting/parameter'
    const { id, revision } = (await house.admin.get(`${parameter}/detail`)).result
    const values = { lawRates: [law('7000', '2027-01-01'), law('6000', '2026-01-01')] }
    expect(await house.admin.post(`${parameter}/update`, { id, revision, values })).toMatchObject({ code: 1 })
    const basic = async () => {
      const payer = await paid(house, {}, { heads: 1 })
      await act(house, payer.payroll, 'calculate')
      return (await linesOf(house, payer.payroll))[0].cumBasic
    }
    const months = Number(await basic()) / 6000
    expect([1, 2, 3]).toContain(months)
    const now = (await house.admin.get(`${parameter}/detail`)).result.revision
    expect(
      await house.admin.post(`${parameter}/update`, {
        id,
        revision: now,
        values: { lawRates: [law('7000', '2027-01-01')] },
      }),
    ).toMatchObject({ code: 1 })
    expect(await basic()).toBe(`${5000 * months}.00`)
  })

  test("deducts the year's special deductions and the tax withheld before", async () => {
    const {
      payroll: id,
      people: [person],
      ...customer
    } = await paid(
      house,
      { payrollMonth: '2026-01', planPayDate: '2026-02-16', taxMonth: '2026-02', welfareMonth: '2026-01' },
      { heads: 1 },
    )
    for (const [taxMonth, cumChildEducation] of [
      ['2026-02', '4000'],
      ['2026-03', '6000'],
    ])
      await house.create(deductions, { person, taxMonth, cumChildEducation })
    await edit(house, (await linesOf(house, id))[0], { baseSalary: '20000' })
    await approved({ payroll: id })
    expect((await linesOf(house, id))[0]).toMatchObject({
      cumBasic: '10000.00',
      cumSpecial: '4000.00',
      cumTaxable: '6000.00',
      currentTax: '180.00',
    })
    const next = await payrollFor(house, { ...customer, people: [person] })
    await edit(house, (await linesOf(house, next))[0], { baseSalary: '20000' })
    await act(house, next, 'calculate')
    expect((await linesOf(house, next))[0]).toMatchObject({
      cumIncome: '40000.00',
      cumBasic: '15000.00',
      cumSpecial: '6000.00',
      cumTaxable: '19000.00',
      cumTax: '570.00',
      cumPaidTax: '180.00',
      currentTax: '390.00',
      warnings: ['noCard', 'noWelfare'],
    })
    expect(await act(house, id, 'unapprove', undefined, manager)).toMatchObject({ code: 1 })
    expect(await act(house, next, 'submit', undefined, clerk)).toMatchObject({
      code: 409,
      message: expect.stringContaining('尚未审核'),
    })
  })

  test.runIf(isLong)('an annual bonus is taxed separately, once a year', async () => {
    const { payroll: id, ...customer } = await paid(house, { incomeType: 'annualBonus' }, { heads: 1 })
    const [line] = await linesOf(house, id)
    expect(line).toMatchObject({ baseSalary: '0.00' })
    await edit(house, line, { bonus: '36001' })
    await approved({ payroll: id })
    expect((await linesOf(house, id))[0]).toMatchObject({
      currentTax: '3390.10',
      netPay: '32610.90',
      taxRate: '10.0000',
      quickDeduction: '210.00',
    })
    const again = await payrollFor(house, customer, { incomeType: 'annualBonus' })
    expect(await act(house, again, 'calculate')).toMatchObject({
      code: 409,
      message: expect.stringContaining('本年度已使用全年一次性奖金计税'),
    })
  })

  test('a second annual bonus of a year is refused, even with an earlier tax month', async () => {
    const values = { incomeType: 'annualBonus' }
    const { payroll: id, ...customer } = await paid(house, values, { heads: 1 })
    await edit(house, (await linesOf(house, id))[0], { bonus: '36000' })
    await approved({ payroll: id })
    const again = await payrollFor(house, customer, { ...values, planPayDate: '2026-02-16', taxMonth: '2026-02' })
    await edit(house, (await linesOf(house, again))[0], { bonus: '36000' })
    expect(await act(house, again, 'calculate')).toMatchObject({
      code: 409,
      message: expect.stringContaining('本年度已使用全年一次性奖金计税'),
    })
    const next = { ...values, planPayDate: '2025-12-16', taxMonth: '2025-12' }
    expect(await act(house, await payrollFor(house, customer, next), 'calculate')).toMatchObject({ code: 1 })
  })

  test('a negative net pay is not submitted; held lines count and removed ones do not', async () => {
    const { payroll: id } = await paid(house)
    const [first, second] = await linesOf(house, id)
    await edit(house, first, { afterTaxDeduct: '7000' })
    await act(house, id, 'calculate')
    expect((await linesOf(house, id))[0].warnings).toContain('netNegative')
    expect(await act(house, id, 'submit', undefined, clerk)).toMatchObject({
      code: 409,
      message: expect.stringContaining('实发为负'),
    })
    expect(await house.admin.post(`${payrollLines}/remove`, { id: first.id })).toMatchObject({ code: 1 })
    expect(await house.admin.post(`${payrollLines}/hold`, { id: second.id })).toMatchObject({ code: 1 })
    expect(await payroll(house, id)).toMatchObject({ status: 'draft', headcount: 1, netTotal: '6000.00' })
  })

  test('nobody approves their own submission', async () => {
    const { payroll: id } = await paid(house)
    await act(house, id, 'calculate')
    await act(house, id, 'submit')
    expect(await act(house, id, 'approve')).toMatchObject({
      code: 409,
      message: expect.stringContaining('不能审核本人提交的批次'),
    })
    expect(await act(house, id, 'approve', undefined, clerk)).toMatchObject({ code: 403 })
    expect(await act(house, id, 'reject', { rejectReason: '考勤有误' }, manager)).toMatchObject({ code: 1 })
    expect(await payroll(house, id)).toMatchObject({ status: 'rejected', rejectReason: '考勤有误' })
  })
})

describe('approval', () => {
  test('delivers wages as costs for a statement; unapproving is refused if that would be left empty', async () => {
    const customer = await paid(house)
    const [first] = await linesOf(house, customer.payroll)
    await edit(house, first, { baseSalary: '26000' })
    await approved(customer)
    const { batchNo } = await payroll(house, customer.payroll)
    expect(
      (await costs(customer.customer)).map(({ feeItem, party, amount, costMonth, sourceType, sourceId }) => [
        feeItem,
        party,
        amount,
        costMonth,
        sourceType,
        String(sourceId).startsWith(String(batchNo)),
      ]),
    ).toEqual([
      ['grossWage', 'company', '26000.00', '2026-02', 'payroll', true],
      ['incomeTax', 'personal', '330.00', '2026-02', 'payroll', true],
      ['grossWage', 'company', '6000.00', '2026-02', 'payroll', true],
    ])
    expect(await generate(house.admin, [customer.customer])).toMatchObject({ code: 1, result: { succeeded: 1 } })
    expect(await statementsOf(house, customer.customer)).toMatchObject([{ wageAmount: '32000.00' }])
    expect(await act(house, customer.payroll, 'unapprove', undefined, clerk)).toMatchObject({ code: 403 })
    expect(await act(house, customer.payroll, 'unapprove', undefined, manager)).toMatchObject({
      code: 409,
      message: expect.stringContaining('没有待出账的费用'),
    })
    expect(await costs(customer.customer)).toHaveLength(3)
  })

  test('unapproving before billing removes the costs', async () => {
    const customer = await paid(house)
    await approved(customer)
    expect(await act(house, customer.payroll, 'unapprove', undefined, manager)).toMatchObject({ code: 1 })
    expect(await costs(customer.customer)).toEqual([])
    expect(await payroll(house, customer.payroll)).toMatchObject({ status: 'calculated', approver: null })
  })

  test.skipIf(!isLong)('unapproving removes the wages from an open statement that has other costs', async () => {
    const customer = await paid(house)
    const insurance = sample(customer.people).filter(({ feeItem }) => feeItem !== 'grossWage')
    await deliver(house, customer, insurance)
    await approved(customer)
    expect(await generate(house.admin, [customer.customer])).toMatchObject({ code: 1, result: { succeeded: 1 } })
    const [before] = await statementsOf(house, customer.customer)
    expect(before).toMatchObject({ wageAmount: '12000.00', stage: 'generated' })
    expect(await act(house, customer.payroll, 'unapprove', undefined, manager)).toMatchObject({ code: 1 })
    expect(await costs(customer.customer)).toHaveLength(insurance.length)
    const after = await statementsOf(house, customer.customer)
    expect(after).toMatchObject([{ id: before.id, wageAmount: '0.00', stage: 'generated' }])
    expect(Number(after[0].totalAmount)).toBeGreaterThan(0)
    await approved(customer)
    expect(await statementsOf(house, customer.customer)).toMatchObject([
      { id: before.id, wageAmount: '12000.00', totalAmount: before.totalAmount },
    ])
  })
})

test('payrolls of one tax month are taken back in reverse order of approval, whichever was created first', async () => {
  const next = { planPayDate: '2026-04-16', taxMonth: '2026-04' }
  const { payroll: first, ...customer } = await paid(house, next, { heads: 1 })
  const second = await payrollFor(house, customer, { name: '二月补发' })
  for (const [id, baseSalary] of [
    [first, '6000'],
    [second, '30000'],
  ] as const)
    expect(await edit(house, (await linesOf(house, id))[0], { baseSalary })).toMatchObject({ code: 1 })
  await approved({ payroll: second })
  expect((await linesOf(house, second))[0]).toMatchObject({ currentTax: '450.00' })
  const on = (day: string) => Object.assign(house.runtime, { clock: clockOn(day) })
  on('2026-03-16')
  try {
    const { revision, batchNo } = await payroll(house, first)
    const values = { planPayDate: '2026-03-16', taxMonth: '2026-03' }
    expect(await house.admin.post(`${payrolls}/update`, { id: first, revision, values })).toMatchObject({ code: 1 })
    await approved({ payroll: first })
    expect((await linesOf(house, first))[0]).toMatchObject({ cumIncome: '36000.00', currentTax: '180.00' })
    expect(await act(house, second, 'unapprove', undefined, manager)).toMatchObject({
      code: 409,
      message: `之后的批次${batchNo}已审核，其个税以本批次为基础`,
    })
    for (const id of [first, second])
      expect(await act(house, id, 'unapprove', undefined, manager)).toMatchObject({ code: 1 })
  } finally {
    on('2026-03-15')
  }
})

describe('outdated calculations', () => {
  const raised = async (id: number, baseSalary: string) =>
    expect(await edit(house, (await linesOf(house, id))[0], { baseSalary })).toMatchObject({ code: 1 })
  const last = { payrollMonth: '2026-01', planPayDate: '2026-03-10', taxMonth: '2026-03', welfareMonth: '2026-01' }

  test.skipIf(!isLong)('another approved payroll makes a calculation outdated, until it is recalculated', async () => {
    const { payroll: first, ...customer } = await paid(house, {}, { heads: 1 })
    const second = await payrollFor(house, customer, last)
    for (const id of [first, second]) {
      await raised(id, '27100')
      expect(await act(house, id, 'calculate', undefined, clerk)).toMatchObject({ code: 1 })
    }
    expect(await act(house, first, 'submit', undefined, clerk)).toMatchObject({ code: 1 })
    expect(await act(house, first, 'approve', undefined, manager)).toMatchObject({ code: 1 })
    expect(await act(house, second, 'submit', undefined, clerk)).toMatchObject({
      code: 409,
      message: '员工甲（本期个税363.00应为1037.00）的计算依据已变化，请重新计算',
    })
    await approved({ payroll: second })
    expect((await linesOf(house, second))[0]).toMatchObject({ cumIncome: '54200.00', cumPaidTax: '363.00' })
  })

  test('a change while approval is pending is noticed at the approval', async () => {
    const {
      payroll: id,
      people: [person],
    } = await paid(house, {}, { heads: 1 })
    await raised(id, '27100')
    await act(house, id, 'calculate', undefined, clerk)
    expect(await act(house, id, 'submit', undefined, clerk)).toMatchObject({ code: 1 })
    await house.create(deductions, { person, taxMonth: '2026-03', cumChildEducation: '6000' })
    expect(await act(house, id, 'approve', undefined, manager)).toMatchObject({
      code: 409,
      message: '员工甲（本期个税363.00应为183.00）的计算依据已变化，请驳回后重新计算',
    })
    await act(house, id, 'reject', { rejectReason: '重新计算' }, manager)
    await approved({ payroll: id })
  })

  test('of two waiting payrolls the earlier tax month comes first, whatever the order of creation', async () => {
    const { payroll: march, ...customer } = await paid(house, {}, { heads: 1 })
    const february = await payrollFor(house, customer, { ...last, planPayDate: '2026-02-16', taxMonth: '2026-02' })
    for (const id of [march, february]) await act(house, id, 'calculate', undefined, clerk)
    expect(await act(house, march, 'submit', undefined, clerk)).toMatchObject({
      code: 409,
      message: expect.stringContaining('尚未审核'),
    })
    expect(await act(house, february, 'submit', undefined, clerk)).toMatchObject({ code: 1 })
  })
})

test("an imported row with absent days gets the form's deduction; a stored one stays, with a hint", async () => {
  const {
    payroll: id,
    people: [person],
  } = await paid(house, {}, { heads: 1 })
  const { batchNo } = await payroll(house, id)
  const { name, idNumber } = (await house.admin.get('/staff/person/detail', { id: person })).result
  const imported = async (cells: Record<string, string>) => {
    const plan = planOf(house, 'payrollLineImport')
    const row = { payroll: String(batchNo), personName: String(name), person: String(idNumber), ...cells }
    const path = '/salary/payrollLineImport'
    const made = await importFile(house, await workbook(plan, [row], 'cn'), { path, name: '工资.xlsx' })
    await worker(house).drain()
    expect(await house.admin.post(`${path}/write`, { id: made })).toMatchObject({ code: 1 })
    await worker(house).drain()
    expect(await batch(house, made, house.admin, path)).toMatchObject({ failCount: 0 })
    return (await house.admin.get(`${path}Row/list`, { filters: { batch: { equals: made } } })).result.list[0]
  }
  await imported({ workDays: '22', actualDays: '17', baseSalary: '5650.00' })
  expect((await linesOf(house, id))[0]).toMatchObject({ absenceDeduction: '1298.85', grossPay: '4351.15' })
  const row = await imported({ actualDays: '18' })
  expect((await linesOf(house, id))[0]).toMatchObject({ absenceDeduction: '1298.85', actualDays: '18.0' })
  expect(JSON.stringify(row)).toContain('请核对')
})

test.skipIf(!isLong)('a rehire by the same agent within the year continues the months of basic deduction', async () => {
  const { payroll: first, ...own } = await paid(house, { planPayDate: '2026-02-16', taxMonth: '2026-02' }, { heads: 1 })
  const [id] = own.people
  expect(await edit(house, (await linesOf(house, first))[0], { baseSalary: '10000' })).toMatchObject({ code: 1 })
  await approved({ payroll: first })
  const post = async (action: string, values?: object) =>
    expect(await house.admin.post(`/staff/person/${action}`, { id, ...(values && { values }) })).toMatchObject({
      code: 1,
    })
  await post('leave', { leaveDate: '2026-03-05', leaveReason: 'resignation' })
  await post('close')
  await post('rehire', { entryDate: '2026-03-09' })
  const again = await payrollFor(house, own, {
    payrollMonth: '2026-03',
    planPayDate: '2026-04-16',
    taxMonth: '2026-04',
  })
  expect(await edit(house, (await linesOf(house, again))[0], { baseSalary: '25000' })).toMatchObject({ code: 1 })
  expect(await act(house, again, 'calculate', undefined, clerk)).toMatchObject({ code: 1 })
  expect((await linesOf(house, again))[0]).toMatchObject({
    cumIncome: '35000.00',
    cumBasic: '20000.00',
    currentTax: '450.00',
  })
})

test.skipIf(!isLong)('a leaver rehired elsewhere is paid for the month and counts on both statements', async () => {
  const { payroll: first, ...own } = await paid(house, {}, { heads: 2 })
  const [stays, goes] = own.people
  const wage = (await linesOf(house, first)).find(({ person }) => (person as { id: number } | null)?.id === goes)!
  expect(await edit(house, wage, { baseSalary: '10000' })).toMatchObject({ code: 1 })
  await approved({ payroll: first })
  const generated = async ({ customer }: { customer: number }, billMonth: string, wageMonth: string) => {
    await generate(house.admin, [customer], billMonth, { wageMonth })
    return (await statementsOf(house, customer))[0]
  }
  const before = await generated(own, '2026-03', '2026-02')
  expect(before).toMatchObject({ headcount: 2 })

  const other = await billedCustomer(house, { heads: 0 })
  const post = async (action: string, values?: object) =>
    expect(await house.admin.post(`/staff/person/${action}`, { id: goes, ...(values && { values }) })).toMatchObject({
      code: 1,
    })
  await post('leave', { leaveDate: '2026-03-10', leaveReason: 'resignation' })
  await post('close')
  const { customer, contract: serviceContract } = other
  await post('rehire', { customer, serviceContract, agency: own.agency, entryDate: '2026-04-01', baseSalary: '8000' })
  expect(await house.admin.post('/settlement/statement/regenerate', { id: before.id! })).toMatchObject({ code: 1 })
  expect((await statementsOf(house, own.customer))[0]).toMatchObject({ serviceFeeAmount: before.serviceFeeAmount })

  const people = async (employer: typeof own, payrollMonth: string) =>
    (await linesOf(house, await payrollFor(house, { ...employer, agency: own.agency }, { payrollMonth }))).map(
      ({ person, baseSalary }) => [(person as unknown as { id: number }).id, baseSalary],
    )
  expect(await people(own, '2026-03')).toEqual([
    [stays, expect.any(String)],
    [goes, '10000.00'],
  ])
  expect(await people(own, '2026-04')).toEqual([[stays, expect.any(String)]])
  expect(await people(other, '2026-03')).toEqual([])
})

test.skipIf(!isLong)('December wages paid in the year of a rehire count the months of that year', async () => {
  const own = await billedCustomer(house, { heads: 1 })
  const [id] = own.people
  const post = async (action: string, values?: object) =>
    expect(await house.admin.post(`/staff/person/${action}`, { id, ...(values && { values }) })).toMatchObject({
      code: 1,
    })
  await post('leave', { leaveDate: '2025-12-31', leaveReason: 'resignation' })
  await post('close')
  await post('rehire', { entryDate: '2026-03-02', baseSalary: '9000' })
  const taxed = async (payrollMonth: string, planPayDate: string, taxMonth: string, grossPay: string) => {
    const payroll = await payrollFor(house, own, { payrollMonth, welfareMonth: payrollMonth, planPayDate, taxMonth })
    const [line] = await linesOf(house, payroll)
    expect(await edit(house, line, { baseSalary: grossPay })).toMatchObject({ code: 1 })
    await approved({ payroll })
    return (await linesOf(house, payroll))[0]
  }
  expect(await taxed('2025-12', '2026-02-13', '2026-02', '12000')).toMatchObject({
    cumBasic: '10000.00',
    currentTax: '60.00',
  })
  expect(await taxed('2026-03', '2026-03-31', '2026-03', '9000')).toMatchObject({
    cumIncome: '21000.00',
    cumBasic: '15000.00',
    currentTax: '120.00',
  })
})

test('a bonus after its tax table has expired is refused with a message', async () => {
  const bonus = { incomeType: 'annualBonus', planPayDate: '2028-01-14', taxMonth: '2028-01' }
  const { payroll: id } = await paid(house, bonus, { heads: 1 })
  await edit(house, (await linesOf(house, id))[0], { bonus: '36000' })
  expect(await act(house, id, 'calculate', undefined, clerk)).toMatchObject({
    code: 409,
    message: '2028-01没有生效的税率表“全年一次性奖金”，请先维护税率表，或改用其他所得项目计税',
  })
})

test('the import of wages is offered on the list of payrolls and on an editable payroll', () => {
  const { screens } = house.runtime.derived.catalog
  for (const name of ['payroll.list', 'payroll.detail'])
    expect(JSON.stringify(screens[name])).toContain('/salary/payrollimport')
})

test("the employee's share of a confirmed benefit, and its taxable part, are proposed in wages once", async () => {
  const customer = await billedCustomer(house, { heads: 2 })
  const { contract, people } = customer
  for (const person of people) {
    const values = { feeMonth: '2026-02', customer: customer.customer, serviceContract: contract, person, quantity: 1 }
    const id = await house.create('/welfare/otherBenefit', {
      ...values,
      benefitType: 'checkup',
      itemName: '体检',
      unitPrice: '580',
      companyAmount: '500',
      taxable: true,
    })
    expect(await house.admin.post('/welfare/otherBenefit/confirm', { id })).toMatchObject({ code: 1 })
  }
  const first = await payrollFor(house, customer)
  const proposed = { afterTaxDeduct: '80.00', otherPreTax: '500.00' }
  expect(await linesOf(house, first)).toMatchObject([proposed, proposed])
  const [line] = await linesOf(house, first)
  expect(await house.admin.post(`${payrollLines}/remove`, { id: line.id })).toMatchObject({ code: 1 })
  const second = await payrollFor(house, customer, { name: '二月补发' })
  expect(await linesOf(house, second)).toMatchObject([proposed, { afterTaxDeduct: null, otherPreTax: null }])
})

describe('benefits that change after the payroll was created', () => {
  const given = async ({ customer, contract, people }: BilledCustomer, values: Record<string, Value> = {}) => {
    const id = await house.create('/welfare/otherBenefit', {
      feeMonth: '2026-02',
      customer,
      serviceContract: contract,
      person: people[0],
      quantity: 1,
      benefitType: 'checkup',
      itemName: '体检',
      unitPrice: '580',
      companyAmount: '500',
      taxable: true,
      ...values,
    })
    expect(await decided(id, 'confirm')).toMatchObject({ code: 1 })
    return id
  }
  const decided = (id: number, action: string) => house.admin.post(`/welfare/otherBenefit/${action}`, { id })
  const calculated = async (id: number) => {
    expect(await act(house, id, 'calculate', undefined, clerk)).toMatchObject({ code: 1 })
    return linesOf(house, id)
  }
  const [borne, nothing] = [
    { afterTaxDeduct: '80.00', otherPreTax: '500.00', grossPay: '6500.00' },
    { afterTaxDeduct: null, otherPreTax: null, grossPay: '6000.00' },
  ]

  test('a benefit confirmed or withdrawn meanwhile is followed; amounts typed beside it stay', async () => {
    const { payroll: id, ...customer } = await paid(house, {}, { heads: 1 })
    expect(await calculated(id)).toMatchObject([nothing])
    const benefit = await given(customer)
    expect((await act(house, id, 'submit', undefined, clerk)).message).toContain('80.00')
    expect(await calculated(id)).toMatchObject([borne])
    expect(await calculated(id)).toMatchObject([borne])
    await edit(house, (await linesOf(house, id))[0], { afterTaxDeduct: '100' })
    expect(await calculated(id)).toMatchObject([{ afterTaxDeduct: '100.00' }])
    expect(await act(house, id, 'submit', undefined, clerk)).toMatchObject({ code: 1 })
    expect(await decided(benefit, 'unconfirm')).toMatchObject({ code: 1 })
    expect(await act(house, id, 'approve', undefined, manager)).toMatchObject({ code: 409 })
    expect(await act(house, id, 'reject', { rejectReason: '重新计算' }, manager)).toMatchObject({ code: 1 })
    expect(await calculated(id)).toMatchObject([{ ...nothing, afterTaxDeduct: '20.00' }])
  })

  test.skipIf(!isLong)(
    'a benefit of a voided payroll is in the other payroll of the month, and only there',
    async () => {
      const { payroll: first, ...customer } = await paid(house, {}, { heads: 1 })
      await given(customer)
      const second = await payrollFor(house, customer, { name: '二月补发' })
      expect(await calculated(first)).toMatchObject([nothing])
      expect(await act(house, second, 'void', undefined, clerk)).toMatchObject({ code: 1 })
      expect(await calculated(first)).toMatchObject([borne])
    },
  )

  test.skipIf(!isLong)(
    "a benefit confirmed after the wages of its month are approved is in the customer's next wages",
    async () => {
      const { payroll: february, ...customer } = await paid(house, {}, { heads: 1 })
      await approved({ payroll: february })
      await given(customer)
      await given(customer, { feeMonth: '2026-03', itemName: '年度体检', taxable: false })
      const next = { payrollMonth: '2026-03', welfareMonth: '2026-03', planPayDate: '2026-04-15', taxMonth: '2026-04' }
      const march = await payrollFor(house, customer, next)
      expect(await calculated(march)).toMatchObject([{ afterTaxDeduct: '160.00', otherPreTax: '500.00' }])
      await approved({ payroll: march })
      expect(await calculated(await payrollFor(house, customer, { ...next, name: '三月补发' }))).toMatchObject([
        nothing,
      ])
    },
  )

  test.skipIf(!isLong)(
    'a benefit withdrawn after its wages are approved is refunded once, in the next wages',
    async () => {
      const { payroll: february, ...customer } = await paid(house, {}, { heads: 1 })
      const benefit = await given(customer)
      expect(await calculated(february)).toMatchObject([borne])
      await approved({ payroll: february })
      expect(await decided(benefit, 'unconfirm')).toMatchObject({ code: 1 })
      const next = { payrollMonth: '2026-03', welfareMonth: '2026-03', planPayDate: '2026-04-15', taxMonth: '2026-04' }
      const march = await payrollFor(house, customer, next)
      const [line] = await calculated(march)
      expect(line).toMatchObject({ afterTaxDeduct: '-80.00', benefitDeduct: '-80.00', otherPreTax: '-500.00' })
      const negative = (await edit(house, line, { afterTaxDeduct: '-90' })).errors
      expect(negative?.map(({ field }) => field)).toEqual(['afterTaxDeduct'])
      await approved({ payroll: march })
      for (const payrollMonth of ['2026-03', '2026-02'])
        expect(
          await calculated(await payrollFor(house, customer, { ...next, payrollMonth, name: '补发' })),
          payrollMonth,
        ).toMatchObject([nothing])
    },
  )
})
