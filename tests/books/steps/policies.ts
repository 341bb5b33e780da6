import * as fc from 'fast-check'
import type { Value } from '../../../engine/model/model.ts'
import { policyRows } from '../../welfare.ts'
import { families, kindOf } from '../model/amounts.ts'
import { addMonths } from '../model/months.ts'
import type { World } from '../world.ts'
import { kind, describeStep } from './Kind.ts'

const path = '/welfare/policy'

/** Records the adjustments that a new policy version created. */
async function adjustmentsOf(world: World, from: string): Promise<void> {
  const { people, tickets } = world.model
  const ids = people.map(({ id }) => id)
  if (ids.length === 0) return
  for (const family of families) {
    const known = new Set(
      tickets.filter((ticket) => ticket.family === family && ticket.kind === 'Adjustment').map(({ id }) => id),
    )
    for (const ticket of await world.all(`/welfare/${family}Adjustment`, { person: { in: ids } })) {
      if (known.has(ticket.id!) || ticket.adjustType !== 'policy' || ticket.householdType !== null) continue
      const person = ids.indexOf((ticket.person as { id: number }).id)
      tickets.push({ id: ticket.id!, family, kind: 'Adjustment', person, state: 'open', from, ofPolicy: true })
    }
  }
}

export const policies = {
  revise: kind({
    weight: 1,
    values: fc.record({
      of: fc.constantFrom('social', 'fund'),
      floor: fc.constantFrom('7000', '9000.00', '5500'),
      months: fc.integer({ min: -2, max: 1 }),
    }),
    async run(world, { floor, months, ...values }) {
      const changed = values.of as 'social' | 'fund'
      const from = addMonths(world.month, months)
      const versions = world.model.policies[changed]
      // One version at a time: adjustments waiting for the last one would hide those of the next.
      const isWaiting = world.model.tickets.some(({ ofPolicy, state }) => ofPolicy && state === 'open')
      if (from <= versions.at(-1)!.from || from < '2026-02' || isWaiting) return undefined
      const id = world.policies[changed]
      const begun = await world.act(path, 'revise', id)
      if (begun.code !== 1) return describeStep(`a new ${changed} policy`, begun)
      const { policyNo } = await world.get(`${path}/detail`, { id })
      const [draft] = await world.all(path, { policyNo: { equals: policyNo }, status: { equals: 'draft' } })
      const limits = { baseFloor: floor, baseCeiling: '36000' }
      const rows = families
        .filter((family) => kindOf(family) === changed)
        .map((family): [string, Value] => [`${family}Items`, policyRows(world.house, family, limits) as Value])
      const saved = await world.post(`${path}/update`, {
        id: draft.id,
        revision: await world.revisionOf(path, draft.id!),
        values: { effectiveFrom: from, ...Object.fromEntries(rows) },
      })
      if (saved.code !== 1) return describeStep(`a new ${changed} policy from ${from}`, saved)
      const answer = await world.act(path, 'enable', draft.id!)
      if (answer.code === 1) {
        world.policies[changed] = draft.id!
        versions.push({ from, floor, ceiling: '36000' })
        await adjustmentsOf(world, from)
      }
      return describeStep(`a new ${changed} policy from ${from}: floor ${floor}`, answer)
    },
  }),
}
