/** An allowance that costs less per head from three people on, so joiners and leavers change the others' cost. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { schemeHouse, type SchemeHouse } from '../schemeHouse.ts'
import { measured } from './measured.ts'
import { isLong } from '../../long.ts'

const meals = 'mealallowance'
let at: SchemeHouse
beforeAll(async () => {
  at = await schemeHouse(measured)
  const rows = at.house.runtime.derived.catalog.entities.policy.fields.unionfeeItems.default as RecordData[]
  await at.policy('world', {
    cutoffDay: 20,
    payDay: 25,
    supplementAllowed: false,
    unionfeeItems: rows.map((row) => ({ ...row, baseFloor: '3000', baseCeiling: '9000' })) as Value,
  })
})
afterAll(() => at?.house.close())

const joins = async (): Promise<number> =>
  (await at.joins({ [`${meals}Needed`]: true, unionfeeNeeded: false, entryDate: '2026-03-01' })).id
const paid = async (person: number): Promise<string[][]> =>
  (await at.lines(meals, person)).map((line) => [String(line.feeMonth), line.companyTotal as string])
const turn = async (action: string, feeMonth: string) => {
  const filters = { feeMonth: { between: [feeMonth, feeMonth] as Value } }
  const { list } = (await at.house.admin.get(`/welfare/${meals}ExpenseSummary/list`, { filters })).result
  return at.call(`${meals}ExpenseSummary`, action, list[0].id)
}
const people: number[] = []

test.skipIf(!isLong)('a month costs the amount for its number of people', async () => {
  people.push(await joins(), await joins())
  await at.generate(meals, '2026-03')
  expect(await paid(people[0])).toEqual([['2026-03', '25.00']])
})

test.skipIf(!isLong)('a joiner changes the open months of the others', async () => {
  people.push(await joins())
  for (const person of people) expect(await paid(person)).toEqual([['2026-03', '20.00']])
})

test.skipIf(!isLong)('a leaver changes later months, unless the leave is undone', async () => {
  await at.generate(meals, '2026-04')
  expect(await at.leave(people[2], { leaveDate: '2026-03-31', leaveReason: 'resignation' })).toMatchObject({ code: 1 })
  expect(await paid(people[0])).toEqual([
    ['2026-03', '20.00'],
    ['2026-04', '25.00'],
  ])
  expect(await at.house.admin.post('/staff/person/cancelLeave', { id: people[2] })).toMatchObject({ code: 1 })
  expect((await paid(people[0])).at(-1)).toEqual(['2026-04', '20.00'])
})

test.skipIf(!isLong)('a locked month stays unchanged', async () => {
  expect(await turn('confirm', '2026-03')).toMatchObject({ code: 1 })
  expect(await at.leave(people[2], { leaveDate: '2026-04-30', leaveReason: 'resignation' })).toMatchObject({ code: 1 })
  await at.generate(meals, '2026-04')
  expect((await paid(people[0])).map(([, amount]) => amount)).toEqual(['20.00', '20.00'])
})
