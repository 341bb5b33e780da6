/** A policy that arrives after months were charged and billed: it makes differences, which the next statement bills. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { picture, upload } from '../customer.ts'
import { generate, statements, statementsOf } from '../statement.ts'
import { schemeHouse, type SchemeHouse } from './schemeHouse.ts'

let at: SchemeHouse
let person: number
const policies: Record<'guild' | 'berth', number> = { guild: 0, berth: 0 }
beforeAll(async () => {
  at = await schemeHouse()
  policies.guild = await at.policy('guild', { cutoffDay: 20, payDay: 25 })
  policies.berth = await at.policy('berth', {
    city: at.city,
    avgMonthlyWage: '9000',
    cutoffDay: 20,
    payDay: 25,
    baseAdjustMonth: 7,
    supplementAllowed: true,
    supplementMaxMonths: 6,
    lateFeeDailyRate: '0.05',
    berthreserveItems: berthItems('2000'),
  })
  const joined = await at.joins({
    guildcareNeeded: true,
    guildcareStartMonth: '2026-03',
    guildcareEntryMemberGroup: 'sea',
    guildcareEntryConsent: true,
    berthreserveNeeded: true,
    berthreserveStartMonth: '2026-01',
    berthreserveDeclaredBase: '10000',
    berthreserveEntryBerths: ['A1'],
  })
  person = joined.id
  for (const [family, handleMonth, values] of [
    ['guildcare', '2026-03', { registerNo: 'B1' }],
    ['berthreserve', '2026-01', { personalAccountNo: '1234567890' }],
  ] as const) {
    const [ticket] = await at.ticketsOf(`${family}Addition`, person)
    expect(await at.call(`${family}Addition`, 'succeed', ticket.id!, { handleMonth, ...values })).toMatchObject({
      code: 1,
    })
  }
})
afterAll(() => at?.house.close())

const berthItems = (baseFloor: string): Value =>
  (at.house.runtime.derived.catalog.entities.policy.fields.berthreserveItems.default as RecordData[]).map((row) =>
    row.amountMode === 'fixed' ? row : { ...row, baseFloor, baseCeiling: '30000' },
  ) as Value
const policyOf = async (id: number): Promise<RecordData> =>
  (await at.house.admin.get('/welfare/policy/detail', { id })).result

const same: Record<string, Value> = {}
/** Updates of existing rows, by id. */
const rowsOf = (rows: Value | undefined, change: (row: Record<string, Value>) => Record<string, Value>): Value =>
  (rows as Record<string, Value>[]).map((row) => ({ id: row.id, ...change(row) }))

/** Puts a revision in force from a month that is charged already. */
async function revised(
  id: number,
  effectiveFrom: string,
  values: (draft: RecordData) => Record<string, Value>,
): Promise<void> {
  expect(await at.house.admin.post('/welfare/policy/revise', { id })).toMatchObject({ code: 1 })
  const { list } = (await at.house.admin.get('/welfare/policy/list', { filters: { status: { equals: 'draft' } } }))
    .result
  const draft = await policyOf(list[0].id)
  expect(await at.change('/welfare/policy', draft.id!, { effectiveFrom, ...values(draft) })).toMatchObject({ code: 1 })
  expect(await at.house.admin.post('/welfare/policy/enable', { id: draft.id })).toMatchObject({ code: 1 })
}
const confirmed = async (family: string, feeMonth: string) => {
  expect(await at.generate(family, feeMonth)).toMatchObject({ code: 1 })
  const { list } = (
    await at.house.admin.get(`/welfare/${family}ExpenseSummary/list`, {
      filters: { feeMonth: { between: [feeMonth, feeMonth] } },
    })
  ).result
  expect(await at.call(`${family}ExpenseSummary`, 'confirm', list[0].id)).toMatchObject({ code: 1 })
}
const billed = async (billMonth: string, wageMonth: string): Promise<RecordData> => {
  expect(await generate(at.house.admin, [at.customer], billMonth, { wageMonth })).toMatchObject({ code: 1 })
  return (await statementsOf(at.house, at.customer)).at(-1)!
}
const linesOf = async (family: string): Promise<Value[][]> =>
  (await at.lines(family, person)).map((line) =>
    ['expenseType', 'feeMonth', 'belongMonth', 'companyTotal', 'personalTotal'].map((name) => line[name]!),
  )

