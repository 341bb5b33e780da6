import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { FileValue, Label, RecordData, Value } from '../../engine/model/model.ts'
import { contracts, employee } from '../contract.ts'
import { picture, upload } from '../customer.ts'
import { policyInForce } from '../welfare.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import {
  billedCustomer,
  deliver,
  generate as generateStatements,
  sample,
  statements,
  statementsOf,
  type BilledCustomer,
} from '../statement.ts'

const budgets = '/settlement/budget'
const budgetLines = '/settlement/budgetLine'
let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const generate = (customers: number[], values: Record<string, Value> = {}, as: Client = house.admin) =>
  as.post(`${budgets}/generate`, { values: { month: '2026-03', basis: 'roster', customers, ...values } })
const budgetsOf = async (customer: number): Promise<RecordData[]> =>
  (await house.admin.get(`${budgets}/list`, { filters: { customer: { equals: customer } }, sort: 'month', size: 100 }))
    .result.list
const read = async (id: number): Promise<RecordData> => (await house.admin.get(`${budgets}/detail`, { id })).result
const lines = async (budget: number): Promise<RecordData[]> =>
  (
    await house.admin.get(`${budgetLines}/list`, { filters: { budget: { equals: budget } }, size: 100 })
  ).result.list.sort((a: RecordData, b: RecordData) => a.id! - b.id!)
const journal = async (budget: number): Promise<RecordData[]> =>
  (
    await house.admin.get('/settlement/settlementJournal/list', {
      filters: { budget: { equals: budget } },
      sort: 'occurredAt',
      size: 100,
    })
  ).result.list.sort((a: RecordData, b: RecordData) => a.id! - b.id!)

/** A customer without an earlier statement, with a budget of March. */
async function budgeted(
  options: Parameters<typeof billedCustomer>[1] = {},
  values: Record<string, Value> = {},
): Promise<BilledCustomer & { id: number }> {
  const customer = await billedCustomer(house, options)
  expect(await generate([customer.customer], values)).toMatchObject({ code: 1, result: { succeeded: 1, failed: [] } })
  const [budget] = await budgetsOf(customer.customer)
  return { ...customer, id: budget.id! }
}

async function stated(customer: BilledCustomer): Promise<number> {
  await deliver(house, customer, sample(customer.people))
  expect(await generateStatements(house.admin, [customer.customer])).toMatchObject({
    code: 1,
    result: { succeeded: 1 },
  })
  return (await statementsOf(house, customer.customer))[0].id!
}

async function confirmStatement(id: number): Promise<void> {
  const { result } = await upload(house, house.admin, 'stamped.png', picture)
  const confirmEvidence = [{ ...result, status: 'success' }] as FileValue[] as Value
  expect(await house.admin.post(`${statements}/confirm`, { id, values: { confirmEvidence } })).toMatchObject({
    code: 1,
  })
}

