/** What happened at a person's former customer stays with its staff after the person has moved to another. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import { employee } from '../contract.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { billedCustomer } from '../statement.ts'

const [letters, injuries, deductions] = ['/staff/proof', '/staff/workInjury', '/salary/specialDeduction']
let house: TestServer
let person: number
/** The staff of the former and of the present customer, and an injury at the former. */
let former: Client & { id: number }
let present: Client & { id: number }
let [injury, letter, from]: number[] = []
const on = (day: string) => Object.assign(house.runtime, { clock: clockOn(day) })
const act = async (action: string, values?: Record<string, Value>) =>
  expect(await house.admin.post(`/staff/person/${action}`, { id: person, ...(values && { values }) })).toMatchObject({
    code: 1,
  })

beforeAll(async () => {
  house = await createTestServer()
  on('2026-01-10')
  await house.create('/setting/role', {
    code: 'ownPeople',
    name: '本人客户人员',
    dataScope: 'self',
    functionPermissions: [
      'staff:person:*',
      'staff:proof:*',
      'staff:workinjury:view',
      'salary:deduction:*',
      'setting:log:view',
    ],
  })
  ;[former, present] = [await house.user('formerstaff', ['ownPeople']), await house.user('presentstaff', ['ownPeople'])]
  const [at, to] = [await billedCustomer(house, { heads: 0 }), await billedCustomer(house, { heads: 0 })]
  for (const [{ id }, { customer }] of [
    [former, at],
    [present, to],
  ] as const)
    await house.database.pool.query('update customer set "supportStaff" = $1, salesman = $1 where id = $2', [
      id,
      customer,
    ])
  from = at.customer
  const values = { entryDate: '2026-01-05', baseSalary: '20000' }
  ;({ id: person } = await employee(house, {
    customer: at.customer,
    agency: at.agency,
    service: at.contract,
    values,
  }))
  const certificate = await house.create('/staff/certificate', {
    name: '收入证明',
    proofType: 'income',
    language: 'zh',
    sealType: 'hr',
    content: '<p>{{person.name}}月均收入{{proof.averageIncome}}元</p>',
  })
  letter = await house.create(letters, {
    person,
    certificate,
    proofType: 'income',
    purpose: '办理房贷',
    sealType: 'hr',
    incomeMonths: 12,
    averageIncome: '20000',
    content: '<p>月均收入20000元</p>',
  })
  injury = await house.create(injuries, {
    person,
    accidentTime: '2026-01-08 10:20:00',
    accidentPlace: '生产车间',
    accidentType: 'onDuty',
    injuryPart: '右手',
    description: '操作设备时被夹伤，班组长立即停机并送往医院处理。',
    reporter: '王演示',
    reporterPhone: '15400000009',
    reportedAt: '2026-01-08 11:00:00',
  })
  await house.create(deductions, { person, taxMonth: '2026-01', cumHousingRent: '1500' })
  on('2026-03-16')
  await act('leave', { leaveDate: '2026-03-15', leaveReason: 'mutual' })
  await act('close')
  await act('rehire', {
    customer: to.customer,
    agency: to.agency,
    serviceContract: to.contract,
    entryDate: '2026-03-16',
    baseSalary: '30000',
  })
})
afterAll(() => house?.close())

const totalIn = async (as: Client, path: string): Promise<number> => (await as.get(`${path}/list`)).result.total

test.each([letters, injuries, deductions])('%s stays with the former customer', async (path) => {
  expect([await totalIn(former, path), await totalIn(present, path)]).toEqual([1, 0])
  expect(await totalIn(present, '/staff/person')).toBe(1)
})

test('an injury names the customer where it happened', async () => {
  const { customer } = (await house.admin.get(`${injuries}/detail`, { id: injury })).result
  expect(customer).toMatchObject({ id: from })
})

test('the history begins for the new staff with the move, without the former values', async () => {
  const whole = (await house.admin.get('/staff/person/history', { id: person })).result
  const { list, total } = (await present.get('/staff/person/history', { id: person })).result
  const rehire = whole.list.findIndex(({ action }: RecordData) => action === 'rehire')
  expect(total).toBe(rehire + 1)
  expect(list.map(({ id }: RecordData) => id)).toEqual(whole.list.slice(0, rehire + 1).map(({ id }: RecordData) => id))
  const wage = (changes: { field: string }[]) => changes.find(({ field }) => field === 'baseSalary')
  expect(wage(whole.list[rehire].changes)).toMatchObject({ old: expect.stringContaining('20,000') })
  expect(wage(list.at(-1).changes)).toMatchObject({ old: '', new: expect.stringContaining('30,000') })

  const early = await present.get(`/works/${whole.list.at(-1).work}`)
  expect(JSON.stringify(early.result?.entities ?? [])).not.toContain('baseSalary')
})

