/** A policy of a coming month changes months that were locked ahead, also for people who follow it at once. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import type { Answer } from '../server.ts'
import { policyRows } from '../welfare.ts'
import { handlingHouse, type HandlingHouse } from './handled.ts'

const family = 'socialsecurity'
let all: HandlingHouse
beforeAll(async () => {
  all = await handlingHouse()
})
afterAll(() => all?.house.close())

const done = (answer: Answer): Answer => {
  expect(answer, JSON.stringify([answer.message, answer.errors])).toMatchObject({ code: 1 })
  return answer
}

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

  const path = '/welfare/policy'
  done(await admin.post(`${path}/revise`, { id: all.policies.social }))
  const [{ id }] = (await admin.get(`${path}/list`, { filters: { status: { equals: 'draft' } } })).result.list
  const { revision } = (await admin.get(`${path}/detail`, { id })).result
  const items = policyRows(all.house, family, { baseFloor: '13500', baseCeiling: '36000' }) as Value
  const next = { effectiveFrom: '2026-04', [`${family}Items`]: items }
  done(await admin.post(`${path}/update`, { id, revision, values: next }))
  done(await admin.post(`${path}/enable`, { id }))

  const charged = async () =>
    (
      (
        await admin.get(`/welfare/${family}ExpenseLine/list`, {
          filters: { person: { equals: person.id } },
          sort: 'id',
          size: 100,
        })
      ).result.list as RecordData[]
    )
      .filter(({ belongMonth }) => String(belongMonth) <= '2026-04')
      .map(({ belongMonth, feeMonth, expenseType, total }) => [belongMonth, feeMonth, expenseType, total])
  const due = [
    ['2026-03', '2026-03', 'normal', '3048.00'],
    ['2026-04', '2026-04', 'normal', '3048.00'],
    ['2026-04', '2026-05', 'difference', '381.00'],
  ]
  expect(await charged()).toEqual(due)
  all.house.runtime.clock = clockOn('2026-04-10')
  done(await all.call(`${family}Reduction`, 'succeed', reduction, { handleMonth: '2026-05' }))
  expect(await charged(), 'the reduction refunds nothing of it').toEqual(due)
})
