/** What a policy changes for people who follow it at once. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import type { Answer } from '../server.ts'
import { policyRows } from '../welfare.ts'
import { handlingHouse, type HandlingHouse } from './handled.ts'

const family = 'socialsecurity'
let all: HandlingHouse
beforeEach(async () => {
  all = await handlingHouse()
})
afterEach(() => all?.house.close())

const done = (answer: Answer): Answer => {
  expect(answer, JSON.stringify([answer.message, answer.errors])).toMatchObject({ code: 1 })
  return answer
}

/** Puts a version with these values in force. */
async function revise(effectiveFrom: string, values: Record<string, Value>): Promise<void> {
  const { admin } = all.house
  const path = '/welfare/policy'
  done(await admin.post(`${path}/revise`, { id: all.policies.social }))
  const [{ id }] = (await admin.get(`${path}/list`, { filters: { status: { equals: 'draft' } } })).result.list
  const { revision } = (await admin.get(`${path}/detail`, { id })).result
  done(await admin.post(`${path}/update`, { id, revision, values: { effectiveFrom, ...values } }))
  done(await admin.post(`${path}/enable`, { id }))
}
const linesOf = async (person: number): Promise<RecordData[]> =>
  (
    await all.house.admin.get(`/welfare/${family}ExpenseLine/list`, {
      filters: { person: { equals: person } },
      sort: 'id',
      size: 100,
    })
  ).result.list
const charged = async (person: number) =>
  (await linesOf(person))
    .filter(({ belongMonth }) => String(belongMonth) <= '2026-04')
    .map(({ belongMonth, feeMonth, expenseType, total }) => [belongMonth, feeMonth, expenseType, total])

test('somebody about to leave is charged the difference of a month that was locked ahead', async () => {
  const { admin } = all.house
  const { person } = await all.enrolled(family, { declaredBase: '12000' })
  for (const feeMonth of ['2026-03', '2026-04'])
    done(await admin.post(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth } }))
  for (const { id } of (await admin.get(`/welfare/${family}ExpenseSummary/list`, { sort: 'id' })).result
    .list as RecordData[])
    done(await all.call(`${family}ExpenseSummary`, 'confirm', id!))
  const values = { person: person.id, reductionReason: 'transferOut', lastMonth: '2026-04' }
  const reduction = done(await all.create(`${family}Reduction`, values)).result.id

  await revise('2026-04', {
    [`${family}Items`]: policyRows(all.house, family, { baseFloor: '13500', baseCeiling: '36000' }) as Value,
  })

  const due = [
    ['2026-03', '2026-03', 'normal', '3048.00'],
    ['2026-04', '2026-04', 'normal', '3048.00'],
    ['2026-04', '2026-05', 'difference', '381.00'],
  ]
  expect(await charged(person.id)).toEqual(due)
  all.house.runtime.clock = clockOn('2026-04-10')
  done(await all.call(`${family}Reduction`, 'succeed', reduction, { handleMonth: '2026-05' }))
  expect(await charged(person.id), 'the reduction refunds nothing of it').toEqual(due)
})

test('what was decided by hand stays if a version changes nothing for the person', async () => {
  const { person } = await all.enrolled(family, { declaredBase: '12000' })
  done(await all.house.admin.post(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth: '2026-03' } }))
  const [line] = await linesOf(person.id)
  const amounts = ['pension', 'unemployment'].flatMap((item) => [`${item}Company`, `${item}Personal`])
  const names = [...amounts, 'workInjuryCompany', 'maternityCompany']
  const decided = {
    ...Object.fromEntries(names.map((name) => [name, line[name] as Value])),
    pensionCompany: '2000.00',
    adjustReason: '按局里核定',
  }
  done(await all.call(`${family}ExpenseLine`, 'adjust', line.id!, decided))
  await revise('2026-03', { handleRule: '<p>20日前提交</p>' })
  expect(await charged(person.id)).toEqual([['2026-03', '2026-03', 'normal', '3128.00']])
})
