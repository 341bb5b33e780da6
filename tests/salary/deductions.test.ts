import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holds } from '../../engine/expression/conditions.ts'
import type { Dictionary, RecordData, ScreenBundle, Value } from '../../engine/model/model.ts'
import type { FormPlan } from '../../engine/screens/form/form.ts'
import { widgets } from '../../engine/widgets/index.ts'
import { uscc } from '../customer.ts'
import { importFile, planOf, rows, workbook, worker } from '../importing.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { billedCustomer } from '../statement.ts'
import { act, deductions, linesOf, payrollFor } from './salary.ts'
import { isLong } from '../long.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const deductionsOf = async (person: number): Promise<RecordData[]> =>
  (
    await house.admin.get(`${deductions}/list`, {
      filters: { person: { equals: person } },
      sort: 'taxMonth',
      size: 100,
    })
  ).result.list
const refused = async (values: Record<string, never> | object) =>
  (await house.admin.post(`${deductions}/create`, { values })).errors?.map(({ field, message }) => [field, message])

test('a person has one row a month, within the legal limits, with the amounts that the month adds', async () => {
  const {
    people: [person],
    agency,
  } = await billedCustomer(house, { heads: 1 })
  const january = await house.create(deductions, {
    person,
    taxMonth: '2026-01',
    cumChildEducation: '2000',
    cumHousingRent: '1500',
  })
  await house.create(deductions, { person, taxMonth: '2026-02', cumChildEducation: '4000', cumHousingRent: '1500' })
  expect(await deductionsOf(person)).toMatchObject([
    {
      id: january,
      cumTotal: '3500.00',
      monthTotal: '3500.00',
      monthChildEducation: '2000.00',
      taxSubject: 'provider',
      agency: { id: agency },
      withholdingAgent: '示范派遣有限公司',
      source: 'manual',
      status: 'valid',
      taxYear: '2026',
    },
    { cumTotal: '5500.00', monthTotal: '2000.00', monthHousingRent: '0.00' },
  ])
  expect(await refused({ person, taxMonth: '2026-02' })).toEqual([['taxMonth', '税款所属期已存在']])
  expect(
    await refused({
      person,
      taxMonth: '2026-03',
      cumHousingLoan: '3001',
      cumPersonalPension: '12001',
      cumElderlySupport: '9000',
    }),
  ).toEqual([
    ['cumHousingLoan', '累计住房贷款利息超过法定上限'],
    ['cumPersonalPension', '累计个人养老金超过法定上限'],
  ])
  expect(await refused({ person, taxMonth: '2026-03', cumHousingRent: '2600', cumHousingLoan: '1000' })).toEqual([
    ['cumHousingRent', expect.stringContaining('不能在同一月份同时扣除')],
  ])
  expect(await refused({ person, taxMonth: '2026-05' })).toEqual([['taxMonth', expect.any(String)]])
})

test('rows are carried forward by what the last month added, but not into January and not twice', async () => {
  const {
    people: [person, other],
  } = await billedCustomer(house)
  for (const [taxMonth, cum] of [
    ['2026-01', '1500'],
    ['2026-02', '3000'],
  ])
    await house.create(deductions, { person, taxMonth, cumHousingRent: cum })
  await house.create(deductions, { person: other, taxMonth: '2026-02', cumElderlySupport: '3000' })
  const carry = (taxMonth: string) => house.admin.post(`${deductions}/carry`, { values: { taxMonth } })
  expect(await carry('2026-03')).toMatchObject({
    code: 1,
    result: {
      failed: expect.arrayContaining([
        { id: other, name: expect.any(String), message: expect.stringContaining('上上月') },
      ]),
    },
  })
  expect((await deductionsOf(person)).at(-1)).toMatchObject({
    taxMonth: '2026-03',
    cumHousingRent: '4500.00',
    monthTotal: '1500.00',
    source: 'carry',
    status: 'valid',
  })
  expect(await deductionsOf(other)).toHaveLength(1)
  await carry('2026-03')
  expect(await deductionsOf(person)).toHaveLength(3)
  expect(await carry('2027-01')).toMatchObject({ code: 422 })
})

/** Imports these rows. @returns each row's status and messages */
async function load(cells: Record<string, string>[], given: Record<string, Value> = {}) {
  const path = '/salary/specialDeductionImport'
  const content = await workbook(planOf(house, 'specialDeductionImport'), cells)
  const id = await importFile(house, content, { path, givenTaxMonth: cells[0].taxMonth, ...given })
  await worker(house).drain()
  if ((await house.admin.get(`${path}/detail`, { id })).result.status !== 'processing')
    await house.admin.post(`${path}/write`, { id })
  await worker(house).drain()
  return (await rows(house, id, house.admin, '/salary/specialDeductionImportRow')).map(({ rowStatus, errors }) => [
    rowStatus,
    ...((errors ?? []) as unknown as { message: { cn: string } }[]).map(({ message }) => message.cn),
  ])
}

/** The cells common to every row of a person. */
async function rowOf(person: number) {
  const { name, idNumber } = (await house.admin.get('/staff/person/detail', { id: person })).result
  return { personName: String(name), idType: '居民身份证', person: String(idNumber), taxMonth: '2026-03' }
}

