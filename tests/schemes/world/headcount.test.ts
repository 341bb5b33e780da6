/** An allowance that is lower per head from three people on: who comes and goes changes what the others cost. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile } from '../../../engine/schema/compile.ts'
import { readSchemas } from '../../../engine/server/catalog/sources.ts'
import type { Value } from '../../../engine/model/model.ts'
import { lists } from '../../../src/lists.ts'
import { schemeHouse, type SchemeHouse } from '../schemeHouse.ts'

const meals = 'mealallowance'
const formula = 'headcount >= 3 ? companyFixed * 0.8 : companyFixed'
/** The meal allowance, by this formula instead of attended days. */
const filesWith = (company: string, more: Record<string, unknown> = {}) =>
  ['world', meals].map((name) => {
    const file = JSON.parse(readFileSync(`${import.meta.dirname}/${name}.family.json`, 'utf8')) as {
      parameters: { items: object[]; monthInputs?: string[] }
    }
    if (name === meals) {
      delete file.parameters.monthInputs
      Object.assign(file.parameters.items[0], { company, ...more })
    }
    return { path: `schemas/welfare/${name}.family.json`, text: JSON.stringify(file, null, 2) }
  })
const product = readSchemas('schemas')

let at: SchemeHouse
beforeAll(async () => {
  const { catalog, issues } = compile([...product, ...filesWith(formula)], lists)
  expect(issues).toEqual([])
  at = await schemeHouse(() => structuredClone(catalog!))
  await at.policy('world', { cutoffDay: 20, payDay: 25, supplementAllowed: true, supplementMaxMonths: 12 })
})
afterAll(() => at?.house.close())

const joins = async (): Promise<number> => (await at.joins({ [`${meals}Needed`]: true, entryDate: '2026-03-01' })).id
const paid = async (person: number): Promise<string[][]> =>
  (await at.lines(meals, person)).map((line) => [String(line.feeMonth), line.companyTotal as string])
const turn = async (action: string, feeMonth: string) => {
  const filters = { feeMonth: { between: [feeMonth, feeMonth] as Value } }
  const { list } = (await at.house.admin.get(`/welfare/${meals}ExpenseSummary/list`, { filters })).result
  return at.call(`${meals}ExpenseSummary`, action, list[0].id)
}
const people: number[] = []

test('a month costs what it comes to for so many people', async () => {
  people.push(await joins(), await joins())
  await at.generate(meals, '2026-03')
  expect(await paid(people[0])).toEqual([['2026-03', '25.00']])
})

test('somebody who joins changes the open months of the others', async () => {
  people.push(await joins())
  for (const person of people) expect(await paid(person)).toEqual([['2026-03', '20.00']])
})

test('somebody who leaves changes the months after, and does not when the leave is taken back', async () => {
  await at.generate(meals, '2026-04')
  expect(await at.leave(people[2], { leaveDate: '2026-03-31', leaveReason: 'resignation' })).toMatchObject({ code: 1 })
  expect(await paid(people[0])).toEqual([
    ['2026-03', '20.00'],
    ['2026-04', '25.00'],
  ])
  expect(await at.house.admin.post('/staff/person/cancelLeave', { id: people[2] })).toMatchObject({ code: 1 })
  expect((await paid(people[0])).at(-1)).toEqual(['2026-04', '20.00'])
})

test('a month that is locked stays as it is', async () => {
  expect(await turn('confirm', '2026-03')).toMatchObject({ code: 1 })
  expect(await at.leave(people[2], { leaveDate: '2026-04-30', leaveReason: 'resignation' })).toMatchObject({ code: 1 })
  await at.generate(meals, '2026-04')
  expect((await paid(people[0])).map(([, amount]) => amount)).toEqual(['20.00', '20.00'])
})

test('not for what is paid for several months, nor beside the year so far', () => {
  const told = (...files: Parameters<typeof filesWith>) =>
    compile([...product, ...filesWith(...files)], lists).issues.map(({ message }) => message.split('. (')[0])
  const yearly = { payCycles: ['year'], payMonth: 1, annualRule: 'full', annualRefund: 'none' }
  expect(told(formula, yearly)).toEqual(['mealAllowance goes by the headcount: it is paid every month'])
  expect(told('headcount - companySoFar')).toEqual([
    'mealAllowance goes by the headcount: no item of the family may go by the year so far',
  ])
})