describe('generation', () => {
  test('from the roster: salaries, fee and tax, and the reserve on top in the requested amount', async () => {
    const { id, customer, people } = await budgeted({}, { reserveRate: '5' })
    expect(await read(id)).toMatchObject({
      budgetNo: expect.stringMatching(/^YS202603\d{5}$/),
      customer: { id: customer },
      month: '2026-03',
      basis: 'roster',
      headcount: 2,
      wageAmount: '12000.00',
      socialAmount: '0.00',
      serviceFeeAmount: '240.00',
      taxAmount: '13.44',
      totalAmount: '12253.44',
      requestedAmount: '12866.11',
      taxMethod: 'diffSimple',
      status: 'drafted',
      statement: null,
      actualAmount: null,
      varianceAmount: null,
      varianceRate: null,
    })
    expect(
      (await lines(id)).map(({ lineType, person, workCity, wageAmount, totalAmount, changeKind }) => [
        lineType,
        (person as { id: number }).id,
        workCity,
        wageAmount,
        totalAmount,
        changeKind,
      ]),
    ).toEqual([
      ['person', people[0], '320500', '6000.00', '6126.72', 'joiner'],
      ['person', people[1], '320500', '6000.00', '6126.72', 'joiner'],
    ])
    expect(await journal(id)).toMatchObject([
      {
        subject: 'budget',
        action: 'generate',
        amountBefore: null,
        amountAfter: '12253.44',
        statusAfter: 'drafted',
        ip: '127.0.0.1',
      },
    ])
  })

  test('a first budget has insurance by the policies in force, for enrolled people and joiners', async () => {
    const { agency } = await billedCustomer(house)
    const city = '310100'
    await policyInForce(house, {
      kind: 'fund',
      city,
      agency,
      limits: { baseFloor: '2590', baseCeiling: '36549' },
    })
    const limits = { baseFloor: '7384', baseCeiling: '36921' }
    await policyInForce(house, { kind: 'social', city, agency, limits })
    const customer = await billedCustomer(house, { heads: 0 })
    const { customer: owner, contract: service } = customer
    const terms = { customer: owner, agency, service, values: { workCity: city, baseSalary: '8000' } }
    await employee(house, terms)
    await employee(house, { ...terms, values: { ...terms.values, accumulationfundNeeded: false, baseSalary: '5000' } })
    await generate([owner])
    const [{ id }] = await budgetsOf(owner)
    const found = await lines(id!)
    expect(
      found.map(({ socialAmount, medicalAmount, fundAmount }) => [socialAmount, medicalAmount, fundAmount]),
    ).toEqual([
      ['1352.00', '640.00', '560.00'],
      ['1247.90', '590.72', '0.00'],
    ])
  })

  test('includes employee contributions if no wages are billed with them, as the statement will', async () => {
    const { agency } = await billedCustomer(house)
    const city = '330100'
    const limits = { baseFloor: '4812', baseCeiling: '24930' }
    await policyInForce(house, { kind: 'fund', city, agency, limits })
    await policyInForce(house, { kind: 'social', city, agency, limits })
    const customer = await billedCustomer(house, { heads: 0 })
    const { customer: owner, contract: service } = customer
    const hire = (values: Record<string, Value>) =>
      employee(house, { customer: owner, agency, service, values: { workCity: city, baseSalary: '8000', ...values } })
    await hire({})
    await hire({ employmentForm: 'agency' })
    await hire({ entryDate: '2026-03-02' })
    await generate([owner])
    const [{ id }] = await budgetsOf(owner)
    const columns = ({ wageAmount, socialAmount, medicalAmount, fundAmount }: RecordData) => [
      wageAmount,
      socialAmount,
      medicalAmount,
      fundAmount,
    ]
    // Of 8000, in percent: pension 16 and 8, unemployment 0.5 and 0.5, work injury 0.4; medical 8 and 2; fund 7 and 7.
    const whole = ['0.00', '2032.00', '800.00', '1120.00']
    expect((await lines(id!)).map(columns)).toEqual([['8000.00', '1352.00', '640.00', '560.00'], whole, whole])
  })

  test.skipIf(!isLong)(
    'takes insurance, or everything recurring, from the last statement, and marks changes',
    async () => {
      const customer = await billedCustomer(house)
      await stated(customer)
      await generate([customer.customer], { month: '2026-04' })
      const [{ id }] = await budgetsOf(customer.customer)
      expect(await read(id!)).toMatchObject({
        wageAmount: '12000.00',
        socialAmount: '2450.50',
        medicalAmount: '1377.50',
        fundAmount: '1015.00',
        totalAmount: '17096.44',
      })
      expect((await lines(id!)).map(({ previousAmount, changeKind }) => [previousAmount, changeKind])).toEqual([
        ['10798.72', 'changed'],
        ['8797.72', 'changed'],
      ])
      await generate([customer.customer], { month: '2026-04', basis: 'lastStatement' })
      expect(await read(id!)).toMatchObject({ basis: 'lastStatement', totalAmount: '19596.44' })
      expect((await lines(id!)).map(({ changeKind }) => changeKind)).toEqual(['same', 'same'])
    },
  )

  test.skipIf(!isLong)('includes leavers of the month of wages once, wherever they were rehired', async () => {
    const customer = await billedCustomer(house)
    const { agency, contract, people } = customer
    await stated(customer)
    const [stays, goes] = people
    const other = await billedCustomer(house, { heads: 0 })
    const post = async (person: number, action: string, values?: object) =>
      expect(
        await house.admin.post(`/staff/person/${action}`, { id: person, ...(values && { values }) }),
      ).toMatchObject({ code: 1 })
    await post(goes, 'leave', { leaveDate: '2026-03-10', leaveReason: 'resignation' })
    await post(goes, 'close')
    const rehire = { entryDate: '2026-03-12', baseSalary: '6200', agency }
    await post(goes, 'rehire', { ...rehire, customer: other.customer, serviceContract: other.contract })
    await post(stays, 'leave', { leaveDate: '2026-03-12', leaveReason: 'resignation' })
    await post(stays, 'close')
    await post(stays, 'rehire', { ...rehire, entryDate: '2026-03-14', serviceContract: contract })

    const budgeted = async (owner: number, month: string, basis = 'roster') => {
      await generate([customer.customer, other.customer], { month, basis })
      const { id, headcount } = (await budgetsOf(owner)).find((budget) => budget.month === month)!
      return [
        headcount,
        (await lines(id!)).map(({ person, wageAmount, socialAmount, previousAmount, changeKind }) => [
          (person as { id: number } | null)?.id,
          wageAmount,
          socialAmount,
          previousAmount,
          changeKind,
        ]),
      ]
    }
    // In March, with 31 days, one is employed for 12 and then 18 days; the other for 10, and then for 20 elsewhere.
    expect(await budgeted(customer.customer, '2026-04')).toEqual([
      2,
      [
        [stays, '6000.00', '1352.00', '10798.72', 'changed'],
        [goes, '2000.00', '0.00', '8797.72', 'leaver'],
      ],
    ])
    expect(await budgeted(other.customer, '2026-04')).toEqual([1, [[goes, '4000.00', '0.00', null, 'joiner']]])
    expect(await budgeted(customer.customer, '2026-04', 'lastStatement')).toEqual([
      2,
      [
        [stays, expect.any(String), '1352.00', '10798.72', 'same'],
        [goes, expect.any(String), '1098.50', '8797.72', 'leaver'],
      ],
    ])
  })

  test('regenerates drafts, leaves confirmed budgets, and gives a reason for each one not made', async () => {
    const { id, customer, contract, name } = await budgeted()
    const [line] = await lines(id)
    const foreseen = async (customers: number[]) => {
      const values = { month: '2026-03', basis: 'roster', customers }
      const { result } = await house.admin.post(`${budgets}/generate/foresee`, { values })
      return {
        facts: result.facts.map(({ label, value }: Record<string, Label>) => `${label.cn} ${value.cn}`),
        without: result.lists[1].items.map(({ name: contractName, about }: { name: string; about: Label }) => [
          contractName,
          about.cn,
        ]),
      }
    }
    await house.admin.post(`${budgetLines}/update`, {
      id: line.id,
      revision: line.revision,
      values: { wageAmount: '1.00' },
    })
    const fresh = await billedCustomer(house)
    expect(await foreseen([customer, fresh.customer])).toEqual({
      facts: ['将新建预算 1', '将重算草稿 1', '客户 2', '合计金额 ￥24,506.88', '服务人数 4', '不生成 0'],
      without: [],
    })
    expect(await budgetsOf(fresh.customer)).toEqual([])
    expect((await read(id)).totalAmount).not.toBe('12253.44')
    expect((await generate([customer])).result).toEqual({ succeeded: 1, failed: [] })
    expect(await read(id)).toMatchObject({ totalAmount: '12253.44' })
    expect(await lines(id)).toHaveLength(2)
    expect((await journal(id)).at(-1)).toMatchObject({ action: 'generate', changeAmount: '5999.00' })

    await house.admin.post(`${budgets}/confirm`, { id })
    const [{ contractNo }, { budgetNo }] = [
      (await house.admin.get(`${contracts}/detail`, { id: contract })).result,
      await read(id),
    ]
    const nobody = await billedCustomer(house, { heads: 0 })
    expect(await foreseen([customer, nobody.customer])).toEqual({
      facts: ['将新建预算 0', '将重算草稿 0', '客户 0', '合计金额 ￥0.00', '服务人数 0', '不生成 2'],
      without: [
        [`${contractNo} ${name}`, `预算${budgetNo}已确认`],
        [expect.stringContaining(nobody.name), '没有在册人员'],
      ],
    })
    expect((await generate([customer, nobody.customer])).result).toMatchObject({
      succeeded: 0,
      failed: [
        { id: contract, name: `${contractNo} ${name}`, message: `预算${budgetNo}已确认` },
        { id: nobody.contract, message: '没有在册人员' },
      ],
    })
    expect((await generate([nobody.customer], { basis: 'lastStatement' })).result.failed).toMatchObject([
      { message: '没有上月账单' },
    ])
    expect((await generate([customer], { month: '2027-06' })).result.failed).toMatchObject([
      { id: customer, message: '本月没有生效的服务合同' },
    ])
    expect((await generate([nobody.customer], { basis: 'manual' })).result).toEqual({ succeeded: 1, failed: [] })
    const [manual] = await budgetsOf(nobody.customer)
    expect(manual).toMatchObject({ headcount: 0, totalAmount: '0.00' })
    expect(await house.admin.post(`${budgets}/confirm`, { id: manual.id })).toMatchObject({
      code: 409,
      message: '预算没有明细',
    })
  })

  test('refuses months before last month', async () => {
    expect((await generate([], { month: '2026-01' })).errors).toMatchObject([
      { field: 'month', message: '预算月份不能早于上月' },
    ])
    expect((await generate([], { month: null })).errors).toMatchObject([{ field: 'month' }])
    expect((await generate([], { reserveRate: '21' })).errors).toMatchObject([{ field: 'reserveRate' }])
  })

  test.skipIf(!isLong)('two concurrent generations make one budget', async () => {
    const { customer } = await billedCustomer(house)
    const answers = await Promise.all([generate([customer]), generate([customer])])
    expect(answers.map(({ code }) => code)).toEqual([1, 1])
    const [budget, ...others] = await budgetsOf(customer)
    expect([others, (await lines(budget.id!)).length]).toEqual([[], 2])
  })
})

