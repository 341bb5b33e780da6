/** What a policy, or an adjustment, changes for people who follow it at once, and for months decided by hand. */
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

const on = (day: string) => Object.assign(all.house.runtime, { clock: clockOn(day) })
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
const linesOf = async (person: number, of = family): Promise<RecordData[]> =>
  (
    await all.house.admin.get(`/welfare/${of}ExpenseLine/list`, {
      filters: { person: { equals: person } },
      sort: 'id',
      size: 100,
    })
  ).result.list
const charged = async (person: number, of = family) =>
  (await linesOf(person, of))
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
  on('2026-04-10')
  done(await all.call(`${family}Reduction`, 'succeed', reduction, { handleMonth: '2026-05' }))
  expect(await charged(person.id), 'the reduction refunds nothing of it').toEqual(due)
})

/** A person whose pension of March somebody adjusted by hand: 2,000.00 instead of 1,920.00. */
async function adjustedByHand(): Promise<number> {
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
  return person.id
}
const noteOnly = { handleRule: '<p>20日前提交</p>' }
const lock = async (person: number, of = family) => {
  const [{ summary }] = await linesOf(person, of)
  done(await all.call(`${of}ExpenseSummary`, 'confirm', (summary as RecordData).id as number))
}

test.each(['open', 'locked'])(
  'what was decided by hand stays in a month that is %s if a version changes nothing for the person',
  async (stage) => {
    const person = await adjustedByHand()
    if (stage === 'locked') await lock(person)
    await revise('2026-03', noteOnly)
    expect(await charged(person)).toEqual([['2026-03', '2026-03', 'normal', '3128.00']])
  },
)

test('so it does in locked months whose rounded amounts an adjustment does not change', async () => {
  const fund = 'accumulationfund'
  const { person } = await all.enrolled(fund, { declaredBase: '12000' })
  done(await all.house.admin.post(`/welfare/${fund}ExpenseSummary/generate`, { values: { feeMonth: '2026-03' } }))
  const [line] = await linesOf(person.id, fund)
  expect(line).toMatchObject({ fundCompany: '840.00', fundPersonal: '840.00' })
  const decided = { fundCompany: '850.00', fundPersonal: '840.00', adjustReason: '按局里核定' }
  done(await all.call(`${fund}ExpenseLine`, 'adjust', line.id!, decided))
  await lock(person.id, fund)
  on('2026-04-10')
  const adjust = async (newBase: string) => {
    const values = { person: person.id, adjustType: 'midyear', effectiveMonth: '2026-03', newBase }
    const { id } = done(await all.create(`${fund}Adjustment`, values)).result
    done(await all.call(`${fund}Adjustment`, 'succeed', id, { handleMonth: '2026-04' }))
    return (await charged(person.id, fund)).filter(([belongMonth]) => belongMonth === '2026-03')
  }
  expect(await adjust('12003')).toEqual([['2026-03', '2026-03', 'normal', '1690.00']])
  expect(await adjust('13000'), 'what is due changes').toEqual([
    ['2026-03', '2026-03', 'normal', '1690.00'],
    ['2026-03', '2026-04', 'difference', '130.00'],
  ])
})
