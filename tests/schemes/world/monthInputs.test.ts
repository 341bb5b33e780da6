/** A meal allowance by attended days, which are entered each month. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compile, compileWithWarnings } from '../../../engine/schema/compile.ts'
import { readSchemas } from '../../../engine/server/catalog/sources.ts'
import type { ImportProblem, Value } from '../../../engine/model/model.ts'
import { lists } from '../../../src/lists.ts'
import { schemeHouse, type SchemeHouse } from '../schemeHouse.ts'
import { isLong } from '../../long.ts'

const files = ['world', 'mealallowance'].map((name) => ({
  path: `schemas/welfare/${name}.family.json`,
  text: readFileSync(`${import.meta.dirname}/${name}.family.json`, 'utf8'),
}))
const meals = 'mealallowance'
let at: SchemeHouse
let person: { id: number; idNumber: string }

beforeAll(async () => {
  const { catalog, issues, warnings } = compileWithWarnings([...readSchemas('schemas'), ...files], lists)
  expect([...issues, ...warnings].map(({ file, message }) => `${file} ${message}`)).toEqual([])
  at = await schemeHouse(() => structuredClone(catalog!))
  await at.policy('world', { cutoffDay: 20, payDay: 25, supplementAllowed: false })
  person = await at.joins({ [`${meals}Needed`]: true, entryDate: '2026-03-01' }, '林晓演')
})
afterAll(() => at?.house.close())

const enter = (attendedDays: string, month = '2026-03') =>
  at.house.admin.post(`/welfare/${meals}MonthInput/create`, { values: { person: person.id, month, attendedDays } })
const paid = async (): Promise<string[][]> =>
  (await at.lines(meals, person.id)).map((line) => [String(line.feeMonth), line.companyTotal as string])
const turn = async (action: string, feeMonth: string) => {
  const filters = { feeMonth: { between: [feeMonth, feeMonth] as Value } }
  const { list } = (await at.house.admin.get(`/welfare/${meals}ExpenseSummary/list`, { filters })).result
  return at.call(`${meals}ExpenseSummary`, action, list[0].id)
}
let entry = 0

test.skipIf(!isLong)("nothing is due without an entry, and an entry determines the month's cost", async () => {
  await at.generate(meals, '2026-03')
  expect(await paid()).toEqual([])
  const made = await enter('21')
  expect(made).toMatchObject({ code: 1 })
  entry = made.result.id
  await at.generate(meals, '2026-03')
  expect(await paid()).toEqual([['2026-03', '525.00']])
  expect((await enter('20')).errors).toMatchObject([{ message: '该人员本月已有录入' }])
})

test.skipIf(!isLong)('an existing line follows a changed or deleted entry', async () => {
  expect(await at.change(`/welfare/${meals}MonthInput`, entry, { attendedDays: '20.5' })).toMatchObject({ code: 1 })
  expect(await paid()).toEqual([['2026-03', '512.50']])
  const { revision } = await at.detail(`${meals}MonthInput`, entry)
  expect(
    await at.house.admin.post(`/welfare/${meals}MonthInput/update`, {
      id: entry,
      revision: revision!,
      values: { attendedDays: '20' },
      cell: true,
    }),
  ).toMatchObject({ code: 1 })
  expect(await paid(), 'by a cell as by the form').toEqual([['2026-03', '500.00']])
  expect(await at.house.admin.post(`/welfare/${meals}MonthInput/delete`, { id: entry })).toMatchObject({ code: 1 })
  expect(await paid()).toEqual([])
})

test.skipIf(!isLong)('an import of entries updates existing ones', async () => {
  const cells = (attendedDays: string) => ({
    personName: '林晓演',
    person: person.idNumber,
    month: '2026-03',
    attendedDays,
  })
  for (const [days, amount] of [
    ['18', '450.00'],
    ['19', '475.00'],
  ]) {
    const { checked, written } = await at.imported(`${meals}MonthInputImport`, [cells(days)])
    expect(checked.flatMap(({ errors }) => (errors ?? []) as unknown as ImportProblem[])).toEqual([])
    expect(written).toHaveLength(1)
    await at.generate(meals, '2026-03')
    expect(await paid()).toEqual([['2026-03', amount]])
  }
})

test.skipIf(!isLong)('the entries of a locked month cannot change', async () => {
  expect(await turn('confirm', '2026-03')).toMatchObject({ code: 1 })
  const { list } = (await at.house.admin.get(`/welfare/${meals}MonthInput/list`, {})).result
  const change = () => at.change(`/welfare/${meals}MonthInput`, list[0].id, { attendedDays: '10' })
  expect(await change()).toMatchObject({ message: '2026-03的费用已锁定或已补缴，不能再修改录入' })
})

test.skipIf(!isLong)('a ticket that cannot complete automatically stays open, and its handler learns why', async () => {
  const { id } = await at.joins({ [`${meals}Needed`]: true, entryDate: '2026-03-01' }, '锁月入职者')
  const [ticket] = await at.ticketsOf(`${meals}Addition`, id)
  expect(ticket).toMatchObject({ status: 'pending' })
  expect(await at.messages('ticketIncomplete')).toContainEqual(
    expect.objectContaining({
      title: {
        cn: '餐补任务未能自动办结：锁月入职者',
        en: 'Meals ticket could not be completed automatically: 锁月入职者',
      },
      content: expect.objectContaining({ cn: expect.stringContaining('2026-03的费用已锁定') }),
    }),
  )
})

test.skipIf(!isLong)('entries can change once the month is unlocked', async () => {
  const { list } = (await at.house.admin.get(`/welfare/${meals}MonthInput/list`, {})).result
  const change = () => at.change(`/welfare/${meals}MonthInput`, list[0].id, { attendedDays: '10' })
  expect(await turn('unconfirm', '2026-03')).toMatchObject({ code: 1 })
  expect(await change()).toMatchObject({ code: 1 })
  expect(await paid()).toEqual([['2026-03', '250.00']])
  expect(await enter('22', '2026-04')).toMatchObject({ code: 1 })
})

test.skipIf(!isLong)('a formula with an unknown input and an input without a formula are refused by name', () => {
  const changed = files.map((each) => ({ ...each, text: each.text.replace('attendedDays * c', 'additionalWages * c') }))
  const { issues } = compile([...readSchemas('schemas'), ...changed], lists)
  expect(issues.map(({ file, message }) => `${file.split('/').at(-1)} ${message}`)).toEqual([
    expect.stringContaining('mealallowance.family.json No formula asks for attendedDays'),
    expect.stringContaining(
      'mealallowance.family.json mealAllowance asks for additionalWages: monthInputs must have it',
    ),
  ])
})
