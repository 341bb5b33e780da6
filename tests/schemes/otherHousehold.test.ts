/** A changed household type in a family without adjustments, where another policy applies to the new one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordData, Value } from '../../engine/model/model.ts'
import { clockOn } from '../clock.ts'
import { done } from '../welfare/adjusting.ts'
import { schemeHouse, type SchemeHouse } from './schemeHouse.ts'

let at: SchemeHouse
/** A policy with these monthly dues. */
const policyWith = (personalFixed: string, values: Record<string, Value>) =>
  at.policy('guild', {
    cutoffDay: 20,
    payDay: 25,
    guildcareItems: (
      at.house.runtime.derived.catalog.entities.policy.fields.guildcareItems.default as RecordData[]
    ).map((row) => (row.item === 'guildDues' ? { ...row, enabled: true, personalFixed } : row)) as Value,
    ...values,
  })
beforeAll(async () => {
  at = await schemeHouse()
  await policyWith('5.00', { name: '城镇' })
  await policyWith('8.00', { name: '农村', householdTypes: ['localRural'] })
})
afterAll(() => at?.house.close())

test('the enrolment follows at once, from the month of the change on', async () => {
  const { id } = await at.joins({
    guildcareNeeded: true,
    guildcareStartMonth: '2026-03',
    guildcareEntryMemberGroup: 'sea',
    guildcareEntryConsent: true,
  })
  const [ticket] = await at.ticketsOf('guildcareAddition', id)
  done(await at.change('/welfare/guildcareAddition', ticket.id!, { guildDuesOn: true }))
  const handled = { handleMonth: '2026-03', registerNo: 'B1' }
  done(await at.call('guildcareAddition', 'succeed', ticket.id!, handled))
  const dues = async () =>
    (await at.lines('guildcare', id)).map(({ belongMonth, expenseType, guildDuesPersonal }) => [
      belongMonth,
      expenseType,
      guildDuesPersonal,
    ])
  done(await at.generate('guildcare', '2026-03'))
  at.house.runtime.clock = clockOn('2026-04-10')
  done(await at.generate('guildcare', '2026-04'))
  expect(await dues()).toEqual([
    ['2026-03', 'normal', '5.00'],
    ['2026-04', 'normal', '5.00'],
  ])
  done(await at.change('/staff/person', id, { householdType: 'localRural' }))
  done(await at.generate('guildcare', '2026-03'))
  expect(await dues()).toEqual([
    ['2026-03', 'normal', '5.00'],
    ['2026-04', 'normal', '8.00'],
  ])
})
