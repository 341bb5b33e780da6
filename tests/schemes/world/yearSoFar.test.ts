/** A plan with a yearly limit: a month's amount depends on the months before it, and follows their changes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { schemeHouse, type SchemeHouse } from '../schemeHouse.ts'
import { catalogWith } from './worldFiles.ts'
import { isLong } from '../../long.ts'

const plan = 'retirementplan'
let at: SchemeHouse
/**
 * Defer 15 % from January, 5 % from January and 15 % from February; all earn 60,000 a month and may defer 23,500 a
 * year.
 */
const people: Record<'high' | 'low' | 'late', number> = { high: 0, low: 0, late: 0 }

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
  const joined = async (personalRate: string, startMonth: string) => {
    const { id } = await at.joins({
      [`${plan}Needed`]: true,
      [`${plan}DeclaredBase`]: '60000',
      [`${plan}StartMonth`]: startMonth,
      [`${plan}DeferralCompanyRate`]: '50',
      [`${plan}DeferralPersonalRate`]: personalRate,
    })
    const [ticket] = await at.ticketsOf(`${plan}Addition`, id)
    expect(await at.call(`${plan}Addition`, 'succeed', ticket.id!, { handleMonth: startMonth })).toMatchObject({
      code: 1,
    })
    return id
  }
  people.high = await joined('15', '2026-01')
  people.low = await joined('5', '2026-01')
  people.late = await joined('15', '2026-02')
  // March is generated before February, and is corrected once that exists.
  for (const month of ['2026-01', '2026-03', '2026-02', '2026-04'])
    expect(await at.generate(plan, month)).toMatchObject({ code: 1 })
})
afterAll(() => at?.house.close())

/** The month and the amounts of company and person on each line of the type, by month. */
async function paid(person: number, type = 'normal'): Promise<string[][]> {
  const lines = (await at.lines(plan, person)).filter(({ expenseType }) => expenseType === type)
  const found = lines.map((line) => [String(line.belongMonth), line.deferralCompany, line.deferralPersonal] as string[])
  return found.sort(([a], [b]) => a.localeCompare(b))
}
const summaryOf = async (feeMonth: string): Promise<number> =>
  (
    await at.house.admin.get(`/welfare/${plan}ExpenseSummary/list`, {
      filters: { feeMonth: { between: [feeMonth, feeMonth] } },
    })
  ).result.list[0].id
const turn = async (action: string, feeMonth: string) =>
  at.call(`${plan}ExpenseSummary`, action, await summaryOf(feeMonth))
const adjusted = async (person: number, values: Record<string, Value>): Promise<number> => {
  const id = await at.house.create(`/welfare/${plan}Adjustment`, { person, adjustType: 'rate', ...values })
  expect(await at.call(`${plan}Adjustment`, 'succeed', id, { handleMonth: '2026-04' })).toMatchObject({ code: 1 })
  return id
}

test.skipIf(!isLong)('months count up to the limit, in whatever order they are generated', async () => {
  expect(await paid(people.high)).toEqual([
    ['2026-01', '1500.00', '9000.00'],
    ['2026-02', '1500.00', '9000.00'],
    ['2026-03', '1500.00', '5500.00'],
    ['2026-04', '1500.00', '0.00'],
  ])
  expect((await paid(people.late)).map(([, , personal]) => personal)).toEqual(['9000.00', '9000.00', '5500.00'])
})

test.skipIf(!isLong)('later months follow a line that is changed by hand', async () => {
  const line = (await at.lines(plan, people.high)).find(({ feeMonth }) => feeMonth === '2026-03')!
  const adjust = (deferralPersonal: string) =>
    at.call(`${plan}ExpenseLine`, 'adjust', line.id!, {
      deferralCompany: '1500.00',
      deferralPersonal,
      adjustReason: '员工申请',
    })
  expect(await adjust('2000.00')).toMatchObject({ code: 1 })
  expect((await paid(people.high)).at(-1)).toEqual(['2026-04', '1500.00', '3500.00'])
  expect(await adjust('5500.00')).toMatchObject({ code: 1 })
  expect((await paid(people.high)).at(-1)).toEqual(['2026-04', '1500.00', '0.00'])
})

