import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { runDaily } from '../../engine/server/jobs/daily.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import { createTestServer, type Client, type TestServer } from '../server.ts'
import { billedCustomer, type BilledCustomer } from '../statement.ts'
import { act, approve, linesOf, payrollFor, wageUsers } from './salary.ts'

let house: TestServer
let clerk: Client
let manager: Client
beforeAll(async () => {
  house = await createTestServer()
  ;[clerk, manager] = await wageUsers(house)
})
afterAll(() => house?.close())

const done = (answer: { code: number; message?: string }) =>
  expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1 })
const list = '/salary/undeducted'
const owed = async (person: number, filters: Record<string, unknown> = {}): Promise<RecordData[]> =>
  (await clerk.get(`${list}/list`, { filters: { person: { equals: person }, ...filters }, sort: 'feeMonth' })).result
    .list
const amounts = async (person: number) =>
  (await owed(person, { state: { in: ['open'] } })).map(({ feeMonth, amount }) => [feeMonth, amount])
const benefit = async (
  { customer, contract, people }: BilledCustomer,
  values: Record<string, Value> = {},
): Promise<number> => {
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
    ...values,
  })
  done(await decided(id, 'confirm'))
  return id
}
const decided = (id: number, action: string) => house.admin.post(`/welfare/otherBenefit/${action}`, { id })
const march = { payrollMonth: '2026-03', welfareMonth: '2026-03', planPayDate: '2026-04-15', taxMonth: '2026-04' }

/** A person whose February wages deducted 80.00 for a benefit that was withdrawn afterwards. */
async function takenBack(): Promise<{ employer: BilledCustomer; person: number; payroll: number; id: number }> {
  const employer = await billedCustomer(house, { heads: 1 })
  const id = await benefit(employer)
  const payroll = await payrollFor(house, employer)
  await approve(house, payroll, { clerk, manager })
  expect(await linesOf(house, payroll)).toMatchObject([{ benefitDeduct: '80.00' }])
  expect(await owed(employer.people[0])).toEqual([])
  done(await decided(id, 'unconfirm'))
  return { employer, person: employer.people[0], payroll, id }
}

test("a benefit withdrawn after a leaver's last wages is owed to them until it is settled", async () => {
  const { employer, person, payroll } = await takenBack()
  const leave = { leaveDate: '2026-03-31', leaveReason: 'mutual' }
  done(await house.admin.post('/staff/person/leave', { id: person, values: leave }))
  const [row] = await owed(person)
  expect(row).toMatchObject({
    amount: '-80.00',
    feeMonth: '2026-02',
    kind: 'benefit',
    state: 'open',
    since: '2026-03-15',
    payroll: { id: payroll },
    customer: { id: employer.customer },
    owner: { name: '用户paying' },
  })
  const settled = { settledOn: '2026-03-15', settledRemark: '银行转账退还，回单号0315' }
  expect(await clerk.post(`${list}/settle`, { id: row.id, values: settled })).toMatchObject({ code: 403 })
  done(await manager.post(`${list}/settle`, { id: row.id, values: settled }))
  expect(await owed(person)).toMatchObject([{ ...settled, state: 'settled', amount: '-80.00' }])
  expect(await manager.post(`${list}/settle`, { id: row.id, values: settled })).toMatchObject({ code: 409 })
  // Later wages do not refund it again, and it is not listed again.
  const next = await payrollFor(house, employer, march)
  if ((await linesOf(house, next)).length === 0)
    done(await house.admin.post('/salary/payrollLine/create', { values: { payroll: next, person } }))
  await approve(house, next, { clerk, manager })
  expect(await linesOf(house, next)).toMatchObject([{ benefitDeduct: '0.00', afterTaxDeduct: null }])
  expect(await amounts(person)).toEqual([])
})

test.skipIf(!isLong)('a mistaken settlement can be undone, and the next wages refund what is owed', async () => {
  const { employer, person } = await takenBack()
  const [row] = await owed(person)
  const settled = { settledOn: '2026-03-15', settledRemark: '误登记' }
  done(await manager.post(`${list}/settle`, { id: row.id, values: settled }))
  done(await manager.post(`${list}/undoSettle`, { id: row.id }))
  expect(await amounts(person)).toEqual([['2026-02', '-80.00']])
  const next = await payrollFor(house, employer, march)
  await approve(house, next, { clerk, manager })
  expect(await linesOf(house, next)).toMatchObject([{ benefitDeduct: '-80.00' }])
  expect(await owed(person)).toEqual([])
  done(await act(house, next, 'unapprove', undefined, manager))
  expect(await amounts(person)).toEqual([['2026-02', '-80.00']])
})

test.skipIf(!isLong)('a benefit confirmed again after the settlement is owed by the person', async () => {
  const { person, id } = await takenBack()
  const [row] = await owed(person)
  done(
    await manager.post(`${list}/settle`, {
      id: row.id,
      values: { settledOn: '2026-03-15', settledRemark: '现金退还' },
    }),
  )
  done(await decided(id, 'confirm'))
  expect(await amounts(person)).toEqual([['2026-02', '80.00']])
})

test('a benefit confirmed after the wages of its month is listed; one of a month without wages is not', async () => {
  const employer = await billedCustomer(house, { heads: 1 })
  await approve(house, await payrollFor(house, employer), { clerk, manager })
  await benefit(employer)
  await benefit(employer, { feeMonth: '2026-03', itemName: '节日礼品' })
  expect(await amounts(employer.people[0])).toEqual([['2026-02', '80.00']])
  await approve(house, await payrollFor(house, employer, march), { clerk, manager })
  expect(await amounts(employer.people[0])).toEqual([])
})

test.skipIf(!isLong)('amounts owed before benefits were listed are added once', async () => {
  const { person } = await takenBack()
  const { pool } = house.database
  await pool.query('delete from undeducted')
  await pool.query(`delete from system_daily_rule where rule = 'fillUndeductedBenefits'`)
  // Like any rule new to a database, it first runs on the following day.
  for (const day of ['2026-03-16', '2026-03-17']) {
    Object.assign(house.runtime, { clock: clockOn(day) })
    await runDaily(house.runtime)
  }
  expect(await amounts(person)).toEqual([['2026-02', '-80.00']])
})

test('a benefit that comes late is one of the former customer, in the last wages there', async () => {
  const [employer, next] = [await billedCustomer(house, { heads: 1 }), await billedCustomer(house, { heads: 0 })]
  const [person] = employer.people
  const moves = async (action: string, values: Record<string, Value> = {}) =>
    done(await house.admin.post(`/staff/person/${action}`, { id: person, values }))
  await moves('leave', { leaveDate: '2026-02-28', leaveReason: 'mutual' })
  await moves('close')
  const { customer, agency, contract: serviceContract } = next
  await moves('rehire', { customer, agency, serviceContract, entryDate: '2026-03-01', baseSalary: '6000' })
  const id = await benefit(employer)
  const { cost } = (await house.admin.get('/welfare/otherBenefit/detail', { id })).result
  expect((await house.admin.get('/settlement/costLine/detail', { id: cost.id })).result).toMatchObject({
    customer: { id: employer.customer },
    person: { id: person },
  })
  const payroll = await payrollFor(house, employer)
  expect((await linesOf(house, payroll)).map((line) => [line.person, line.benefitDeduct])).toMatchObject([
    [{ id: person }, '80.00'],
  ])
  const { people } = await billedCustomer(house, { heads: 1 })
  await expect(benefit({ ...employer, people })).rejects.toThrow('不属于此客户')
})
