/**
 * Samples that practitioners calculated by hand, followed end to end: the same figures on ticket, expense line, payroll
 * and statement.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clockOn } from '../clock.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { employee } from '../contract.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { billedCustomer, generate, items, statementsOf, type BilledCustomer } from '../statement.ts'
import { policyInForce } from '../welfare.ts'
import { act, approve, deductions, edit, linesOf, payroll, payrollFor, wageUsers } from './salary.ts'

let house: TestServer
let clerk: Client
let manager: Client
let own: BilledCustomer
beforeAll(async () => {
  house = await createTestServer()
  ;[clerk, manager] = await wageUsers(house)
  own = await billedCustomer(house, { heads: 0 })
})
afterAll(() => house?.close())

/** Sets the day of the following acts. */
const on = (day: string) => Object.assign(house.runtime, { clock: clockOn(day) })
const detail = async (entity: string, id: number): Promise<RecordData> =>
  (await house.admin.get(`/welfare/${entity}/detail`, { id })).result
const list = async (path: string, filters: object): Promise<RecordData[]> =>
  (await house.admin.get(`${path}/list`, { filters, sort: 'id', size: 200 })).result.list
const policy = (
  kind: string,
  city: string,
  baseFloor: string,
  baseCeiling: string,
  rows: Record<string, RecordData> = {},
  rest: object = {},
) => policyInForce(house, { kind, city, agency: own.agency, limits: { baseFloor, baseCeiling }, items: rows, ...rest })

/** A person of a customer who is in no family yet, because their city is set only after they are hired. */
async function person(
  city: string,
  {
    customer = own,
    ...values
  }: { customer?: BilledCustomer; baseSalary?: string; entryDate?: string; taxStartMonth?: string } = {},
): Promise<number> {
  const { id } = await employee(house, {
    customer: customer.customer,
    agency: customer.agency,
    service: customer.contract,
  })
  const { revision } = (await house.admin.get('/staff/person/detail', { id })).result
  expect(
    await house.admin.post('/staff/person/update', {
      id,
      revision,
      values: { entryDate: '2026-02-01', workCity: city, insuranceCity: city, ...values },
    }),
  ).toMatchObject({ code: 1 })
  return id
}

let numbers = 900_077_770_000
/** The ticket of a successful addition. */
async function added(
  family: string,
  who: number,
  city: string,
  declaredBase: string,
  { startMonth = '2026-03', ...values }: Record<string, Value> = {},
): Promise<RecordData> {
  const id = await house.create(`/welfare/${family}Addition`, {
    person: who,
    city,
    startMonth,
    declaredBase,
    additionType: family === 'accumulationfund' ? 'open' : 'new',
    ...(family === 'socialsecurity' && { workForm: 'contract' }),
    ...values,
  })
  const answer = await house.admin.post(`/welfare/${family}Addition/succeed`, {
    id,
    values: { handleMonth: startMonth, ...(family === 'accumulationfund' && { personalAccountNo: String(++numbers) }) },
  })
  expect(answer, JSON.stringify(answer.errors)).toMatchObject({ code: 1 })
  return detail(`${family}Addition`, id)
}
async function expense(family: string, who: number, feeMonth = '2026-03', { customer } = own): Promise<RecordData> {
  expect(
    await house.admin.post(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth, customer } }),
  ).toMatchObject({ code: 1 })
  return (await list(`/welfare/${family}ExpenseLine`, { person: { equals: who }, feeMonth: { equals: feeMonth } }))[0]
}
/** The ticket and the month's expense line show the same amounts. */
async function contributes(
  family: string,
  city: string,
  declaredBase: string,
  expected: RecordData,
  choices: Record<string, Value> = {},
): Promise<void> {
  const who = await person(city)
  expect(await added(family, who, city, declaredBase, choices), `${city} ${family}: ticket`).toMatchObject(expected)
  expect(await expense(family, who), `${city} ${family}: line`).toMatchObject(expected)
}

