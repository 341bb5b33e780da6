/** A customer with one contract for employment and another for commercial insurance: each charges its own service. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { contracts, serviceValues, sign } from '../contract.ts'
import { confirmStatement } from '../invoice.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { billedCustomer, deliver, generate, items, statements, statementsOf } from '../statement.ts'

const benefits = '/welfare/otherBenefit'
let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const rule = (serviceType: string, unitPrice: string) => ({
  serviceType,
  feeMode: 'perHead',
  unitPrice,
  chargeRule: 'fullMonth',
  effectiveFrom: '2026-01',
})
const idOf = (value: Value | undefined) => (value as RecordData | null)?.id

/** Both contracts, and a person under the first. */
async function customerWithTwo(also: string[] = ['commercialInsurance'], heads = 1) {
  const customer = await billedCustomer(house, { heads })
  const terms = { serviceTypes: also, feeRules: also.map((type) => rule(type, '10')) as unknown as Value }
  const other = await house.create(contracts, serviceValues(customer.customer, customer.agency, terms))
  await sign(house, other, '2026-01-05')
  const [person] = customer.people
  const benefit = async (feeMonth: string, insured = person) => {
    const id = await house.create(benefits, {
      feeMonth,
      customer: customer.customer,
      serviceContract: other,
      person: insured,
      benefitType: 'commercialInsurance',
      itemName: '补充医疗',
      quantity: 1,
      unitPrice: '88',
      companyAmount: '88',
    })
    expect(await house.admin.post(`${benefits}/confirm`, { id })).toMatchObject({ code: 1 })
  }
  const insurance = (costMonth: string) =>
    deliver(house, customer, [{ person, feeItem: 'pension', amount: '1352.00', costMonth }])
  const bill = (billMonth: string) => generate(house.admin, [customer.customer], billMonth)
  /** For each contract the month, fee item and amount of what it bills. */
  const billed = async () => {
    const all = await statementsOf(house, customer.customer)
    const of = async (contract: number) => {
      const own = all.filter((each) => idOf(each.contract) === contract && each.stage !== 'voided')
      const found = await Promise.all(own.map(({ id }) => items(house, id!)))
      return found.flat().map(({ costMonth, feeItem, amount }) => [costMonth, feeItem, amount])
    }
    return { own: await of(customer.contract), other: await of(other) }
  }
  const confirm = async () => {
    for (const { id, stage } of await statementsOf(house, customer.customer))
      if (stage === 'generated') await confirmStatement(house, id!)
  }
  return { customer, other, benefit, insurance, bill, billed, confirm }
}
const own = (month: string) => [
  [month, 'pension', '1352.00'],
  [month, 'serviceFee', '120.00'],
]
const other = (month: string) => [
  [month, 'commercialInsurance', '88.00'],
  [month, 'serviceFee', '10.00'],
]

test('billed together, each charges its own service, also when recomputed', async () => {
  const { customer, benefit, insurance, bill, billed } = await customerWithTwo()
  await benefit('2026-03')
  await insurance('2026-03')
  await bill('2026-03')
  const both = { own: own('2026-03'), other: other('2026-03') }
  expect(await billed()).toEqual(both)
  for (const { id } of await statementsOf(house, customer.customer))
    expect(await house.admin.post(`${statements}/regenerate`, { id })).toMatchObject({ code: 1 })
  expect(await billed(), 'again').toEqual(both)
})

test.each([
  ['employment', 'insurance', 'benefit'],
  ['commercial insurance', 'benefit', 'insurance'],
] as const)('with %s billed and confirmed first, the other still charges its month', async (_, first, second) => {
  const all = await customerWithTwo()
  await all[first]('2026-03')
  await all.bill('2026-03')
  await all.confirm()
  await all[second]('2026-03')
  await all.bill('2026-03')
  expect(await all.billed()).toEqual({ own: own('2026-03'), other: other('2026-03') })
})

test('a leave that was taken back is charged late by both, each for its own service', async () => {
  const { customer, benefit, insurance, bill, billed, confirm } = await customerWithTwo()
  const leave = (day: string) =>
    house.database.pool.query(`update person set "leaveDate" = ${day} where id = $1`, customer.people)
  const wholeMonth = async (month: string) => {
    await benefit(month)
    await insurance(month)
    await bill(month)
    await confirm()
  }
  await wholeMonth('2026-03')
  await leave(`'2026-03-20'`)
  await wholeMonth('2026-04')
  const [april, noFee] = [own('2026-04').slice(0, 1), other('2026-04').slice(0, 1)]
  expect(await billed()).toEqual({ own: [...own('2026-03'), ...april], other: [...other('2026-03'), ...noFee] })
  await leave('null')
  await wholeMonth('2026-05')
  const late = (fees: string[][], month: string) => [fees[0], [month, 'serviceFee', fees[1][2]], fees[1]]
  expect(await billed()).toEqual({
    own: [...own('2026-03'), ...april, ...late(own('2026-05'), '2026-04')],
    other: [...other('2026-03'), ...noFee, ...late(other('2026-05'), '2026-04')],
  })
})

test('a benefit that comes late is charged for its month, and not for the one that bills it', async () => {
  const { customer, other, benefit, bill, confirm } = await customerWithTwo(['commercialInsurance'], 2)
  const [first, second] = customer.people
  await benefit('2026-03', first)
  await bill('2026-03')
  await confirm()
  await benefit('2026-03', second)
  await benefit('2026-04', first)
  await bill('2026-04')
  const april = (await statementsOf(house, customer.customer)).find(
    ({ billMonth, contract }) => billMonth === '2026-04' && idOf(contract) === other,
  )
  const fees = (await items(house, april!.id!)).filter(({ feeItem }) => feeItem === 'serviceFee')
  expect(fees.map(({ person, costMonth, amount }) => [idOf(person), costMonth, amount])).toEqual([
    [first, '2026-04', '10.00'],
    [second, '2026-03', '10.00'],
  ])
})

test('somebody who moves between contracts of the same service is charged by one of them', async () => {
  const { customer, other, bill, billed } = await customerWithTwo(['outsourcing'])
  const [person] = customer.people
  await house.database.pool.query(`update person set "serviceContract" = $1 where id = $2`, [other, person])
  await deliver(house, customer, [{ person, feeItem: 'grossWage', amount: '5000.00', costMonth: '2026-02' }])
  await deliver(house, { ...customer, contract: other }, [
    { person, feeItem: 'pension', amount: '1352.00', costMonth: '2026-03' },
  ])
  await house.database.pool.query(`update person set "employmentForm" = 'outsourcing' where id = $1`, [person])
  await bill('2026-03')
  expect(await billed()).toEqual({
    own: [['2026-02', 'grossWage', '5000.00']],
    other: [
      ['2026-03', 'pension', '1352.00'],
      ['2026-03', 'serviceFee', '10.00'],
    ],
  })
})