describe('a draft', () => {
  const add = (budget: number, values: Record<string, Value>, as: Client = house.admin) =>
    as.post(`${budgetLines}/create`, { values: { budget, ...values } })

  test.skipIf(!isLong)('can be edited and restored: fees, tax and totals follow at once', async () => {
    const { id } = await budgeted()
    const joiner = await add(id, { label: '拟入职一人', wageAmount: '5000', socialAmount: '800' })
    expect(joiner).toMatchObject({ code: 1 })
    expect(await read(id)).toMatchObject({
      headcount: 3,
      wageAmount: '17000.00',
      socialAmount: '800.00',
      serviceFeeAmount: '360.00',
      taxAmount: '20.16',
      totalAmount: '18180.16',
    })
    const added = (await lines(id)).at(-1)!
    expect(added).toMatchObject({
      id: joiner.result.id,
      revision: joiner.result.revision,
      serviceFeeAmount: '120.00',
      taxAmount: '6.72',
      totalAmount: '5926.72',
      changeKind: 'joiner',
    })
    await add(id, { lineType: 'company', label: '体检', otherBenefitAmount: '350', adjustAmount: '-50' })
    expect(await read(id)).toMatchObject({
      headcount: 3,
      otherBenefitAmount: '350.00',
      adjustAmount: '-50.00',
      serviceFeeAmount: '360.00',
      totalAmount: '18480.16',
    })
    expect(await house.admin.post(`${budgetLines}/delete`, { id: added.id })).toMatchObject({ code: 1 })
    expect(await read(id)).toMatchObject({ headcount: 2, totalAmount: '12553.44' })
    expect((await journal(id)).map(({ action, changeAmount }) => [action, changeAmount])).toEqual([
      ['generate', '12253.44'],
      ['adjust', '5926.72'],
      ['adjust', '300.00'],
      ['adjust', '-5926.72'],
    ])
  })

  test('has one line for fees of the company as a whole', async () => {
    const { id } = await budgeted({
      terms: {
        feeRules: [
          {
            serviceType: 'dispatch',
            feeMode: 'fixed',
            fixedAmount: '500',
            chargeRule: 'fullMonth',
            effectiveFrom: '2026-01',
          },
        ],
      },
    })
    const company = async () =>
      (await lines(id))
        .filter(({ lineType }) => lineType === 'company')
        .map(({ serviceFeeAmount, totalAmount }) => [serviceFeeAmount, totalAmount])
    expect(await company()).toEqual([['500.00', '528.00']])
    await add(id, { label: '拟入职一人', wageAmount: '5000' })
    expect(await company()).toEqual([['500.00', '528.00']])
    expect(await read(id)).toMatchObject({ headcount: 3, totalAmount: '17528.00' })
  })

  test('refuses duplicates, strangers, missing labels and negative amounts except adjustments', async () => {
    const { id, people } = await budgeted()
    const stranger = (await billedCustomer(house, { heads: 1 })).people[0]
    const refused = async (values: Record<string, Value>) => (await add(id, values)).errors?.map(({ field }) => field)
    expect(await refused({ person: stranger })).toEqual(['person'])
    expect(await refused({ person: people[0] })).toEqual(['person'])
    expect(await refused({})).toEqual(['label'])
    expect(await refused({ label: '拟入职', wageAmount: '-1' })).toEqual(['wageAmount'])
    expect((await add(id, { label: '拟入职', totalAmount: '9' })).code).not.toBe(1)
    expect(await read(id)).toMatchObject({ totalAmount: '12253.44' })
  })

  test('is not changed once its month is closed', async () => {
    const { id } = await budgeted()
    const { month } = await read(id)
    const [line] = await lines(id)
    const close = async (closed: string | null) => {
      await house.database.pool.query('update parameter set "closedMonth" = $1', [closed])
      await house.database.pool.query('update system_overlay set version = version + 1')
    }
    await close(String(month))
    try {
      const refused = { code: 409, message: '该月已关账' }
      const change = { id: line.id, revision: line.revision }
      expect(await add(id, { label: '拟入职', wageAmount: '1' })).toMatchObject(refused)
      expect(await house.admin.post(`${budgetLines}/update`, { ...change, values: { wageAmount: '1' } })).toMatchObject(
        refused,
      )
      expect(await house.admin.post(`${budgetLines}/delete`, { id: line.id })).toMatchObject(refused)
      expect(await house.admin.post(`${budgets}/delete`, { id })).toMatchObject({ code: 409 })
    } finally {
      await close(null)
    }
  })

  test('keeps a line of somebody who works for another customer since', async () => {
    const { id, people } = await budgeted()
    const [line] = await lines(id)
    expect(line.person).toMatchObject({ id: people[0] })
    const { customer, agency, contract: serviceContract } = await billedCustomer(house, { heads: 0 })
    const moves = [
      ['leave', { leaveDate: '2026-02-28', leaveReason: 'mutual' }],
      ['close', {}],
      ['rehire', { customer, agency, serviceContract, entryDate: '2026-03-01', baseSalary: '6000' }],
    ] as const
    for (const [action, values] of moves)
      expect(await house.admin.post(`/staff/person/${action}`, { id: people[0], values })).toMatchObject({ code: 1 })
    const { revision } = (await lines(id))[0]
    expect(
      await house.admin.post(`${budgetLines}/update`, { id: line.id, revision, values: { wageAmount: '7000' } }),
    ).toMatchObject({ code: 1 })
  })

  test('is deleted with its lines; a confirmed one must be reopened to edit or delete it', async () => {
    const { id, customer } = await budgeted()
    const [line] = await lines(id)
    await house.admin.post(`${budgets}/confirm`, { id })
    expect(await read(id)).toMatchObject({
      status: 'confirmed',
      confirmedAt: expect.stringMatching(/^2026-03-15/),
      confirmedBy: { name: expect.any(String) },
    })
    expect(
      (
        await house.admin.post(`${budgetLines}/update`, {
          id: line.id,
          revision: line.revision,
          values: { wageAmount: '1' },
        })
      ).code,
    ).toBe(409)
    expect((await add(id, { label: '拟入职' })).code).toBe(409)
    expect((await house.admin.post(`${budgets}/delete`, { id })).code).toBe(409)
    await house.admin.post(`${budgets}/reopen`, { id })
    expect(await read(id)).toMatchObject({ status: 'drafted', confirmedAt: null, confirmedBy: null })
    expect(await house.admin.post(`${budgets}/delete`, { id })).toMatchObject({ code: 1, result: { succeeded: 1 } })
    expect([await budgetsOf(customer), await lines(id)]).toEqual([[], []])
    expect(
      (await journal(id)).map(({ action, statusBefore, statusAfter }) => [action, statusBefore, statusAfter]),
    ).toEqual([
      ['generate', null, 'drafted'],
      ['confirm', 'drafted', 'confirmed'],
      ['unconfirm', 'confirmed', 'drafted'],
    ])
  })
})

