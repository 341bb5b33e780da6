/** The people and months that a statement charges fees for: each month of work once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMonths } from '../../engine/expression/index.ts'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { contracts, serviceValues, sign } from '../contract.ts'
import { confirmStatement } from '../invoice.ts'
import { createTestServer, type TestServer } from '../server.ts'
import {
  adjustments,
  billedCustomer,
  deliver,
  generate,
  items,
  statements,
  statementsOf,
  type BilledCustomer,
} from '../statement.ts'
import { isLong } from '../long.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const rule = (values: Record<string, Value> = {}) => ({
  serviceType: 'dispatch',
  feeMode: 'perHead',
  unitPrice: '120',
  chargeRule: 'fullMonth',
  effectiveFrom: '2026-01',
  ...values,
})
const customerWith = (feeRules: Record<string, Value>[], terms: Record<string, Value> = {}) =>
  billedCustomer(house, { terms: { startDate: '2025-06-01', feeRules: feeRules as unknown as Value, ...terms } })
const wages = (people: number[], costMonth: string): RecordData[] =>
  people.map((person) => ({ person, feeItem: 'grossWage', amount: '5000.00', costMonth }))
const feesOf = async (customer: BilledCustomer, billMonth: string, wageMonth: string) => {
  await generate(house.admin, [customer.customer], billMonth, { wageMonth })
  const statement = (await statementsOf(house, customer.customer)).find((each) => each.billMonth === billMonth)!
  const fees = (await items(house, statement.id!)).filter(({ feeItem }) => feeItem === 'serviceFee')
  return {
    id: statement.id!,
    fees: fees.map(({ person, costMonth, amount }) => [
      person ? customer.people.indexOf((person as { id: number }).id) : null,
      costMonth,
      amount,
    ]),
  }
}
const set = (person: number, values: string) =>
  house.database.pool.query(`update person set ${values} where id = ${person}`)

test('a February leaver is charged for February but not for March', async () => {
  const customer = await customerWith([rule()])
  await set(customer.people[1], `"leaveDate" = '2026-02-20'`)
  await deliver(house, customer, wages(customer.people, '2026-01'))
  expect((await feesOf(customer, '2026-02', '2026-01')).fees).toEqual([
    [0, '2026-02', '120.00'],
    [1, '2026-02', '120.00'],
  ])
  await deliver(house, customer, wages(customer.people, '2026-02'))
  expect((await feesOf(customer, '2026-03', '2026-02')).fees).toEqual([[0, '2026-03', '120.00']])
})

test.each<[string, { leaveDate?: string; endDate?: string; billed?: string }, [number, string][]]>([
  [
    'somebody who goes on',
    {},
    [
      [0, '2026-03'],
      [1, '2026-02'],
      [1, '2026-03'],
    ],
  ],
  [
    'a leaver',
    { leaveDate: '2026-02-20' },
    [
      [0, '2026-03'],
      [1, '2026-02'],
    ],
  ],
  ['a leaver whose wages come late', { leaveDate: '2026-02-20', billed: '2026-04' }, [[1, '2026-02']]],
  ['people of a contract that has ended', { endDate: '2026-02-28' }, [[1, '2026-02']]],
])(
  'wages of February alone charge for it, if nothing else did: %s',
  async (_, { leaveDate, endDate = '2027-05-31', billed = '2026-03' }, fees) => {
    const customer = await customerWith([rule()], { endDate })
    const [first, second] = customer.people
    if (leaveDate) await set(second, `"leaveDate" = '${leaveDate}'`)
    await deliver(house, customer, wages([first], '2026-01'))
    expect((await feesOf(customer, '2026-02', '2026-01')).fees).toEqual([[0, '2026-02', '120.00']])
    await deliver(house, customer, wages(billed === '2026-03' ? [first, second] : [second], '2026-02'))
    expect((await feesOf(customer, billed, addMonths(billed, -1)!)).fees).toEqual(fees.map((fee) => [...fee, '120.00']))
  },
)

test.skipIf(!isLong)('a joiner of late February is charged for it with the first wages', async () => {
  const customer = await customerWith([rule({ chargeRule: 'halfMonth' })])
  await set(customer.people[1], `"entryDate" = '2026-02-20'`)
  await deliver(house, customer, wages(customer.people.slice(0, 1), '2026-01'))
  expect((await feesOf(customer, '2026-02', '2026-01')).fees).toEqual([[0, '2026-02', '120.00']])
  await deliver(house, customer, wages(customer.people, '2026-02'))
  expect((await feesOf(customer, '2026-03', '2026-02')).fees).toEqual([
    [0, '2026-03', '120.00'],
    [1, '2026-02', '60.00'],
    [1, '2026-03', '120.00'],
  ])
})

const insured = (people: number[], costMonth: string): RecordData[] =>
  people.map((person) => ({ person, feeItem: 'pension', amount: '10.00', costMonth }))
const months = ['2026-01', '2026-02', '2026-03']
const [january, february, march] = months.map((month) => [0, month, '120.00'])

test.each<
  [string, { startDate?: string; joined?: string }, (first: number, second: number) => RecordData[], Value[][]]
>([
  [
    'all months of a contract that began in January',
    { startDate: '2026-01-01' },
    (first) => [...['2026-01', '2026-02'].flatMap((each) => wages([first], each)), ...insured([first], '2026-03')],
    [january, february, march],
  ],
  [
    'also those of whose wages alone are billed',
    { startDate: '2026-01-01' },
    (first, second) => [...insured([first], '2026-01'), ...wages([second], '2026-02')],
    [january, [1, '2026-02', '120.00'], march, [1, '2026-03', '120.00']],
  ],
  [
    'all months of a joiner',
    { joined: '2026-01-20' },
    (first) => months.flatMap((each) => insured([first], each)),
    [january, february, march],
  ],
  ['months whose insurance is billed here', {}, (first) => insured([first], '2026-02'), [february, march]],
  [
    'but not the month before, of which only the wages are left',
    {},
    (first) => [...wages([first], '2026-02'), ...insured([first], '2026-03')],
    [march],
  ],
])('the first statement of a customer charges %s', async (_, { startDate = '2025-06-01', joined }, costs, fees) => {
  const customer = await customerWith([rule()], { startDate })
  const [first, second] = customer.people
  if (joined) await set(first, `"entryDate" = '${joined}'`)
  await deliver(house, customer, costs(first, second))
  const { id, fees: charged } = await feesOf(customer, '2026-03', '2026-02')
  expect(charged).toEqual(fees)
  expect(await house.admin.post(`${statements}/regenerate`, { id })).toMatchObject({ code: 1 })
  expect((await feesOf(customer, '2026-03', '2026-02')).fees, 'again').toEqual(fees)
})

test('a month that the first statement charged late is charged to others later, with the wages alone', async () => {
  const customer = await customerWith([rule()])
  const [first, second] = customer.people
  await deliver(house, customer, insured([first], '2026-02'))
  const { id, fees } = await feesOf(customer, '2026-03', '2026-02')
  expect(fees).toEqual([february, march])
  await confirmStatement(house, id)
  await deliver(house, customer, [...wages([second], '2026-02'), ...insured([second], '2026-04')])
  expect((await feesOf(customer, '2026-04', '2026-03')).fees).toEqual(
    ['2026-02', '2026-03', '2026-04'].map((month) => [1, month, '120.00']),
  )
})

test('days worked count for the month in which they were worked', async () => {
  const customer = await customerWith([rule({ chargeRule: 'byDay' })])
  await set(customer.people[1], `"entryDate" = '2026-02-20'`)
  await deliver(house, customer, wages(customer.people.slice(0, 1), '2026-01'))
  await feesOf(customer, '2026-02', '2026-01')
  const worked = wages(customer.people, '2026-02').map((cost, index) => ({ ...cost, workedDays: [20, 5][index] }))
  await deliver(house, customer, worked)
  // 120 × 5 / 28 = 21.43
  expect((await feesOf(customer, '2026-03', '2026-02')).fees).toEqual([
    [0, '2026-03', '120.00'],
    [1, '2026-02', '21.43'],
    [1, '2026-03', '120.00'],
  ])
})

test('late wages are charged the fee of their month on the next statement', async () => {
  const customer = await customerWith([rule()])
  await deliver(house, customer, [
    { person: customer.people[0], feeItem: 'pension', amount: '10.00', costMonth: '2026-03' },
  ])
  const first = await feesOf(customer, '2026-03', '2026-02')
  expect(first.fees).toEqual([[0, '2026-03', '120.00']])
  await confirmStatement(house, first.id)
  await deliver(house, customer, [...wages(customer.people, '2026-02'), ...wages(customer.people, '2026-03')])
  expect((await feesOf(customer, '2026-04', '2026-03')).fees).toEqual([
    [0, '2026-04', '120.00'],
    [1, '2026-03', '120.00'],
    [1, '2026-04', '120.00'],
  ])
})

test('of two services, the one whose costs come late is charged late, and the other not again', async () => {
  const services = { insuranceAgency: '30', payrollAgency: '50' }
  const feeRules = Object.entries(services).map(([serviceType, unitPrice]) => rule({ serviceType, unitPrice }))
  const customer = await billedCustomer(house, {
    heads: 1,
    terms: { startDate: '2025-06-01', serviceTypes: Object.keys(services), feeRules: feeRules as unknown as Value },
  })
  await set(customer.people[0], `"employmentForm" = 'agency'`)
  const insured = (costMonth: string): RecordData[] => [
    { person: customer.people[0], feeItem: 'pension', amount: '10.00', costMonth },
  ]
  await deliver(house, customer, insured('2026-03'))
  const first = await feesOf(customer, '2026-03', '2026-02')
  expect(first.fees).toEqual([[0, '2026-03', '30.00']])
  await confirmStatement(house, first.id)
  await deliver(house, customer, [
    ...wages(customer.people, '2026-02'),
    ...wages(customer.people, '2026-03'),
    ...insured('2026-04'),
  ])
  const second = await feesOf(customer, '2026-04', '2026-03')
  const april = [
    [0, '2026-04', '30.00'],
    [0, '2026-03', '50.00'],
    [0, '2026-04', '50.00'],
  ]
  expect(second.fees).toEqual(april)
  expect(await house.admin.post(`${statements}/regenerate`, { id: second.id })).toMatchObject({ code: 1 })
  expect((await feesOf(customer, '2026-04', '2026-03')).fees, 'again').toEqual(april)
  await deliver(house, customer, [...wages(customer.people, '2026-03'), ...insured('2026-05')])
  const may = await feesOf(customer, '2026-05', '2026-04')
  expect(may.fees, 'neither again, nor May for late wages').toEqual([[0, '2026-05', '30.00']])
})

test.skipIf(!isLong)('a February leaver is charged the price of February', async () => {
  const customer = await customerWith([
    rule({ effectiveTo: '2026-02' }),
    rule({ effectiveFrom: '2026-03', unitPrice: '150' }),
  ])
  await set(customer.people[1], `"leaveDate" = '2026-02-20'`)
  await deliver(house, customer, wages(customer.people, '2026-02'))
  expect((await feesOf(customer, '2026-03', '2026-02')).fees).toEqual([
    [0, '2026-03', '150.00'],
    [1, '2026-02', '120.00'],
  ])
})

test.skipIf(!isLong)('a person who leaves and returns within a month is charged for both parts', async () => {
  const customer = await customerWith([rule({ chargeRule: 'byDay' })])
  const [, person] = customer.people
  await set(person, `"entryDate" = '2026-03-20'`)
  await house.database.pool.query(
    `insert into "employmentRecord"
       (id, revision, person, customer, "serviceContract", "entryDate", "leaveDate", position, "employmentForm")
       select max(id) + 100, 1, $1, $2, $3, '2025-01-01', '2026-03-10', '装配工', 'dispatch' from "employmentRecord"`,
    [person, customer.customer, customer.contract],
  )
  await deliver(house, customer, wages(customer.people, '2026-02'))
  // 10 + 12 of 31 days: 120 × 22 / 31 = 85.16
  expect((await feesOf(customer, '2026-03', '2026-02')).fees).toEqual([
    [0, '2026-03', '120.00'],
    [1, '2026-03', '85.16'],
  ])
})

test('a late contribution charges the fee of its month, and a difference charges none again', async () => {
  const customer = await customerWith([rule()])
  const [stayer, joiner] = customer.people
  const pension = (person: number, costMonth: string, billMonth: string | null = null): RecordData => ({
    person,
    feeItem: 'pension',
    amount: '10.00',
    costMonth,
    billMonth,
  })
  await deliver(house, customer, [pension(stayer, '2026-03')])
  const { id } = await feesOf(customer, '2026-03', '2026-02')
  await confirmStatement(house, id)
  await deliver(house, customer, [
    pension(stayer, '2026-03', '2026-04'),
    pension(joiner, '2026-03', '2026-04'),
    pension(stayer, '2026-04'),
    pension(joiner, '2026-04'),
  ])
  const april = [
    [0, '2026-04', '120.00'],
    [1, '2026-03', '120.00'],
    [1, '2026-04', '120.00'],
  ]
  const second = await feesOf(customer, '2026-04', '2026-03')
  expect(second.fees).toEqual(april)
  expect(await house.admin.post(`${statements}/regenerate`, { id: second.id }), 'again').toMatchObject({ code: 1 })
  expect((await feesOf(customer, '2026-04', '2026-03')).fees).toEqual(april)
  // The next statement charges neither month.
  await deliver(house, customer, [pension(joiner, '2026-03', '2026-05'), pension(joiner, '2026-05')])
  expect((await feesOf(customer, '2026-05', '2026-04')).fees).toEqual([[1, '2026-05', '120.00']])
})

test.each([
  ['per head', {}, ['120.00', '120.00'], undefined, ['120.00', '120.00', '120.00', '120.00']],
  [
    'with a minimum',
    { minAmount: '1000' },
    ['120.00', '120.00', '760.00'],
    ['1000.00'],
    // The minimum of March, charged before any person, counts in full for its two heads.
    ['-240.00', '120.00', '120.00', '120.00', '120.00', '760.00'],
  ],
  ['fixed', { feeMode: 'fixed', fixedAmount: '3000', unitPrice: null }, ['3000.00'], ['3000.00'], ['3000.00']],
])(
  'an ended contract bills its last wages, and its successor the fee of the next month: %s',
  async (_, values, february, march, april) => {
    const feeRules = [rule(values)] as unknown as Value
    const customer = await billedCustomer(house, {
      terms: { startDate: '2025-06-01', endDate: '2026-02-28', feeRules },
    })
    const next = await house.create(
      contracts,
      serviceValues(customer.customer, customer.agency, { startDate: '2026-03-01', feeRules }),
    )
    await sign(house, next, '2026-03-01')
    const fees = async (billMonth: string, wageMonth: string) => {
      await generate(house.admin, [customer.customer], billMonth, { wageMonth })
      const made = (await statementsOf(house, customer.customer)).filter((each) => each.billMonth === billMonth)
      const feesOf = async (contract: number) => {
        const statement = made.find((each) => (each.contract as { id: number }).id === contract)
        return (
          statement &&
          (await items(house, statement.id!))
            .filter(({ feeItem }) => feeItem === 'serviceFee')
            .map(({ amount }) => String(amount))
            .toSorted()
        )
      }
      return { old: await feesOf(customer.contract), next: await feesOf(next) }
    }
    await deliver(house, customer, wages(customer.people, '2026-01'))
    expect(await fees('2026-02', '2026-01')).toEqual({ old: february, next: undefined })
    await deliver(house, customer, wages(customer.people, '2026-02'))
    await deliver(house, { ...customer, contract: next }, wages(customer.people, '2026-03'))
    expect(await fees('2026-03', '2026-02')).toEqual({ old: [], next: march })
    expect(await fees('2026-04', '2026-03')).toEqual({ old: undefined, next: april })
  },
)

test('a month that was billed after the end, and adjusted by hand since, is charged once the end is undone', async () => {
  const customer = await billedCustomer(house, { heads: 1, terms: { endDate: '2026-03-31' } })
  const bill = async (billMonth: string) => {
    await deliver(house, customer, [
      { person: customer.people[0], feeItem: 'pension', amount: '1352.00', costMonth: billMonth },
    ])
    return feesOf(customer, billMonth, addMonths(billMonth, -1)!)
  }
  const april = await bill('2026-04')
  expect(april.fees).toEqual([])
  const values = { statement: april.id, feeItem: 'pension', costMonth: '2026-04', reason: '尾差', amount: '0.50' }
  expect(await house.admin.post(`${adjustments}/create`, { values })).toMatchObject({ code: 1 })
  await house.database.pool.query(
    `update contract set "endDate" = '2027-03-31', "lastDay" = '2027-03-31' where id = $1`,
    [customer.contract],
  )
  expect((await bill('2026-05')).fees).toEqual([
    [0, '2026-04', '120.00'],
    [0, '2026-05', '120.00'],
  ])
})

test.skipIf(!isLong)(
  'a renewal that is signed late charges the months that the former contract billed after its end',
  async () => {
    const customer = await billedCustomer(house, { heads: 1, terms: { endDate: '2026-03-31' } })
    const bill = async (billMonth: string, contract = customer.contract) => {
      await deliver(house, { ...customer, contract }, [
        { person: customer.people[0], feeItem: 'pension', amount: '1352.00', costMonth: billMonth },
      ])
      return (await feesOf(customer, billMonth, addMonths(billMonth, -1)!)).fees
    }
    expect(await bill('2026-03')).toEqual([[0, '2026-03', '120.00']])
    expect(await bill('2026-04')).toEqual([])
    const renewal = await house.create(contracts, {
      renewalOf: customer.contract,
      startDate: '2026-04-01',
      endDate: '2027-03-31',
    })
    await sign(house, renewal, '2026-03-10')
    expect(await bill('2026-05', renewal)).toEqual([
      [0, '2026-04', '120.00'],
      [0, '2026-05', '120.00'],
    ])
    expect(await bill('2026-06', renewal)).toEqual([[0, '2026-06', '120.00']])
  },
)
