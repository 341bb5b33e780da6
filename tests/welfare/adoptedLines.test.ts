/** A charge of the bureau that was accepted before its person was enrolled counts like any other afterwards. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import { employee, resident } from '../contract.ts'
import { policyRows } from '../welfare.ts'
import { handlingHouse, type HandlingHouse } from './handled.ts'

const family = 'socialsecurity'
const batches = `${family}BigTableImport`
let own: HandlingHouse
beforeEach(async () => {
  own = await handlingHouse()
})
afterEach(() => own?.house.close())

const on = (day: string) => Object.assign(own.house.runtime, { clock: clockOn(day) })
const done = async (answer: Promise<{ code: number }>) => {
  const given = await answer
  expect(given, JSON.stringify(given)).toMatchObject({ code: 1 })
}
const list = async (entity: string, filters: object): Promise<RecordData[]> =>
  (await own.house.admin.get(`/welfare/${family}${entity}/list`, { filters, sort: 'id', size: 100 })).result.list
const ofPerson = (entity: string, person: number) => list(entity, { person: { equals: person } })

/** What the bureau charges for a month: 3,028.00 instead of the 3,048.00 that are due for a base of 12,000. */
const row = (idNumber: string, feeMonth: string) => ({
  feeMonth,
  account: '9900110100社保',
  personName: '外人',
  idNumber,
  expenseType: '正常缴费',
  belongMonth: feeMonth,
  pensionActualBase: '12000',
  pensionActualCompany: '1900',
  pensionActualPersonal: '960',
  unemploymentActualCompany: '60',
  unemploymentActualPersonal: '60',
  workInjuryActualCompany: '48',
  actualTotal: '3028',
})

/** A person charged by the bureau for these months before anybody had enrolled them; their addition is handled since. */
async function adopted(order: number, months: readonly string[]): Promise<number> {
  const idNumber = resident(900 + 2 * order)
  for (const month of months) {
    const { id } = await own.checked(batches, [row(idNumber, month)])
    await own.written(batches, id)
  }
  const lines = (await list('ExpenseLine', { reconcileStatus: { in: ['extra'] } })).filter(
    (line) => line.person === null && line.lineStatus === 'open',
  )
  const { customer, agency, service } = own.around
  const entry = {
    idNumber,
    entryDate: `${months[0]}-01`,
    baseSalary: '12000',
    insuranceCity: '110100',
    [`${family}StartMonth`]: months[0],
  }
  const { id } = await employee(own.house, { customer, agency, service, name: '外人', values: entry })
  for (const line of lines) await done(own.call(`${family}ExpenseLine`, 'accept', line.id!))
  const [addition] = await ofPerson('Addition', id)
  await done(own.call(`${family}Addition`, 'succeed', addition.id!, { handleMonth: months.at(-1)! }))
  expect(await ofPerson('Supplement', id), 'nothing is paid back').toEqual([])
  return id
}
/** The lines for the months that the bureau charged: the month in which they are paid, their type and total. */
const charged = async (person: number, last = '2026-03'): Promise<unknown[]> =>
  (await ofPerson('ExpenseLine', person))
    .filter(({ belongMonth }) => String(belongMonth) <= last)
    .map(({ belongMonth, feeMonth, expenseType, total }) => [belongMonth, feeMonth, expenseType, total])
const lock = async (feeMonth: string) => {
  for (const { id } of await list('ExpenseSummary', { feeMonth: { between: [feeMonth, feeMonth] } }))
    await done(own.call(`${family}ExpenseSummary`, 'confirm', id!))
}
const adjust = async (person: number, newBase: string, [effectiveMonth, handleMonth]: readonly [string, string]) => {
  const made = await own.create(`${family}Adjustment`, { person, adjustType: 'midyear', effectiveMonth, newBase })
  expect(made, JSON.stringify(made)).toMatchObject({ code: 1 })
  await done(own.call(`${family}Adjustment`, 'succeed', made.result.id, { handleMonth }))
  return made.result.id as number
}
async function reduce(person: number, lastMonth: string, handleMonth: string): Promise<number> {
  const made = await own.create(`${family}Reduction`, { person, lastMonth, reductionReason: 'transferOut' })
  expect(made, JSON.stringify(made)).toMatchObject({ code: 1 })
  await done(own.call(`${family}Reduction`, 'succeed', made.result.id, { handleMonth }))
  return made.result.id as number
}