describe('a comparison with the statement', () => {
  test.skipIf(!isLong)('shows the actual amount, and once the statement is confirmed the variance', async () => {
    const customer = await budgeted()
    const { id } = customer
    await house.admin.post(`${budgets}/confirm`, { id })
    const statement = await stated(customer)
    expect(await read(id)).toMatchObject({
      statement: { id: statement },
      actualHeadcount: 2,
      actualAmount: '19596.44',
      varianceAmount: null,
      varianceRate: null,
      status: 'confirmed',
    })
    expect((await house.admin.post(`${budgets}/reopen`, { id })).code).toBe(409)

    await confirmStatement(statement)
    expect(await read(id)).toMatchObject({
      status: 'compared',
      varianceAmount: '7343.00',
      varianceRate: '59.9300',
      overAlert: true,
      actualWage: '14500.00',
      wageVariance: '2500.00',
      wageVarianceRate: '20.8300',
      actualSocial: '2450.50',
      socialVariance: '2450.50',
      socialVarianceRate: null,
      serviceFeeVariance: '0.00',
      serviceFeeVarianceRate: '0.0000',
    })
    expect((await lines(id)).map(({ actualAmount, varianceAmount }) => [actualAmount, varianceAmount])).toEqual([
      ['10798.72', '4672.00'],
      ['8797.72', '2671.00'],
    ])
    const found = async (filters: Record<string, Value>) =>
      (await house.admin.get(`${budgets}/list`, { filters: { customer: { equals: customer.customer }, ...filters } }))
        .result.total
    expect([
      await found({ varianceRate: { between: ['59.93', '59.93'] } }),
      await found({ varianceRate: { between: ['59.94', null] } }),
    ]).toEqual([1, 0])
    expect([await found({ overAlert: { equals: true } }), await found({ status: { in: ['compared'] } })]).toEqual([
      1, 1,
    ])

    await house.admin.post(`${statements}/unconfirm`, { id: statement })
    expect(await read(id)).toMatchObject({ status: 'confirmed', varianceAmount: null })
    expect((await lines(id)).map(({ actualAmount }) => actualAmount)).toEqual([null, null])
    await house.admin.post(`${statements}/void`, { id: statement, values: { voidReason: '费用有误，重新出账' } })
    expect(await read(id)).toMatchObject({ statement: null, actualAmount: null, actualHeadcount: null })
    expect((await house.admin.post(`${budgets}/reopen`, { id })).code).toBe(1)
  })

  test.skipIf(!isLong)('includes a statement that exists before the budget', async () => {
    const customer = await billedCustomer(house)
    const statement = await stated(customer)
    await confirmStatement(statement)
    await generate([customer.customer])
    const [budget] = await budgetsOf(customer.customer)
    expect(budget).toMatchObject({ statement: { id: statement }, status: 'drafted', varianceAmount: '7343.00' })
    await house.admin.post(`${budgets}/confirm`, { id: budget.id })
    expect(await read(budget.id!)).toMatchObject({ status: 'compared' })
  })
})

