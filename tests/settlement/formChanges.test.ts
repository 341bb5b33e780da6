/** A person's form of employment changes: months before are charged by the terms of then. The clock stands in March. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { createTestServer, type TestServer } from '../server.ts'
import { billedCustomer, deliver, generate, items, statements, statementsOf } from '../statement.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const rule = (serviceType: string, values: Record<string, Value> = {}): Record<string, Value> => ({
  serviceType,
  feeMode: 'perHead',
  unitPrice: '120',
  chargeRule: 'fullMonth',
  effectiveFrom: '2026-01',
  ...values,
})
const percentage = (serviceType: string, percentBase: string) =>
  rule(serviceType, { feeMode: 'percentage', unitPrice: null, ratePercent: '10', percentBase })
const wage = (costMonth: string) => ({ feeItem: 'grossWage', amount: '5000.00', costMonth })
const pension = (costMonth: string) => ({ feeItem: 'pension', amount: '1000.00', costMonth })

async function customerOf(feeRules: Record<string, Value>[], form: string, entryDate = '2024-04-01') {
  const serviceTypes = feeRules.map(({ serviceType }) => serviceType)
  const terms = { startDate: '2025-06-01', serviceTypes, feeRules } as Record<string, Value>
  const customer = await billedCustomer(house, { heads: 1, terms })
  const [person] = customer.people
  await house.database.pool.query(
    `with p as (update person set "employmentForm" = '${form}', "entryDate" = '${entryDate}' where id = ${person})
       update "employmentRecord" set "employmentForm" = '${form}', "entryDate" = '${entryDate}' where person = ${person}`,
  )
  return {
    async becomes(employmentForm: string) {
      const { result } = await house.admin.get('/staff/person/detail', { id: person })
      const change = { id: person, revision: result.revision, values: { employmentForm } }
      expect(await house.admin.post('/staff/person/update', change)).toMatchObject({ code: 1 })
    },
    async bill(billMonth: string, wageMonth: string, costs: RecordData[]) {
      await deliver(
        house,
        customer,
        costs.map((cost) => ({ person, ...cost })),
      )
      expect(await generate(house.admin, [customer.customer], billMonth, { wageMonth })).toMatchObject({ code: 1 })
    },
    /** For each statement its month, and the months and amounts of its fees; those of people come first. */
    async fees() {
      const found: Value[][] = []
      for (const { id, billMonth } of await statementsOf(house, customer.customer)) {
        const all = (await items(house, id!)).filter(({ feeItem }) => feeItem === 'serviceFee')
        const texts = all.map(
          ({ person: who, costMonth, amount }) => `${who ? 'head' : 'rest'} ${String(costMonth)} ${String(amount)}`,
        )
        found.push([billMonth!, ...texts.toSorted()])
      }
      return found
    },
    async regenerate() {
      for (const { id } of await statementsOf(house, customer.customer))
        expect(await house.admin.post(`${statements}/regenerate`, { ids: [id] })).toMatchObject({ code: 1 })
    },
  }
}

const both = [percentage('insuranceAgency', 'total'), rule('dispatch')]
const ofWages = [percentage('payrollAgency', 'wage'), rule('dispatch')]
const prices = [rule('outsourcing', { unitPrice: '200' }), rule('dispatch')]
const head = (month: string, amount = '120.00') => `head ${month} ${amount}`
const rest = (month: string, amount: string) => `rest ${month} ${amount}`
const [feb, mar, apr] = ['2026-02', '2026-03', '2026-04']

test.each<[string, Record<string, Value>[], [string, string], string[][]]>([
  [
    'from a percentage of all costs to a fee by the head',
    both,
    ['agency', 'dispatch'],
    [[rest(feb, '600.00')], [head(mar), rest(mar, '500.00')], [head(apr), rest(apr, '100.00')]],
  ],
  [
    'from a percentage of the wages to a fee by the head',
    ofWages,
    ['agency', 'dispatch'],
    [[rest(feb, '500.00')], [head(mar), rest(mar, '500.00')], [head(apr)]],
  ],
  [
    'from a fee by the head to a percentage',
    both,
    ['dispatch', 'agency'],
    [[head(feb)], [rest(mar, '100.00')], [rest(apr, '600.00')]],
  ],
  [
    'from one price to another',
    prices,
    ['dispatch', 'outsourcing'],
    [[head(feb)], [head(mar, '200.00')], [head(apr, '200.00')]],
  ],
])('%s: each month once, also when regenerated', async (_, feeRules, [was, is], fees) => {
  const customer = await customerOf(feeRules, was)
  await customer.bill(feb, '2026-01', [wage('2026-01'), pension(feb)])
  await customer.becomes(is)
  await customer.bill(mar, feb, [wage(feb), pension(mar)])
  await customer.bill(apr, mar, [pension(feb), wage(mar), pension(apr)])
  const expected = [feb, mar, apr].map((month, index) => [month, ...fees[index]])
  expect(await customer.fees()).toEqual(expected)
  await customer.regenerate()
  expect(await customer.fees(), 'again').toEqual(expected)
})

test.each<[string, Record<string, Value>[], [string, string], string[]]>([
  ['a percentage', both, ['agency', 'dispatch'], [head(mar), rest(mar, '1100.00')]],
  ['another price', prices, ['dispatch', 'outsourcing'], [head(feb), head(mar, '200.00')]],
])('a month before the change that is billed late has the terms of then: %s', async (_, feeRules, [was, is], fees) => {
  const customer = await customerOf(feeRules, was)
  await customer.becomes(is)
  await customer.bill(mar, feb, [wage('2026-01'), pension(feb), wage(feb), pension(mar)])
  expect(await customer.fees()).toEqual([[mar, ...fees]])
})

test('who joined in a month before the change was recruited then', async () => {
  const customer = await customerOf([rule('dispatch'), percentage('recruitment', 'total')], 'agency', '2026-01-05')
  await customer.becomes('dispatch')
  await customer.bill(mar, feb, [pension('2026-01'), pension(feb), pension(mar)])
  expect(await customer.fees()).toEqual([[mar, head(feb), head(mar), rest(mar, '100.00')]])
})

test('a change that is taken back within the month was none', async () => {
  const customer = await customerOf(prices, 'dispatch')
  await customer.becomes('agency')
  await customer.becomes('outsourcing')
  await customer.becomes('dispatch')
  await customer.bill(mar, feb, [pension(feb), pension(mar)])
  expect(await customer.fees()).toEqual([[mar, head(feb), head(mar)]])
})