test('a later base adds a difference to what the bureau has charged', async () => {
  const person = await adopted(1, ['2026-03'])
  await lock('2026-03')
  on('2026-04-10')
  await adjust(person, '13500', ['2026-03', '2026-04'])
  expect(await charged(person)).toEqual([
    ['2026-03', '2026-03', 'normal', '3028.00'],
    ['2026-03', '2026-04', 'difference', '401.00'],
  ])
})

test('a policy that comes into force late does so too', async () => {
  const person = await adopted(1, ['2026-03'])
  await lock('2026-03')
  on('2026-04-10')
  const path = '/welfare/policy'
  const { admin } = own.house
  await done(admin.post(`${path}/revise`, { id: own.policies.social }))
  const [{ id }] = (await admin.get(`${path}/list`, { filters: { status: { equals: 'draft' } } })).result.list
  const { revision } = (await admin.get(`${path}/detail`, { id })).result
  const items = policyRows(own.house, family, { baseFloor: '13500', baseCeiling: '36000' }) as Value
  const values = { effectiveFrom: '2026-03', [`${family}Items`]: items }
  await done(admin.post(`${path}/update`, { id, revision, values }))
  await done(admin.post(`${path}/enable`, { id }))
  const [ticket] = await ofPerson('Adjustment', person)
  await done(own.call(`${family}Adjustment`, 'succeed', ticket.id!, { handleMonth: '2026-04' }))
  expect(await charged(person)).toEqual([
    ['2026-03', '2026-03', 'normal', '3028.00'],
    ['2026-03', '2026-04', 'difference', '401.00'],
  ])
})

test('a reduction over its month refunds what was charged', async () => {
  const person = await adopted(1, ['2026-02', '2026-03'])
  expect(await charged(person)).toEqual([
    ['2026-02', '2026-02', 'normal', '3028.00'],
    ['2026-03', '2026-03', 'normal', '3028.00'],
  ])
  await lock('2026-02')
  await lock('2026-03')
  on('2026-04-10')
  await reduce(person, '2026-02', '2026-04')
  expect(await charged(person)).toEqual([
    ['2026-02', '2026-02', 'normal', '3028.00'],
    ['2026-03', '2026-03', 'normal', '3028.00'],
    ['2026-03', '2026-04', 'refund', '-3028.00'],
  ])
})

test('its month is not paid back again, but a difference to it is', async () => {
  const person = await adopted(1, ['2026-03'])
  await lock('2026-03')
  on('2026-04-10')
  const given = { person, base: '12000', reason: '漏缴', fromMonth: '2026-03', toMonth: '2026-03' }
  expect(await own.create(`${family}Supplement`, { ...given, supplementType: 'missed' })).toMatchObject({
    code: 422,
    errors: [{ message: '补缴月份2026-03已缴费' }],
  })
  const made = await own.create(`${family}Supplement`, { ...given, supplementType: 'baseDiff', base: '13500' })
  expect(made, JSON.stringify(made)).toMatchObject({ code: 1 })
  await done(own.call(`${family}Supplement`, 'succeed', made.result.id, { handleMonth: '2026-04', lateFee: '0' }))
  expect(await charged(person)).toEqual([
    ['2026-03', '2026-03', 'normal', '3028.00'],
    ['2026-03', '2026-04', 'supplement', '401.00'],
  ])
})

test('while its month is open, a later base and an end of it count as well, until they are undone', async () => {
  const person = await adopted(1, ['2026-02', '2026-03'])
  const both = [
    ['2026-02', '2026-02', 'normal', '3028.00'],
    ['2026-03', '2026-03', 'normal', '3028.00'],
  ]
  const adjustment = await adjust(person, '13500', ['2026-03', '2026-03'])
  const raised = [...both, ['2026-03', '2026-03', 'difference', '401.00']]
  expect(await charged(person), 'base').toEqual(raised)
  const reduction = await reduce(person, '2026-02', '2026-03')
  expect(await charged(person), 'end').toEqual([...raised, ['2026-03', '2026-03', 'refund', '-3429.00']])
  await done(own.house.admin.post(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth: '2026-03' } }))
  expect(await charged(person), 'generated again').toEqual([...raised, ['2026-03', '2026-03', 'refund', '-3429.00']])
  await done(own.call(`${family}Reduction`, 'revoke', reduction))
  expect(await charged(person), 'no end').toEqual(raised)
  await done(own.call(`${family}Reduction`, 'fail', reduction, { failReason: '经办机构未受理' }))
  await done(own.call(`${family}Reduction`, 'cancel', reduction))
  await done(own.call(`${family}Adjustment`, 'revoke', adjustment))
  expect(await charged(person), 'no other base').toEqual(both)
})

