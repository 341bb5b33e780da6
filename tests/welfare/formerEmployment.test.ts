/**
 * People who moved from one customer to another: whose months are paid back, which wages bear them, and which contract
 * is billed if only the contract changes.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import type { Value } from '../../engine/model/model.ts'
import { contracts, serviceValues, sign } from '../contract.ts'
import { act as actOn, approve, createOutsourcer, edit, linesOf, payrollFor, wageUsers } from '../salary/salary.ts'
import type { Client } from '../server.ts'
import { billedCustomer, type BilledCustomer } from '../statement.ts'
import { done, family, idOf, movingHouse, type MovingHouse } from './moving.ts'

let { house, detail, call, create, on, ticketsOf, insure, generate, costs, ...moving } = {} as MovingHouse
let clerk: Client
let manager: Client
let outsourcing: number
let first: BilledCustomer
let second: BilledCustomer
beforeAll(async () => {
  ;({ house, detail, call, create, on, ticketsOf, insure, generate, costs, ...moving } = await movingHouse())
  ;[clerk, manager] = await wageUsers(house)
  outsourcing = await createOutsourcer(house)
})
afterAll(() => house?.close())
beforeEach(async () => {
  on('2026-01-10')
  first = await billedCustomer(house, { heads: 0 })
  const other = await billedCustomer(house, {
    heads: 0,
    values: { agency: outsourcing },
    terms: { agency: outsourcing },
  })
  second = { ...other, agency: outsourcing }
})

const joins = (insuredFrom?: string) => moving.joins(first, insuredFrom)
const moves = (id: number, leaveDate: string, entryDate: string) => moving.moves(id, leaveDate, second, entryDate)
const payBack = (person: number, fromMonth: string, toMonth: string) =>
  create(`${family}Supplement`, { person, supplementType: 'missed', base: '12000', fromMonth, toMonth, reason: '漏缴' })
const march = { payrollMonth: '2026-03', welfareMonth: '2026-03', planPayDate: '2026-04-15', taxMonth: '2026-04' }

test('months of a former employment are paid back by its customer and deducted from present wages', async () => {
  const person = await joins()
  on('2026-03-02')
  await moves(person, '2026-02-28', '2026-03-02')
  await insure(person, '2026-03')
  await generate('2026-03', second)
  on('2026-03-10')
  const { result } = await payBack(person, '2026-01', '2026-02')
  expect(await detail(`${family}Supplement`, result.id)).toMatchObject({
    customer: { id: first.customer },
    serviceContract: { id: first.contract },
    enrolment: null,
    base: '12000.00',
    companyTotal: '4056.00',
    personalTotal: '2040.00',
  })
  done(await call(`${family}Supplement`, 'succeed', result.id, { handleMonth: '2026-03', lateFee: '0' }))
  const back = (await costs(person)).filter(([, , , , feeItem]) => feeItem === 'backPayment')
  expect(back).toEqual(
    ['2026-01', '2026-02'].flatMap((month) => [
      [first.customer, first.contract, month, '2026-03', 'backPayment', 'company', '2028.00'],
      [first.customer, first.contract, month, '2026-03', 'backPayment', 'personal', '1020.00'],
    ]),
  )
  // Three months of 1,020.00 are deducted from the wages for March, and from their taxable income.
  on('2026-04-10')
  const id = await payrollFor(house, second, march)
  await approve(house, id, { clerk, manager })
  expect(await linesOf(house, id)).toMatchObject([{ welfarePersonalTotal: '3060.00', statutory: '3060.00' }])
})

test.skipIf(!isLong)('one ticket cannot pay back months of two customers', async () => {
  const person = await joins()
  on('2026-03-02')
  await moves(person, '2026-02-28', '2026-03-02')
  on('2026-04-10')
  expect((await payBack(person, '2026-02', '2026-03')).errors).toMatchObject([
    { field: 'toMonth', message: '2026-03起属于另一段任职，由其客户承担，请分开补缴' },
  ])
  expect((await payBack(person, '2025-12', '2025-12')).errors).toMatchObject([
    { field: 'fromMonth', message: '补缴月份2025-12该人员不在职' },
  ])
  // For a month with both employments, the present customer may pay.
  done(await payBack(person, '2026-03', '2026-03'))
  expect(await ticketsOf('Supplement', person)).toMatchObject([{ customer: { id: second.customer } }])
})

test.skipIf(!isLong)('a month with wages of two agents is deducted once, and late amounts by the next', async () => {
  on('2026-03-02')
  const person = await joins('2026-03')
  await insure(person, '2026-03')
  on('2026-03-17')
  await moves(person, '2026-03-15', '2026-03-16')
  await generate('2026-03', first)
  on('2026-04-10')
  const [there, here] = [await payrollFor(house, second, march), await payrollFor(house, first, march)]
  await approve(house, there, { clerk, manager })
  expect(await linesOf(house, there)).toMatchObject([{ welfarePersonalTotal: '1020.00', statutory: '1020.00' }])
  done(await actOn(house, here, 'calculate'))
  const lineOf = async () => (await linesOf(house, here)).find((line) => idOf(line.person) === person)!
  expect(await lineOf()).toMatchObject({ welfarePersonalTotal: '0.00', statutory: '0.00', welfareCompanyTotal: '0.00' })

  // January and February are paid back in March, after the first payroll deducted the rest.
  const { result } = await payBack(person, '2026-01', '2026-02')
  done(await call(`${family}Supplement`, 'succeed', result.id, { handleMonth: '2026-03', lateFee: '0' }))
  done(await actOn(house, here, 'calculate'))
  expect(await lineOf()).toMatchObject({
    welfarePersonalTotal: '2040.00',
    statutory: '2040.00',
    welfareCompanyTotal: '4056.00',
  })
  expect(await edit(house, await lineOf(), { bonus: '100' })).toMatchObject({ code: 1 })
  await approve(house, here, { clerk, manager })
  expect(await lineOf()).toMatchObject({ welfarePersonalTotal: '2040.00' })
})

test.skipIf(!isLong)('another contract of the customer is billed from the open months on', async () => {
  on('2026-03-25')
  const person = await joins('2026-02')
  await insure(person, '2026-02')
  await generate('2026-02', first)
  const february = (await ticketsOf('ExpenseLine', person)).find(({ feeMonth }) => feeMonth === '2026-02')!
  done(await call(`${family}ExpenseSummary`, 'confirm', idOf(february.summary)!))
  await generate('2026-03', first)
  const rule = { serviceType: 'outsourcing', feeMode: 'perHead', unitPrice: '90', chargeRule: 'fullMonth' }
  const terms = { serviceTypes: ['outsourcing'], feeRules: [{ ...rule, effectiveFrom: '2026-01' }] as Value }
  const contract = await house.create(contracts, serviceValues(first.customer, first.agency, terms))
  await sign(house, contract, '2026-01-05')
  const { revision } = await house.admin.get('/staff/person/detail', { id: person }).then(({ result }) => result)
  done(await house.admin.post('/staff/person/update', { id: person, revision, values: { serviceContract: contract } }))
  await generate('2026-04', first)
  expect(
    (await ticketsOf('ExpenseLine', person))
      .map(({ feeMonth, serviceContract }) => [feeMonth, idOf(serviceContract)])
      .toSorted((a, b) => String(a).localeCompare(String(b))),
  ).toEqual([
    ['2026-02', first.contract],
    ['2026-03', contract],
    ['2026-04', contract],
  ])
  expect(new Set((await costs(person)).map((cost) => cost.slice(1, 3).join(' ')))).toEqual(
    new Set([`${first.contract} 2026-02`, `${contract} 2026-03`, `${contract} 2026-04`]),
  )
})
