import * as fc from 'fast-check'
import { writeDown } from '../invariants/aged.ts'
import { families } from '../model/amounts.ts'
import { addDays, monthsBetween } from '../model/months.ts'
import type { World } from '../world.ts'
import { kind } from './Kind.ts'

/** Generates the expenses of every open month, as the nightly job does. */
export async function makeExpenses(world: World): Promise<void> {
  for (const family of families)
    for (const feeMonth of monthsBetween('2026-01', world.month))
      for (const { id } of world.customers)
        await world.post(`/welfare/${family}ExpenseSummary/generate`, { values: { feeMonth, customer: id } })
}

export const time = {
  pass: kind({
    weight: 16,
    values: fc.record({ days: fc.integer({ min: 1, max: 20 }) }),
    async run(world, { days }) {
      const day = addDays(world.day, days)
      if (day > '2026-12-31') return undefined
      await writeDown(world)
      await world.goTo(day)
      // Joiners whose first day has come are active; leavers whose last day is over have left.
      for (const person of world.model.people) {
        const stint = person.stints.at(-1)!
        if (person.state === 'pending' && stint.from <= day) person.state = 'active'
        if (person.state === 'leaving' && stint.to! < day) {
          const { employmentStatus } = await world.get('/staff/person/detail', { id: person.id })
          if (employmentStatus === 'left') person.state = 'left'
        }
      }
      return `${days} days later`
    },
  }),

  balance: kind({
    weight: 3,
    balances: true,
    values: fc.record({}),
    async run(world) {
      await makeExpenses(world)
      return 'the expenses of all open months are made'
    },
  }),
}