test('from gross to net: Beijing, 12 000, one missing day, from the ticket to the statement', async () => {
  const city = '110100'
  await policy('social', city, '6821', '35283', { medical: { companyRate: '9.8' }, seriousIllness: { enabled: true } })
  await policy('fund', city, '2420', '35283')
  const customer = await billedCustomer(house, { heads: 0 })
  const who = await person(city, { customer, baseSalary: '12000', taxStartMonth: '2026-03' })
  await house.create(deductions, { person: who, taxMonth: '2026-03', cumElderlySupport: '1500' })
  const due = {
    socialsecurity: { companyTotal: '2028.00', personalTotal: '1020.00' },
    medicalinsurance: { companyTotal: '1176.00', personalTotal: '243.00' },
    accumulationfund: { companyTotal: '840.00', personalTotal: '840.00' },
  }
  for (const [family, amounts] of Object.entries(due)) {
    expect(
      await added(family, who, city, '12000', family === 'medicalinsurance' ? { seriousIllnessOn: true } : {}),
      family,
    ).toMatchObject(amounts)
    expect(await expense(family, who, '2026-03', customer), family).toMatchObject(amounts)
  }
  const id = await payrollFor(house, customer, { welfareMonth: '2026-03' })
  const [line] = await linesOf(house, id)
  expect(
    await edit(house, line, {
      workDays: '22',
      actualDays: '21',
      performancePay: '2000',
      mealAllowance: '300',
      transportAllowance: '200',
      absenceDeduction: '551.72',
    }),
  ).toMatchObject({ code: 1 })
  await approve(house, id, { clerk, manager })
  expect((await linesOf(house, id))[0]).toMatchObject({
    grossPay: '13948.28',
    socialsecurityPensionPersonal: '960.00',
    socialsecurityUnemploymentPersonal: '60.00',
    medicalinsuranceMedicalPersonal: '240.00',
    medicalinsuranceSeriousIllnessPersonal: '3.00',
    accumulationfundFundPersonal: '840.00',
    accumulationfundSupplementFundPersonal: '0.00',
    lateFeePersonal: '0.00',
    welfarePersonalTotal: '2103.00',
    cumTaxable: '5345.28',
    currentTax: '160.36',
    netPay: '11684.92',
    socialsecurityCompany: '2028.00',
    medicalinsuranceCompany: '1176.00',
    accumulationfundCompany: '840.00',
    welfareCompanyTotal: '4044.00',
    laborCost: '17992.28',
  })
  expect(await payroll(house, id)).toMatchObject({ netTotal: '11684.92', costTotal: '17992.28' })
  expect(await generate(house.admin, [customer.customer])).toMatchObject({ code: 1, result: { succeeded: 1 } })
  const [statement] = await statementsOf(house, customer.customer)
  const sum = (party: string) =>
    items(house, statement.id!).then(
      (rows) =>
        rows
          .filter((row) => row.party === party && row.feeItem !== 'serviceFee')
          .reduce((total, { amount }) => total + Math.round(Number(amount) * 100), 0) / 100,
    )
  expect(await sum('personal'), 'welfare and tax').toBe(2103 + 160.36)
  expect(await sum('company')).toBe(17992.28)
})

test('the form shows the same amounts while it is filled in, and stores nothing', async () => {
  const tickets = async () => (await house.admin.get('/welfare/socialsecurityAddition/list', {})).result.total
  const before = await tickets()
  const values = {
    customer: own.customer,
    agency: own.agency,
    householdType: 'localUrban',
    workCity: '110100',
    insuranceCity: '110100',
    workerKind: 'regular',
    employmentForm: 'dispatch',
    entryDate: '2026-03-01',
    baseSalary: '12000',
  }
  const shown = async (more: Record<string, Value> = {}): Promise<RecordData> =>
    (
      await house.admin.post('/staff/person/suggest', {
        values: { ...values, ...more },
        typed: ['baseSalary'],
        parameters: { type: 'add' },
      })
    ).result.values
  expect(await shown()).toMatchObject({
    socialsecurityCompanyPreview: '2028.00',
    socialsecurityPersonalPreview: '1020.00',
    medicalinsuranceCompanyPreview: '1176.00',
    medicalinsurancePersonalPreview: '240.00',
    accumulationfundCompanyPreview: '840.00',
    accumulationfundPersonalPreview: '840.00',
  })
  expect(
    await shown({
      socialsecurityDeclaredBase: '5000',
      medicalinsuranceNeeded: false,
      accumulationfundFundCompanyRate: '12',
    }),
  ).toMatchObject({
    socialsecurityCompanyPreview: '1152.75',
    socialsecurityPersonalPreview: '579.79',
    medicalinsuranceCompanyPreview: null,
    accumulationfundPersonalPreview: '1440.00',
  })
  const { baseSalary: _unknown, ...rest } = values
  expect(
    (
      await house.admin.post('/staff/person/suggest', {
        values: rest,
        typed: ['workCity'],
        parameters: { type: 'add' },
      })
    ).result.values,
    'no base yet',
  ).toMatchObject({ socialsecurityCompanyPreview: null })
  expect(await shown({ insuranceCity: '320500' }), 'no policy there').toMatchObject({
    socialsecurityCompanyPreview: null,
    accumulationfundCompanyPreview: null,
  })
  expect(await tickets()).toBe(before)
})