test('a month that holds such a charge and its difference is charged once, whatever is imported or confirmed again', async () => {
  const person = await adopted(1, ['2026-03'])
  const adjustment = await adjust(person, '13500', ['2026-03', '2026-03'])
  const raised = [
    ['2026-03', '2026-03', 'normal', '3028.00'],
    ['2026-03', '2026-03', 'difference', '401.00'],
  ]
  const { idNumber } = (await own.house.admin.get('/staff/person/detail', { id: person })).result
  const { id } = await own.checked(batches, [row(idNumber, '2026-03')])
  await own.written(batches, id)
  await done(own.house.admin.post(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth: '2026-03' } }))
  expect(await charged(person), 'another table').toEqual(raised)
  const [, second] = await ofPerson('ExpenseLine', person)
  expect(second).toMatchObject({ reconcileStatus: 'missing' })
  await done(own.call(`${family}ExpenseLine`, 'keep', second.id!, { adjustReason: '局里下月补收' }))
  await lock('2026-03')
  for (const { id: summary } of await list('ExpenseSummary', {}))
    await done(own.call(`${family}ExpenseSummary`, 'unconfirm', summary!))
  expect(await charged(person), 'unlocked').toEqual(raised)
  await done(own.call(`${family}Adjustment`, 'revoke', adjustment))
  expect((await charged(person)).length, 'revoked').toBe(1)
})

test('wages deduct no more of it than the law allows, although it has no declared base', async () => {
  const idNumber = resident(990)
  const fund = 'accumulationfund'
  const cells = {
    feeMonth: '2026-03',
    account: '9900110100公积金',
    personName: '外人',
    idNumber,
    checked1: '12',
    actualBase: '45000',
    fundActualCompany: '5400',
    fundActualPersonal: '5400',
    actualTotal: '10800',
  }
  const { id } = await own.checked(`${fund}BigTableImport`, [cells])
  await own.written(`${fund}BigTableImport`, id)
  const path = `/welfare/${fund}ExpenseLine`
  const [line] = (await own.house.admin.get(`${path}/list`, { size: 100 })).result.list as RecordData[]
  const { customer, agency, service } = own.around
  const values = { idNumber, entryDate: '2026-03-01', baseSalary: '45000', insuranceCity: '110100' }
  const person = await employee(own.house, { customer, agency, service, name: '外人', values })
  await done(own.house.admin.post(`${path}/accept`, { id: line.id }))
  const payroll = await own.house.create('/salary/payroll', {
    customer,
    serviceContract: service,
    agency,
    payrollMonth: '2026-03',
    planPayDate: '2026-04-16',
    taxMonth: '2026-04',
    welfareMonth: '2026-03',
    name: '三月工资',
  })
  await done(own.house.admin.post('/salary/payroll/calculate', { id: payroll }))
  const { list: wages } = (
    await own.house.admin.get('/salary/payrollLine/list', { filters: { person: { equals: person.id } } })
  ).result
  // 12 % of three average wages of 11,761, in whole yuan.
  expect(wages).toMatchObject([{ welfarePersonalTotal: '5400.00', statutory: '4234.00' }])
})

test('what the bureau charges of an earlier month counts too', async () => {
  const idNumber = resident(980)
  const cells = { ...row(idNumber, '2026-03'), expenseType: '补缴', belongMonth: '2026-02' }
  const { id } = await own.checked(batches, [cells])
  await own.written(batches, id)
  const [line] = await list('ExpenseLine', { reconcileStatus: { in: ['extra'] } })
  const { customer, agency, service } = own.around
  const entry = { entryDate: '2026-02-01', baseSalary: '12000', insuranceCity: '110100' }
  const values = { idNumber, ...entry, [`${family}StartMonth`]: '2026-02' }
  const { id: person } = await employee(own.house, { customer, agency, service, name: '外人', values })
  await done(own.call(`${family}ExpenseLine`, 'accept', line.id!))
  const [addition] = await ofPerson('Addition', person)
  await done(own.call(`${family}Addition`, 'succeed', addition.id!, { handleMonth: '2026-03' }))
  expect(await ofPerson('Supplement', person), 'nothing is paid back').toEqual([])
  await lock('2026-03')
  on('2026-04-10')
  await adjust(person, '13500', ['2026-02', '2026-04'])
  expect(await charged(person, '2026-02')).toEqual([
    ['2026-02', '2026-03', 'supplement', '3028.00'],
    ['2026-02', '2026-04', 'difference', '401.00'],
  ])
})