test('charges are billed: three months of one family, ten months of a year of the other', async () => {
  for (const month of ['2026-01', '2026-02', '2026-03']) await confirmed('berthreserve', month)
  await confirmed('guildcare', '2026-03')
  expect(await linesOf('guildcare')).toEqual([['normal', '2026-03', '2026-03', '1500.00', '0.00']])
  expect(await linesOf('berthreserve')).toEqual(
    ['2026-01', '2026-02', '2026-03'].map((month) => ['normal', month, month, '600.00', '400.00']),
  )
  const first = await billed('2026-03', '2026-02')
  expect(first).toMatchObject({ otherBenefitAmount: '4500.00' })
  const { result } = await upload(at.house, at.house.admin, 'stamped.png', picture)
  const values = { confirmEvidence: [{ ...result }] as Value }
  expect(await at.house.admin.post(`${statements}/confirm`, { id: first.id, values })).toMatchObject({ code: 1 })
})

test('without adjustments in the family, a locked month gets its difference at once', async () => {
  await revised(policies.guild, '2026-03', ({ guildcareItems }) => ({
    guildcareItems: rowsOf(guildcareItems, ({ item }) => (item === 'guildAccident' ? { companyFixed: '2400' } : same)),
  }))
  expect(await linesOf('guildcare')).toEqual([
    ['normal', '2026-03', '2026-03', '1500.00', '0.00'],
    ['difference', '2026-04', '2026-03', '500.00', '0.00'],
  ])
})

test('with adjustments in the family, differences follow once the ticket is handled', async () => {
  await revised(policies.berth, '2026-02', ({ berthreserveItems }) => ({
    berthreserveItems: rowsOf(berthreserveItems, ({ amountMode }) =>
      amountMode === 'fixed' ? same : { baseFloor: '12000' },
    ),
  }))
  const [ticket] = await at.ticketsOf('berthreserveAdjustment', person)
  expect(ticket).toMatchObject({
    source: 'policy',
    effectiveMonth: '2026-02',
    companyDiff: '120.00',
    personalDiff: '80.00',
  })
  expect(await linesOf('berthreserve')).toHaveLength(3)
  expect(await at.call('berthreserveAdjustment', 'succeed', ticket.id!, { handleMonth: '2026-04' })).toMatchObject({
    code: 1,
  })
  expect((await linesOf('berthreserve')).slice(3)).toEqual([
    ['normal', '2026-04', '2026-04', '720.00', '480.00'],
    ['difference', '2026-04', '2026-02', '120.00', '80.00'],
    ['difference', '2026-04', '2026-03', '120.00', '80.00'],
  ])
})

test('the next statement bills the differences, and the confirmed one stays unchanged', async () => {
  expect(await billed('2026-04', '2026-03')).toMatchObject({ billMonth: '2026-04', otherBenefitAmount: '2100.00' })
  expect((await statementsOf(at.house, at.customer))[0]).toMatchObject({
    billMonth: '2026-03',
    otherBenefitAmount: '4500.00',
  })
  const { list } = (
    await at.house.admin.get('/settlement/costLine/list', {
      filters: { customer: { equals: at.customer }, billMonth: { between: ['2026-04', '2026-04'] } },
      sort: 'id',
    })
  ).result
  expect(list.map(({ costMonth, party, amount }: RecordData) => [costMonth, party, amount])).toEqual([
    ['2026-03', 'company', '500.00'],
    ['2026-02', 'company', '120.00'],
    ['2026-02', 'personal', '80.00'],
    ['2026-03', 'company', '120.00'],
    ['2026-03', 'personal', '80.00'],
  ])
})
