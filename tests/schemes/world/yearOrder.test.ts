/** Months of a family with a yearly limit are confirmed in order: the refusals, and the queries that they take. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLong } from '../../long.ts'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { contracts, employee, employer, serviceValues, sign } from '../../contract.ts'
import { moreOften, queriesOf } from '../../statementsOf.ts'
import { schemeHouse, type SchemeHouse } from '../schemeHouse.ts'
import { catalogWith } from './worldFiles.ts'

const plan = 'retirementplan'
let at: SchemeHouse

beforeAll(async () => {
  at = await schemeHouse(() => catalogWith(plan, { [plan]: () => ({}) }))
  const rows = at.house.runtime.derived.catalog.entities.policy.fields[`${plan}Items`].default as RecordData[]
  await at.policy('world', {
    cutoffDay: 20,
    payDay: 25,
    supplementAllowed: true,
    supplementMaxMonths: 12,
    [`${plan}Items`]: rows.map((row) => ({ ...row, baseFloor: '1.00', baseCeiling: '350000.00' })) as Value,
  })
})
afterAll(() => at?.house.close())

/** A customer with this number of people in the plan from January on. */
async function insured(heads: number, values: Record<string, Value> = {}) {
  const { house } = at
  const { customer, agency } = await employer(house)
  const service = await house.create(contracts, serviceValues(customer, agency))
  await sign(house, service)
  const people: number[] = []
  for (let head = 0; head < heads; head++) {
    const { id } = await employee(house, {
      customer,
      agency,
      service,
      values: {
        insuranceCity: at.city,
        entryDate: '2025-04-01',
        [`${plan}Needed`]: true,
        [`${plan}DeclaredBase`]: '60000',
        [`${plan}StartMonth`]: '2026-01',
        [`${plan}DeferralCompanyRate`]: '50',
        [`${plan}DeferralPersonalRate`]: '15',
        ...values,
      },
    })
    people.push(id)
    const [ticket] = await at.ticketsOf(`${plan}Addition`, id)
    const handled = { handleMonth: String(ticket.startMonth) }
    expect(await at.call(`${plan}Addition`, 'succeed', ticket.id!, handled)).toMatchObject({ code: 1 })
  }
  return { customer, people }
}
const generate = (feeMonth: string, customer: number) =>
  at.house.admin.post(`/welfare/${plan}ExpenseSummary/generate`, { values: { feeMonth, customer } })
const turn = async (action: string, feeMonth: string, customer: number) => {
  const filters = { feeMonth: { between: [feeMonth, feeMonth] }, customer: { equals: customer } }
  const { list } = (await at.house.admin.get(`/welfare/${plan}ExpenseSummary/list`, { filters })).result
  return at.call(`${plan}ExpenseSummary`, action, list[0].id)
}
const confirm = async (month: string, customer: number) =>
  expect(await turn('confirm', month, customer)).toMatchObject({ code: 1 })

test.skipIf(!isLong)('a month cannot be confirmed before an earlier one that is due but not generated', async () => {
  const { customer } = await insured(1)
  expect(await generate('2026-02', customer)).toMatchObject({ code: 1 })
  expect(await generate('2026-03', customer)).toMatchObject({ code: 1 })
  const refused = { message: '林晓演2026-01的费用尚未生成，请先生成并确认' }
  expect(await turn('confirm', '2026-02', customer)).toMatchObject(refused)
  expect(await generate('2026-01', customer)).toMatchObject({ code: 1 })
  for (const month of ['2026-01', '2026-02', '2026-03']) await confirm(month, customer)
})

test.skipIf(!isLong)('a ticket cannot be revoked while a locked month counts its lines', async () => {
  const { customer, people } = await insured(1, { [`${plan}StartMonth`]: '2026-02' })
  for (const month of ['2026-02', '2026-03']) expect(await generate(month, customer)).toMatchObject({ code: 1 })
  await confirm('2026-02', customer)
  const id = await at.house.create(`/welfare/${plan}Supplement`, {
    person: people[0],
    supplementType: 'missed',
    base: '60000',
    fromMonth: '2026-01',
    toMonth: '2026-01',
    reason: '漏存',
  })
  expect(await at.call(`${plan}Supplement`, 'succeed', id, { handleMonth: '2026-04' })).toMatchObject({ code: 1 })
  await confirm('2026-03', customer)
  const refused = { message: '2026-03的费用已锁定，并计入了本年累计，请先取消确认' }
  expect(await at.call(`${plan}Supplement`, 'revoke', id)).toMatchObject(refused)
  expect(await turn('unconfirm', '2026-03', customer)).toMatchObject({ code: 1 })
  expect(await at.call(`${plan}Supplement`, 'revoke', id)).toMatchObject({ code: 1 })
})

test.skipIf(!isLong)('months with nothing due take as many queries for many people as for two', async () => {
  const { catalog } = at.house.runtime.derived
  const families = catalog.families.handling as { key: string; items: { eligible?: string }[] }[]
  families.find(({ key }) => key === plan)!.items[0].eligible = 'calendarMonth >= 3'
  const counts: Map<string, number>[] = []
  // The first run fills caches, so it is not counted.
  for (const heads of [1, 2, 6]) {
    const { customer } = await insured(heads)
    expect(await generate('2026-03', customer)).toMatchObject({ code: 1 })
    counts.push(await queriesOf(() => confirm('2026-03', customer)))
  }
  expect(counts[1].size).toBeGreaterThan(3)
  expect(moreOften(counts[1], counts[2])).toEqual([])
})