test('an import finds the person by ID number and updates an existing row', async () => {
  const {
    people: [person],
  } = await billedCustomer(house, { heads: 1 })
  const row = await rowOf(person)
  expect(
    await load([
      { ...row, cumHousingRent: '4500', remark: '首次' },
      { ...row, personName: '别人' },
    ]),
  ).toEqual([['created'], ['failed', '姓名与系统数据不一致（系统：员工甲）', '与第2行重复', '与第2行重复']])
  expect(await load([{ ...row, cumHousingRent: '3000' }])).toEqual([['updated']])
  expect(await deductionsOf(person)).toMatchObject([
    { cumHousingRent: '3000.00', cumTotal: '3000.00', source: 'import' },
  ])
  expect(
    await load([{ ...row, taxMonth: '2026-04', cumHousingRent: '2500', cumElderlySupport: '3000' }]),
    'less than the month before',
  ).toEqual([['created', '累计住房租金小于上月累计数（提示）']])
  expect(
    await load([
      { ...row, taxMonth: '2026-04', cumHousingRent: '3000', cumElderlySupport: '3000', cumInfantCare: '1500' },
    ]),
    'neither 2,000 a child and month nor half of it',
  ).toEqual([['updated', '累计3岁以下婴幼儿照护通常为1000的倍数（提示）']])
})

test('amounts that are paid by the thousand and are no multiple of it are pointed out, and accepted', async () => {
  const { plan, entities }: ScreenBundle = (await house.admin.get('/plans/screen', { name: 'specialDeduction.form' }))
    .result
  const { warnings } = plan.variants!.plans.add.body as FormPlan
  const context = { widgets, entities, dictionary: () => ({}) as Dictionary, now: () => '2026-03-15 09:00:00' }
  const hints = (values: Record<string, Value>) =>
    warnings
      .filter(({ when }) => holds(when, false, entities.specialDeduction, values, context))
      .map(({ at, message }) => [at, message.cn])
  const often = '通常为1000的倍数'
  expect(hints({ cumChildEducation: '14000', cumInfantCare: '0' })).toEqual([])
  expect(hints({ cumChildEducation: null, cumInfantCare: null })).toEqual([])
  expect(hints({ cumChildEducation: '1500.00', cumInfantCare: '1000.01', cumHousingRent: '1500' })).toEqual([
    ['cumChildEducation', often],
    ['cumInfantCare', often],
  ])
  const {
    people: [person],
  } = await billedCustomer(house, { heads: 1 })
  const row = await rowOf(person)
  expect(await load([{ ...row, cumChildEducation: '1500', cumInfantCare: '2000' }])).toEqual([
    ['created', '累计子女教育通常为1000的倍数（提示）'],
  ])
  expect(await deductionsOf(person)).toMatchObject([{ cumChildEducation: '1500.00' }])
})

test.skipIf(!isLong)(
  'each withholding agent of a person has its own row for a month, in form, file and tax',
  async () => {
    const customer = await billedCustomer(house, { heads: 1 })
    const [person] = customer.people
    const other = await house.create('/customer/agency', {
      code: 'J901',
      name: '示范外包有限公司',
      kind: 'own',
      uscc: uscc(90_901),
      taxpayerKind: 'general',
      cities: ['320500'],
    })
    const first = await house.create(deductions, { person, taxMonth: '2026-03', cumHousingRent: '4500' })
    const before = await payrollFor(house, customer)
    // As if they had left and been hired through the other agent.
    await sql`update person set agency = ${other} where id = ${person}`.execute(house.database.kysely)

    expect(await load([{ ...(await rowOf(person)), cumHousingRent: '1500' }])).toEqual([['created']])
    expect(await load([{ ...(await rowOf(person)), cumHousingRent: '1400' }])).toEqual([['updated']])
    expect(
      await load([{ ...(await rowOf(person)), taxMonth: '2026-04', cumHousingRent: '2900' }]),
      'a month adds to what the same agent has',
    ).toEqual([['created']])
    expect((await deductionsOf(person)).sort((a, b) => a.id! - b.id!)).toMatchObject([
      { id: first, withholdingAgent: '示范派遣有限公司', cumTotal: '4500.00', source: 'manual' },
      { withholdingAgent: '示范外包有限公司', cumTotal: '1400.00', source: 'import' },
      { withholdingAgent: '示范外包有限公司', taxMonth: '2026-04', cumTotal: '2900.00', monthTotal: '1500.00' },
    ])
    expect(
      await load([{ ...(await rowOf(person)), cumHousingRent: '4400' }], { givenAgency: customer.agency }),
      'the file of the agent that they were with',
    ).toEqual([['updated']])
    expect((await house.admin.get(`${deductions}/detail`, { id: first })).result.cumTotal).toBe('4400.00')
    expect(await refused({ person, taxMonth: '2026-03' })).toEqual([['taxMonth', '税款所属期已存在']])
    expect(await refused({ person, taxMonth: '2026-03', agency: customer.agency })).toEqual([
      ['taxMonth', '税款所属期已存在'],
    ])
    const own = await house.create(deductions, { person, taxMonth: '2026-03', taxSubject: 'customer' })
    expect(await refused({ person, taxMonth: '2026-03', taxSubject: 'customer' })).toEqual([
      ['taxMonth', '税款所属期已存在'],
    ])
    expect((await house.admin.get(`${deductions}/detail`, { id: own })).result.withholdingAgent).toBe(
      (await house.admin.get('/customer/detail', { id: customer.customer })).result.corporateName,
    )
    const special = async (id: number) => {
      expect(await act(house, id, 'calculate')).toMatchObject({ code: 1 })
      return (await linesOf(house, id)).map(({ cumSpecial }) => cumSpecial)
    }
    expect(await special(before)).toEqual(['4400.00'])
    expect(await special(await payrollFor(house, { ...customer, agency: other }))).toEqual(['1400.00'])
  },
)
