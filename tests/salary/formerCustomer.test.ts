/**
 * People of a former customer are rehired under another customer and another of our entities: files and forms apply to
 * the employment and the withholding agent of the month that they name.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import { employee } from '../contract.ts'
import { importFile, planOf, rows, workbook, worker } from '../importing.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { billedCustomer, type BilledCustomer } from '../statement.ts'
import {
  approve,
  createOutsourcer,
  deductions,
  linesOf,
  payroll,
  payrollFor,
  payrollLines,
  wageUsers,
} from './salary.ts'

const filings = '/salary/personalTax'
let house: TestServer
let clerk: Client
let manager: Client
let outsourcing: number
beforeAll(async () => {
  house = await createTestServer()
  ;[clerk, manager] = await wageUsers(house)
  outsourcing = await createOutsourcer(house)
})
afterAll(() => house?.close())
beforeEach(() => on('2026-01-10'))

const on = (day: string) => Object.assign(house.runtime, { clock: clockOn(day) })
const here = () => billedCustomer(house, { heads: 0 })
async function there(values: Record<string, Value> = {}): Promise<BilledCustomer> {
  const other = await billedCustomer(house, {
    heads: 0,
    values: { agency: outsourcing, ...values },
    terms: { agency: outsourcing },
  })
  return { ...other, agency: outsourcing }
}
const personOf = async (id: number): Promise<RecordData> =>
  (await house.admin.get('/staff/person/detail', { id })).result
const list = async (path: string, person: number): Promise<RecordData[]> =>
  (await house.admin.get(`${path}/list`, { filters: { person: { equals: person } }, sort: 'id', size: 100 })).result
    .list
const act = async (id: number, action: string, values?: Record<string, Value>) =>
  expect(await house.admin.post(`/staff/person/${action}`, { id, ...(values && { values }) })).toMatchObject({
    code: 1,
  })

/** A person employed by the first customer from January until the middle of March. */
async function wasAt({ customer, agency, contract }: BilledCustomer, values: Record<string, Value> = {}) {
  const person = await employee(house, {
    customer,
    agency,
    service: contract,
    values: { entryDate: '2026-01-05', baseSalary: '20000', ...values },
  })
  on('2026-03-16')
  await act(person.id, 'leave', { leaveDate: '2026-03-15', leaveReason: 'mutual' })
  await act(person.id, 'close')
  return person
}
async function hasMoved(from: BilledCustomer, to: BilledCustomer, values: Record<string, Value> = {}) {
  const person = await wasAt(from)
  await act(person.id, 'rehire', {
    customer: to.customer,
    agency: to.agency,
    serviceContract: to.contract,
    entryDate: '2026-03-16',
    baseSalary: '30000',
    ...values,
  })
  return person
}

/** Imports these rows. @returns `good` or the messages for each row */
async function imported(
  area: string,
  batches: string,
  cells: Record<string, string>[],
  given: Record<string, unknown> = {},
): Promise<unknown[]> {
  const path = `/${area}/${batches}`
  const content = await workbook(planOf(house, batches), cells)
  const id = await importFile(house, content, { path, name: '名单.xlsx', ...given })
  await worker(house).drain()
  const checked = await rows(house, id, house.admin, `${path}Row`)
  if (checked.some(({ rowStatus }) => rowStatus !== 'failed')) {
    expect(await house.admin.post(`${path}/write`, { id })).toMatchObject({ code: 1 })
    await worker(house).drain()
  }
  return (await rows(house, id, house.admin, `${path}Row`)).map(({ rowStatus, errors }) =>
    rowStatus === 'failed'
      ? (errors as unknown as { message: { cn: string } }[]).map(({ message }) => message.cn)
      : 'good',
  )
}

/** A row of the joiner import. */
async function joining(second: BilledCustomer, idNumber: string): Promise<Record<string, string>> {
  const needed = house.runtime.derived.catalog.families.handling.map(({ key }) => [`${String(key)}Needed`, '否'])
  return {
    customer: second.name,
    serviceContract: String(
      (await house.admin.get('/contract/contract/detail', { id: second.contract })).result.contractNo,
    ),
    name: '林晓演',
    idType: '居民身份证',
    idNumber,
    mobile: '15400000026',
    householdType: '外地城镇',
    workCity: '苏州',
    insuranceCity: '苏州',
    employmentForm: '劳务派遣',
    position: '测试工程师',
    entryDate: '2026-03-16',
    baseSalary: '30000.00',
    ...Object.fromEntries(needed),
  }
}