test.skipIf(!isLong)(
  'support staff budget own customers, clerks all; auditors only read, cashiers have no access',
  async () => {
    const [support, other] = [await house.user('budgetone', ['support']), await house.user('budgettwo', ['support'])]
    const [clerk, auditor, cashier] = [
      await house.user('budgetclerk', ['settlementClerk']),
      await house.user('budgetauditor', ['auditor']),
      await house.user('budgetcashier', ['cashier']),
    ]
    const { id, customer } = await budgeted({ values: { supportStaff: support.id } })
    for (const entity of ['budget', 'budgetLine']) {
      expect((await support.get(`/settlement/${entity}/list`)).result.total, entity).toBeGreaterThan(0)
      expect((await other.get(`/settlement/${entity}/list`)).result.total, entity).toBe(0)
      expect((await cashier.get(`/settlement/${entity}/list`)).code, entity).toBe(403)
    }
    expect(await generate([customer], {}, other)).toMatchObject({
      code: 422,
      errors: [{ field: 'customers', code: 'reference' }],
    })
    expect((await generate([customer], {}, support)).result).toMatchObject({ succeeded: 1 })
    expect((await generate([customer], {}, clerk)).result).toMatchObject({ succeeded: 1 })
    expect((await auditor.get(`${budgets}/detail`, { id })).code).toBe(1)
    expect((await generate([customer], {}, auditor)).code).toBe(403)
    expect((await auditor.post(`${budgets}/confirm`, { id })).code).toBe(403)
    expect((await support.post(`${budgets}/confirm`, { id })).code).toBe(1)
  },
)