test('contributions of a month in the cities of the samples', async () => {
  const halfUp = { companyRound: 'ceil1', personalRound: 'ceil1' }
  await policy('social', '310100', '7384', '36921', {
    pension: halfUp,
    unemployment: halfUp,
    workInjury: { ...halfUp, companyRate: '0.26' },
    medical: { ...halfUp, companyRate: '9' },
    seriousIllness: { enabled: false },
  })
  await policy('social', '440300', '4492', '27501', {
    unemployment: { companyRate: '0.8', personalRate: '0.2', baseFloor: '2360', baseCeiling: '41190' },
  })
  await contributes('socialsecurity', '110100', '5000', {
    pensionCompany: '1091.36',
    pensionPersonal: '545.68',
    unemploymentCompany: '34.11',
    unemploymentPersonal: '34.11',
    workInjuryCompany: '27.28',
  })
  await contributes('socialsecurity', '110100', '8000', {
    pensionCompany: '1280.00',
    pensionPersonal: '640.00',
    unemploymentCompany: '40.00',
    unemploymentPersonal: '40.00',
    workInjuryCompany: '32.00',
  })
  await contributes('medicalinsurance', '110100', '8000', { medicalCompany: '784.00', medicalPersonal: '160.00' })
  await contributes('socialsecurity', '310100', '7000', {
    pensionCompany: '1181.50',
    pensionPersonal: '590.80',
    unemploymentCompany: '37.00',
    unemploymentPersonal: '37.00',
    workInjuryCompany: '19.20',
  })
  await contributes('medicalinsurance', '310100', '7000', { medicalCompany: '664.60', medicalPersonal: '147.70' })
  await contributes('socialsecurity', '440300', '4000', {
    pensionBase: '4492.00',
    unemploymentBase: '4000.00',
    pensionCompany: '718.72',
    pensionPersonal: '359.36',
    unemploymentCompany: '32.00',
    unemploymentPersonal: '8.00',
  })
  await contributes(
    'accumulationfund',
    '110100',
    '8765',
    { fundCompany: '1052.00', fundPersonal: '1052.00' },
    { fundCompanyRate: '12' },
  )
  await contributes(
    'accumulationfund',
    '110100',
    '40000',
    { fundCompany: '4234.00', fundPersonal: '4234.00' },
    { fundCompanyRate: '12' },
  )
})

test('fund contributions beyond the cap are paid but not tax-deductible: Hangzhou, 45 000', async () => {
  const city = '330100'
  await policy('fund', city, '2490', '39530', {}, { avgMonthlyWage: '8311' })
  const customer = await billedCustomer(house, { heads: 0 })
  const who = await person(city, { customer, baseSalary: '45000' })
  expect(await added('accumulationfund', who, city, '45000', { fundCompanyRate: '12' })).toMatchObject({
    fundPersonal: '4744.00',
  })
  await expense('accumulationfund', who, '2026-03', customer)
  const id = await payrollFor(house, customer, { welfareMonth: '2026-03' })
  await act(house, id, 'calculate')
  expect((await linesOf(house, id))[0]).toMatchObject({
    accumulationfundFundPersonal: '4744.00',
    welfarePersonalTotal: '4744.00',
    statutory: '2992.00',
    cumStatutory: '2992.00',
  })
})