test('the operation log describes the person to the new staff from the move on, without the former values', async () => {
  const entries = async (as: Client) => {
    const filters = { entity: { in: ['person'] }, recordId: { equals: person } }
    const { list } = (await as.get('/setting/operationLog/list', { filters, sort: '-id', size: 100 })).result
    return list.filter(({ action }: RecordData) => action !== 'viewSensitive') as RecordData[]
  }
  const [whole, seen] = [await entries(house.admin), await entries(present)]
  const move = whole.findIndex(({ action }) => action === 'rehire')
  expect(seen.map(({ id }) => id)).toEqual(whole.map(({ id }) => id))
  expect(seen.slice(move + 1).map(({ recordLabel, changes }) => [recordLabel, changes])).toEqual(
    whole.slice(move + 1).map(() => [null, null]),
  )
  const wage = (changes: unknown) => (changes as RecordData[]).find(({ field }) => field === 'baseSalary')
  expect(wage(whole[move].changes)).toMatchObject({ old: expect.stringContaining('20,000') })
  expect(wage(seen[move].changes)).toMatchObject({ old: '', new: expect.stringContaining('30,000') })
})

test('deductions carried on after a move within one agent are those of the present customer', async () => {
  await house.create(deductions, { person, taxMonth: '2026-02', cumHousingRent: '3000' })
  expect(await totalIn(present, deductions)).toBe(0)
  expect((await present.post(`${deductions}/carry`, { values: { taxMonth: '2026-03' } })).result).toMatchObject({
    succeeded: 1,
  })
  const { list } = (await present.get(`${deductions}/list`, { fields: ['taxMonth', 'cumHousingRent'] })).result
  expect(list).toMatchObject([{ taxMonth: '2026-03', cumHousingRent: '4500.00' }])
})

test('a suggestion for an old letter tells the former staff nothing of the present customer', async () => {
  const { result } = await former.post(`${letters}/suggest`, {
    id: letter,
    values: {},
    typed: ['incomeMonths'],
    parameters: {},
  })
  expect(result.values).toEqual({})
})

test('nor does a placeholder that they save in it', async () => {
  const { revision } = (await former.get(`${letters}/detail`, { id: letter })).result
  const content = '<p>{{person.entryDate}}</p>'
  expect(await former.post(`${letters}/update`, { id: letter, revision, values: { content } })).toMatchObject({
    code: 1,
  })
  expect((await house.admin.get(`${letters}/detail`, { id: letter })).result).toMatchObject({ content })
})

test('a save of the person as they were at the former customer is refused without the values of then', async () => {
  const values = { baseSalary: '1', entryDate: '2026-03-17' }
  const answer = await present.post('/staff/person/update', { id: person, revision: 1, values })
  expect(answer).toMatchObject({ status: 409 })
  expect(answer).not.toHaveProperty('conflict')
})

test('fields looked up in a record of the former customer are empty for the staff of the present one', async () => {
  const fields = ['former', 'formerCustomer', 'formerEntry']
  const [seen, whole] = await Promise.all(
    [present, house.admin].map(async (as) => (await as.get('/staff/person/detail', { id: person })).result),
  )
  expect(fields.map((name) => seen[name])).toEqual([null, null, null])
  expect(whole).toMatchObject({ formerEntry: '2026-01-05', formerCustomer: { id: from } })
  const [march] = (await present.get(`${deductions}/list`)).result.list
  expect((await present.get(`${deductions}/detail`, { id: march.id })).result.previousHousingRent).toBeNull()
  expect((await house.admin.get(`${deductions}/detail`, { id: march.id })).result.previousHousingRent).toBe('3000.00')
  const by = async (as: Client) =>
    (await as.get('/staff/person/list', { filters: { formerEntry: { between: ['2026-01-05', '2026-01-05'] } } })).result
  expect([(await by(present)).total, (await by(house.admin)).total]).toEqual([0, 1])
})