test.skipIf(!isLong)('months are locked in order and unlocked in reverse order', async () => {
  expect(await turn('confirm', '2026-03')).toMatchObject({ message: expect.stringMatching(/2026-0[12]的费用尚未确认/) })
  for (const month of ['2026-01', '2026-02', '2026-03']) expect(await turn('confirm', month)).toMatchObject({ code: 1 })
  expect(await turn('unconfirm', '2026-01')).toMatchObject({
    message: expect.stringContaining('已锁定，并计入了本年累计'),
  })
})

test.skipIf(!isLong)(
  'a change of an earlier month carries through locked months, and is revoked with them',
  async () => {
    await adjusted(people.high, {
      effectiveMonth: '2026-02',
      deferralNewCompanyRate: '50',
      deferralNewPersonalRate: '5',
    })
    expect(await paid(people.high, 'difference')).toEqual([
      ['2026-02', '0.00', '-6000.00'],
      ['2026-03', '0.00', '-2500.00'],
    ])
    expect((await paid(people.high)).at(-1)).toEqual(['2026-04', '1500.00', '3000.00'])

    const raised = { effectiveMonth: '2026-01', deferralNewCompanyRate: '50', deferralNewPersonalRate: '15' }
    const ticket = await adjusted(people.low, raised)
    // March reaches the limit: only the remainder is due, and nothing after it.
    expect(await paid(people.low, 'difference')).toEqual([
      ['2026-01', '0.00', '6000.00'],
      ['2026-02', '0.00', '6000.00'],
      ['2026-03', '0.00', '2500.00'],
    ])
    expect((await paid(people.low)).at(-1)).toEqual(['2026-04', '1500.00', '0.00'])
    expect(await at.call(`${plan}Adjustment`, 'revoke', ticket)).toMatchObject({ code: 1 })
    expect(await paid(people.low, 'difference')).toEqual([])
    expect((await paid(people.low)).at(-1)).toEqual(['2026-04', '1500.00', '3000.00'])
  },
)

test.skipIf(!isLong)("a ticket's line cannot be changed by hand once a locked month counts it", async () => {
  const line = (await at.lines(plan, people.high)).find(({ expenseType }) => expenseType === 'difference')!
  const values = { deferralCompany: '0.00', deferralPersonal: '-1000.00', adjustReason: '员工申请' }
  expect(await at.call(`${plan}ExpenseLine`, 'adjust', line.id!, values)).toMatchObject({
    message: expect.stringContaining('2026-03的费用已锁定，并计入了本年累计'),
  })
})

test.skipIf(!isLong)('a month paid back later uses its part of the limit, and frees it when revoked', async () => {
  const january = { base: '60000', fromMonth: '2026-01', toMonth: '2026-01' }
  const values = { person: people.late, supplementType: 'missed', ...january, reason: '漏存' }
  const id = await at.house.create(`/welfare/${plan}Supplement`, values)
  expect(await at.call(`${plan}Supplement`, 'succeed', id, { handleMonth: '2026-04' })).toMatchObject({ code: 1 })
  expect(await paid(people.late, 'supplement')).toEqual([['2026-01', '1500.00', '9000.00']])
  expect(await paid(people.late, 'difference')).toEqual([['2026-03', '0.00', '-3500.00']])
  expect((await paid(people.late)).at(-1)).toEqual(['2026-04', '1500.00', '0.00'])
  expect(await at.call(`${plan}Supplement`, 'revoke', id)).toMatchObject({ code: 1 })
  expect(await paid(people.late, 'difference')).toEqual([])
  expect((await paid(people.late)).at(-1)).toEqual(['2026-04', '1500.00', '5500.00'])
})