test('beyond the cap, a difference adds no deduction, and a refund takes back the original one', async () => {
  const city = '510100'
  await policy('fund', city, '2490', '39530', {}, { avgMonthlyWage: '8311' })
  const customer = await billedCustomer(house, { heads: 0 })
  const who = await person(city, { customer, baseSalary: '30000' })
  const family = 'accumulationfund'
  expect(await added(family, who, city, '30000', { fundCompanyRate: '12' })).toMatchObject({ fundPersonal: '3600.00' })
  const confirmed = async (month: string) => {
    const { summary } = await expense(family, who, month, customer)
    const { id } = summary as unknown as { id: number }
    expect(await house.admin.post(`/welfare/${family}ExpenseSummary/confirm`, { id })).toMatchObject({ code: 1 })
  }
  const handled = async (entity: string, values: Record<string, Value>, handleMonth: string) => {
    const id = await house.create(`/welfare/${family}${entity}`, { person: who, ...values })
    expect(
      await house.admin.post(`/welfare/${family}${entity}/succeed`, { id, values: { handleMonth } }),
    ).toMatchObject({ code: 1 })
  }
  const withheld = async (welfareMonth: string) => {
    const id = await payrollFor(house, customer, { welfareMonth, payrollMonth: welfareMonth, incomeType: 'wage' })
    expect(await act(house, id, 'calculate')).toMatchObject({ code: 1 })
    return (await linesOf(house, id))[0]
  }
  await confirmed('2026-03')
  on('2026-04-10')
  await handled('Adjustment', { adjustType: 'midyear', newBase: '35000', effectiveMonth: '2026-03' }, '2026-04')
  await expense(family, who, '2026-04', customer)
  expect(await withheld('2026-04')).toMatchObject({ welfarePersonalTotal: '4800.00', statutory: '2992.00' })
  await confirmed('2026-04')
  on('2026-05-10')
  await handled('Reduction', { reductionReason: 'seal', lastMonth: '2026-03' }, '2026-05')
  expect(await withheld('2026-05')).toMatchObject({ welfarePersonalTotal: '-4200.00', statutory: '-2992.00' })
  on('2026-03-15')
})

test('separately taxed income: annual bonus, remuneration, severance above three average wages', async () => {
  const customer = await billedCustomer(house, { heads: 0 })
  const people = [await person('110100', { customer }), await person('110100', { customer })]
  const taxed = async (incomeType: string, amounts: string[]) => {
    const id = await payrollFor(house, customer, { incomeType, payrollMonth: '2026-02' })
    const lines = await linesOf(house, id)
    expect(lines.map(({ person: whom }) => (whom as unknown as { id: number }).id)).toEqual(people)
    for (const [index, bonus] of amounts.entries())
      expect(await edit(house, lines[index], { bonus })).toMatchObject({ code: 1 })
    await approve(house, id, { clerk, manager })
    return linesOf(house, id)
  }
  const taxes = async (incomeType: string, amounts: string[]) =>
    (await taxed(incomeType, amounts)).map(({ currentTax }) => currentTax)
  expect(await taxes('annualBonus', ['36000', '60000'])).toEqual(['1080.00', '5790.00'])
  expect(await taxes('labor', ['3000', '30000'])).toEqual(['440.00', '5200.00'])
  expect(await taxed('severance', ['500000', '600000'])).toMatchObject([
    {
      averageWage: '11761.00',
      exemptIncome: '423396.00',
      cumTaxable: '76604.00',
      currentTax: '5140.40',
      netPay: '494859.60',
      cumExempt: '423396.00',
    },
    { cumTaxable: '176604.00', currentTax: '18400.80' },
  ])
  expect(
    (
      await house.admin.get('/settlement/costLine/list', {
        filters: { customer: { equals: customer.customer }, feeItem: { equals: 'severance' } },
        size: 100,
      })
    ).result.list
      .map(({ amount }: RecordData) => amount)
      .sort(),
  ).toEqual(['500000.00', '600000.00'])
})