test('a joiner row rehires a person at another customer as the form does', async () => {
  const first = await here()
  const staff = (await house.user('supporting', ['support'])).id
  const second = await there({ supportStaff: staff })
  const { id, idNumber } = await wasAt(first, { firstJobThisYear: true })
  const row = await joining(second, idNumber)
  expect(await imported('staff', 'personJoinImport', [row])).toEqual(['good'])
  expect(await personOf(id)).toMatchObject({
    employmentStatus: 'active',
    customer: { id: second.customer },
    serviceContract: { id: second.contract },
    agency: { id: outsourcing },
    withholdingAgent: '示范外包有限公司',
    supportStaff: { id: staff },
    taxStartMonth: '2026-03',
    firstJobThisYear: false,
  })
  // A leaver row that names the former customer does not end the employment at the present one.
  const leaver = { customer: first.name, name: '林晓演', idNumber, leaveDate: '2026-03-16', leaveReason: '员工辞职' }
  expect(await imported('staff', 'personLeaveImport', [leaver])).toEqual([[`证件号码“****** ${first.name}”不存在`]])
  expect(await personOf(id)).toMatchObject({ employmentStatus: 'active' })
})

test.skipIf(!isLong)(
  'a joiner file does not move an employed person, nor is it undone once its agent has taxed them',
  async () => {
    const [first, second] = [await here(), await there()]
    const person = await employee(house, {
      customer: first.customer,
      agency: first.agency,
      service: first.contract,
      values: { entryDate: '2026-01-05', baseSalary: '20000' },
    })
    on('2026-02-10')
    const january = { payrollMonth: '2026-01', welfareMonth: '2026-01', planPayDate: '2026-02-16', taxMonth: '2026-02' }
    await approve(house, await payrollFor(house, first, january), { clerk, manager })
    const row = await joining(second, person.idNumber)
    const [refused] = await imported('staff', 'personJoinImport', [row])
    expect(refused).toEqual([expect.stringContaining('不能重复增员')])
    on('2026-03-16')
    await act(person.id, 'leave', { leaveDate: '2026-03-15', leaveReason: 'mutual' })
    await act(person.id, 'close')
    expect(await imported('staff', 'personJoinImport', [row])).toEqual(['good'])
    const batches = (await house.admin.get('/staff/personJoinImport/list', { sort: '-id' })).result.list as RecordData[]
    on('2026-04-10')
    const march = { payrollMonth: '2026-03', welfareMonth: '2026-03', planPayDate: '2026-04-15', taxMonth: '2026-04' }
    await approve(house, await payrollFor(house, second, march), { clerk, manager })
    const before = await personOf(person.id)
    const answer = await house.admin.post('/staff/personJoinImport/undo', { id: batches[0].id })
    expect(JSON.stringify(answer)).toContain('已由示范外包有限公司计税')
    await worker(house).drain()
    expect(await personOf(person.id)).toMatchObject({
      employmentStatus: 'active',
      agency: { id: outsourcing },
      withholdingAgent: before.withholdingAgent,
    })
  },
)

test.skipIf(!isLong)(
  'late wages of a former customer are paid by file or by hand, on what was earned there',
  async () => {
    const [first, second] = [await here(), await there()]
    const [moved, again] = [await hasMoved(first, second), await hasMoved(first, second)]
    const stranger = await employee(house, { customer: second.customer, agency: outsourcing, service: second.contract })
    on('2026-04-10')
    const late = { payrollMonth: '2026-04', planPayDate: '2026-04-15', taxMonth: '2026-04', welfareMonth: '2026-04' }
    const id = await payrollFor(house, first, late)
    expect(await linesOf(house, id)).toEqual([])
    const { batchNo } = await payroll(house, id)
    const row = (idNumber: string, batch: unknown) => ({
      payroll: String(batch),
      personName: '林晓演',
      person: idNumber,
      bonus: '1000.00',
    })
    expect(
      await imported('salary', 'payrollLineImport', [row(moved.idNumber, batchNo), row(stranger.idNumber, batchNo)]),
    ).toEqual(['good', ['证件号码：该人员不属于批次客户']])
    expect(
      await house.admin.post(`${payrollLines}/create`, { values: { payroll: id, person: again.id } }),
    ).toMatchObject({ code: 1 })
    expect((await linesOf(house, id)).map(({ baseSalary, bonus }) => [baseSalary, bonus])).toEqual([
      ['20000.00', '1000.00'],
      ['20000.00', null],
    ])
    expect(await house.admin.post('/salary/payroll/calculate', { id })).toMatchObject({ code: 1 })
    expect((await linesOf(house, id)).map(({ warnings }) => warnings)).toEqual([
      expect.arrayContaining(['leftPerson']),
      expect.arrayContaining(['leftPerson']),
    ])
    expect(
      (await house.admin.post(`${payrollLines}/create`, { values: { payroll: id, person: stranger.id } })).errors,
    ).toMatchObject([{ message: '该人员不属于批次客户' }])

    // A payroll that another of our entities runs for the same customer does not include them.
    const others = await payrollFor(house, { ...first, agency: outsourcing }, late)
    const wrong = ['证件号码：该人员不属于批次客户']
    expect(
      await imported('salary', 'payrollLineImport', [row(moved.idNumber, (await payroll(house, others)).batchNo)]),
    ).toEqual([wrong])
    expect(await linesOf(house, others)).toEqual([])
  },
)

