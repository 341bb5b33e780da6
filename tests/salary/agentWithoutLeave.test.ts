/**
 * Changes during an employment: the entity that signs, the withholding agent and the contract that is billed. Each
 * withholding agent has its own tax year of a person, so a person taxed by two agents in a year must have left the
 * first.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Value } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import { contracts, employee, serviceValues, sign } from '../contract.ts'
import { createTestServer, type Answer, type Client, type TestServer } from '../server.ts'
import { billedCustomer, type BilledCustomer } from '../statement.ts'
import { act, approve, createOutsourcer, linesOf, payrollFor, wageUsers } from './salary.ts'
import { isLong } from '../long.ts'

let house: TestServer
let clerk: Client
let manager: Client
let outsourcing: number
let where: BilledCustomer
beforeAll(async () => {
  house = await createTestServer()
  ;[clerk, manager] = await wageUsers(house)
  outsourcing = await createOutsourcer(house)
  where = await billedCustomer(house, { heads: 0 })
})
afterAll(() => house?.close())
beforeEach(() => on('2026-01-10'))

const on = (day: string) => Object.assign(house.runtime, { clock: clockOn(day) })
const joins = async (values: Record<string, Value> = {}): Promise<number> =>
  (
    await employee(house, {
      customer: where.customer,
      agency: where.agency,
      service: where.contract,
      values: { entryDate: '2026-01-05', baseSalary: '20000', ...values },
    })
  ).id
async function change(id: number, values: Record<string, Value>): Promise<Answer> {
  const { revision } = (await house.admin.get('/staff/person/detail', { id })).result
  return house.admin.post('/staff/person/update', { id, revision, values })
}
const february = { payrollMonth: '2026-02', welfareMonth: '2026-02', planPayDate: '2026-03-16', taxMonth: '2026-03' }
const done = (answer: Answer) => expect(answer, JSON.stringify(answer)).toMatchObject({ code: 1 })

test('a person taxed by an agent this year cannot be moved to another by editing the record', async () => {
  const person = await joins()
  on('2026-03-10')
  const id = await payrollFor(house, where, february)
  await approve(house, id, { clerk, manager })
  const { batchNo } = (await house.admin.get('/salary/payroll/detail', { id })).result
  const message = `批次${batchNo}已由示范派遣有限公司计税：变更扣缴义务人请办理离职后再入职`
  expect((await change(person, { agency: outsourcing })).errors).toMatchObject([{ field: 'agency', message }])
  expect((await change(person, { taxSubject: 'customer' })).errors).toMatchObject([{ field: 'taxSubject', message }])
  // Changes that keep the agent are allowed, and so is any for a person whom the agent has not taxed.
  done(await change(person, { position: '车间主任' }))
  const other = await joins()
  done(await change(other, { agency: outsourcing }))
  done(await change(other, { agency: where.agency, taxSubject: 'customer' }))
  // The customer withholds, so our entity no longer matters.
  done(await change(other, { agency: outsourcing }))
})

test.skipIf(!isLong)('a voided payroll and a payroll of last year do not bind a person to the agent', async () => {
  const person = await joins()
  on('2026-03-10')
  const id = await payrollFor(house, where, february)
  expect((await change(person, { agency: outsourcing })).code).not.toBe(1)
  done(await act(house, id, 'void'))
  on('2027-01-05')
  done(await change(person, { agency: outsourcing }))
})

test.skipIf(!isLong)('the one-off deduction of 60,000 does not move to another agent', async () => {
  const person = await joins({ fullSixty: true })
  expect((await change(person, { agency: outsourcing })).errors).toMatchObject([
    { field: 'fullSixty', message: '6万元一次性扣除属于原扣缴义务人，变更扣缴义务人时请取消' },
  ])
  done(await change(person, { agency: outsourcing, fullSixty: false }))
})

test('people of a customer moved to another of our entities stay with the agent that taxes them', async () => {
  const person = await joins()
  on('2026-03-10')
  await approve(house, await payrollFor(house, where, february), { clerk, manager })
  const detail = async () => (await house.admin.get('/staff/person/detail', { id: person })).result
  const before = await detail()
  done(await house.admin.post('/customer/assign', { id: where.customer, values: { agency: outsourcing } }))
  const rule = { serviceType: 'outsourcing', feeMode: 'perHead', unitPrice: '90', chargeRule: 'fullMonth' }
  const terms = { serviceTypes: ['outsourcing'], feeRules: [{ ...rule, effectiveFrom: '2026-03' }] as Value }
  const contract = await house.create(contracts, serviceValues(where.customer, outsourcing, terms))
  await sign(house, contract, '2026-03-02')
  done(await change(person, { serviceContract: contract }))
  expect(await detail()).toMatchObject({ agency: before.agency, withholdingAgent: before.withholdingAgent })
  // A payroll of the new entity contains none of them and accepts none.
  const ours = {
    ...february,
    payrollMonth: '2026-03',
    welfareMonth: '2026-03',
    planPayDate: '2026-04-15',
    taxMonth: '2026-04',
  }
  on('2026-04-10')
  const id = await payrollFor(house, { ...where, agency: outsourcing, contract }, ours)
  expect(await linesOf(house, id)).toEqual([])
  const line = { payroll: id, person, baseSalary: '1' }
  expect((await house.admin.post('/salary/payrollLine/create', { values: line })).errors).toMatchObject([
    { field: 'person', message: '扣缴义务人与批次不一致' },
  ])
  done(await house.admin.post('/customer/assign', { id: where.customer, values: { agency: where.agency } }))
})