test('without a policy in force, severance needs a typed average wage, which stays for later amounts', async () => {
  const customer = await billedCustomer(house, { heads: 0 })
  await person('320500', { customer })
  const id = await payrollFor(house, customer, { incomeType: 'severance' })
  const [line] = await linesOf(house, id)
  await edit(house, line, { bonus: '400000' })
  expect(await act(house, id, 'calculate')).toMatchObject({
    code: 409,
    message: '林晓演的工作城市没有生效的政策，请在明细中填写当地月平均工资',
  })
  await edit(house, line, { averageWage: '10000' })
  expect(await act(house, id, 'calculate')).toMatchObject({ code: 1 })
  expect((await linesOf(house, id))[0]).toMatchObject({
    averageWage: '10000.00',
    exemptIncome: '360000.00',
    cumTaxable: '40000.00',
    currentTax: '1480.00',
  })
  expect(await edit(house, line, { bonus: '100000' })).toMatchObject({ code: 1 })
  await act(house, id, 'calculate')
  expect((await linesOf(house, id))[0]).toMatchObject({
    exemptIncome: '100000.00',
    cumTaxable: '0.00',
    currentTax: '0.00',
  })
})

test('three months are paid back with a late fee by handling day; wages cross 36 000 in May', async () => {
  const city = '120100'
  await policy('social', city, '6821', '35283', {
    pension: { personalRate: '17.5', companyRate: '16' },
    unemployment: { personalRate: '0' },
  })
  const customer = await billedCustomer(house, { heads: 0 })
  const who = await person(city, { customer, baseSalary: '20000', entryDate: '2025-12-01', taxStartMonth: '2025-12' })
  await added('socialsecurity', who, city, '20000', { startMonth: '2026-01' })
  on('2026-06-10')
  try {
    const taxes: Value[] = []
    for (const [index, month] of ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05'].entries()) {
      await expense('socialsecurity', who, month, customer)
      await house.create(deductions, { person: who, taxMonth: month, cumElderlySupport: String(3000 * (index + 1)) })
      const id = await payrollFor(house, customer, {
        payrollMonth: month,
        welfareMonth: month,
        taxMonth: month,
        planPayDate: `${month}-28`,
      })
      await approve(house, id, { clerk, manager })
      const [{ currentTax, cumStatutory }] = await linesOf(house, id)
      taxes.push(currentTax!)
      expect(cumStatutory).toBe((3500 * (index + 1)).toFixed(2))
    }
    expect(taxes).toEqual(['255.00', '255.00', '255.00', '255.00', '710.00'])

    on('2026-04-10')
    const late = await person('110100', { entryDate: '2025-12-01' })
    await added('socialsecurity', late, '110100', '5000', { startMonth: '2026-04' })
    const ticket = await house.create('/welfare/socialsecuritySupplement', {
      person: late,
      fromMonth: '2026-01',
      toMonth: '2026-03',
      base: '5000',
      reason: '入职后漏报',
      lateFeeBearer: 'customer',
    })
    expect(
      await house.admin.post('/welfare/socialsecuritySupplement/succeed', {
        id: ticket,
        values: { handleMonth: '2026-04' },
      }),
    ).toMatchObject({ code: 1 })
    expect(await detail('socialsecuritySupplement', ticket)).toMatchObject({
      months: 3,
      companyTotal: '3458.25',
      personalTotal: '1739.37',
      total: '5197.62',
      lateFee: '116.95',
      payable: '5314.57',
    })
    const { monthly } = await detail('socialsecuritySupplement', ticket)
    expect((monthly as unknown as RecordData[]).map(({ days, lateFee, total }) => [days, lateFee, total])).toEqual([
      [75, '64.97', '1732.54'],
      [44, '38.12', '1732.54'],
      [16, '13.86', '1732.54'],
    ])
    const lines = await list('/welfare/socialsecurityExpenseLine', {
      person: { equals: late },
      expenseType: { equals: 'supplement' },
    })
    expect(
      lines.map(({ belongMonth, lateFee, companyTotal, personalTotal }) => [
        belongMonth,
        lateFee,
        companyTotal,
        personalTotal,
      ]),
    ).toEqual(['116.95', '0.00', '0.00'].map((fee, index) => [`2026-0${index + 1}`, fee, '1152.75', '579.79']))
  } finally {
    on('2026-03-15')
  }
})