test.skipIf(!isLong)('a rehired person may be taxed by another subject than before', async () => {
  const [first, second] = [await here(), await here()]
  const { id } = await hasMoved(first, second, { taxSubject: 'customer' })
  const { corporateName } = (await house.admin.get('/customer/detail', { id: second.customer })).result
  expect(await personOf(id)).toMatchObject({ taxSubject: 'customer', withholdingAgent: corporateName })
})

const deduction = (idNumber: string, taxMonth: string, cumChildEducation: string) => ({
  personName: '林晓演',
  idType: '居民身份证',
  person: idNumber,
  taxMonth,
  cumChildEducation,
})

test.skipIf(!isLong)('deductions belong to the agent of their month, by file and by hand', async () => {
  const [first, second] = [await here(), await there()]
  const { id, idNumber } = await hasMoved(first, second)
  on('2026-04-10')
  const file = (month: string, amount: string, given: Record<string, unknown> = {}) =>
    imported('salary', 'specialDeductionImport', [deduction(idNumber, month, amount)], {
      givenTaxMonth: month,
      ...given,
    })
  expect(await file('2026-02', '4000')).toEqual(['good'])
  expect(await file('2026-03', '6000', { givenAgency: first.agency })).toEqual(['good'])
  expect(await file('2026-03', '2000')).toEqual(['good'])
  await house.create(deductions, { person: id, taxMonth: '2026-01', cumChildEducation: '2000' })
  const all = async () =>
    (await list(deductions, id))
      .map(({ taxMonth, withholdingAgent, customer, cumTotal }) => [
        taxMonth,
        withholdingAgent,
        (customer as { id: number } | null)?.id,
        cumTotal,
      ])
      .toSorted((a, b) => String(a).localeCompare(String(b)))
  expect(await all()).toEqual([
    ['2026-01', '示范派遣有限公司', first.customer, '2000.00'],
    ['2026-02', '示范派遣有限公司', first.customer, '4000.00'],
    ['2026-03', '示范外包有限公司', second.customer, '2000.00'],
    ['2026-03', '示范派遣有限公司', first.customer, '6000.00'],
  ])
  // Importing the same row again updates it.
  expect(await file('2026-02', '2000')).toEqual(['good'])
  expect((await all())[1]).toEqual(['2026-02', '示范派遣有限公司', first.customer, '2000.00'])
})

test.skipIf(!isLong)('deductions declared to our entity stay with it when a customer now withholds', async () => {
  const [first, second] = [await here(), await here()]
  const { id, idNumber } = await hasMoved(first, second, { taxSubject: 'customer' })
  on('2026-04-10')
  const row = deduction(idNumber, '2026-02', '4000')
  expect(await imported('salary', 'specialDeductionImport', [row], { givenTaxMonth: '2026-02' })).toEqual(['good'])
  expect(await list(deductions, id)).toMatchObject([
    { taxSubject: 'provider', withholdingAgent: '示范派遣有限公司', customer: { id: first.customer } },
  ])
})

test.skipIf(!isLong)(
  'a month without income is filed by the agent of that month, by row or for all who worked there',
  async () => {
    const [first, second] = [await here(), await there()]
    const { id, idNumber } = await hasMoved(first, second)
    on('2026-04-10')
    const row = {
      personName: '林晓演',
      idType: '居民身份证',
      person: idNumber,
      taxMonth: '2026-02',
      taxSubject: '我司代扣代缴',
      zeroReason: '工资延发',
    }
    expect(await imported('salary', 'personalTaxImport', [row], { givenTaxMonth: '2026-02' })).toEqual(['good'])
    expect(
      await imported('salary', 'personalTaxImport', [{ ...row, taxMonth: '2025-12' }], { givenTaxMonth: '2025-12' }),
    ).toEqual([['证件号码：该人员当月不在职']])
    const zero = { taxMonth: '2026-03', zeroReason: 'delayedPay' }
    for (let times = 0; times < 2; times++)
      expect(await house.admin.post(`${filings}/zeroAuto`, { values: zero })).toMatchObject({ code: 1 })
    expect(
      (await list(filings, id))
        .map(({ taxMonth, withholdingAgent, customer, cumBasic }) => [
          taxMonth,
          withholdingAgent,
          (customer as { id: number }).id,
          cumBasic,
        ])
        .toSorted((a, b) => String(a).localeCompare(String(b))),
    ).toEqual([
      ['2026-02', '示范派遣有限公司', first.customer, '10000.00'],
      ['2026-03', '示范外包有限公司', second.customer, '5000.00'],
      ['2026-03', '示范派遣有限公司', first.customer, '15000.00'],
    ])
  },
)
