import * as fc from 'fast-check'
import { families, kindOf, type Family } from '../model/amounts.ts'
import { coverOf, householdOf, isGoing, isOpen, never, type Ticket } from '../model/tables.ts'
import { Broken, type World } from '../world.ts'
import { kind, pick, describeStep } from './Kind.ts'
import { change, employed } from './moves.ts'

export const households = {
  /** A person's household is registered elsewhere: another policy is for them. */
  changeHousehold: kind({
    weight: 3,
    values: fc.record({ at: fc.nat({ max: 99 }) }),
    async run(world: World, values) {
      const who = pick(employed(world), values.at)
      if (who === undefined) return undefined
      const person = world.model.people[who]
      const householdType = person.household === 'localRural' ? 'localUrban' : 'localRural'
      const answer = await change(world, person.id, { householdType })
      if (answer.code === 1) Object.assign(person, { household: householdType, householdSince: world.month })
      return describeStep(`P${who} is ${householdType} from now on`, answer)
    },
  }),
}

const isMove = ({ kind: suffix, household }: Ticket) => suffix === 'Adjustment' && household !== undefined

/** Records the adjustments made for people whose household was changed, and checks that there is one where it is due. */
export async function followHouseholds(world: World): Promise<void> {
  for (const [who, { householdSince }] of world.model.people.entries())
    if (householdSince !== undefined)
      for (const family of families) if (kindOf(family) === 'social') await follow(world, who, family)
}

async function follow(world: World, who: number, family: Family): Promise<void> {
  const { people, tickets } = world.model
  const { id, household, householdSince } = people[who]
  const own = tickets.filter((ticket) => ticket.person === who && ticket.family === family)
  for (const { id: ticket, ...found } of await world.all(`/welfare/${family}Adjustment`, { person: { equals: id } })) {
    const known = own.find((each) => each.kind === 'Adjustment' && each.id === ticket)
    if (known && isMove(known) && known.state === 'open' && found.status === 'cancelled') known.state = 'cancelled'
    if (known || found.householdType === null || found.status === 'cancelled') continue
    const from = [householdSince!, own.findLast((each) => each.kind === 'Addition' && each.state === 'success')!.from!]
      .toSorted()
      .at(-1)!
    if (found.effectiveMonth !== from || found.householdType !== household)
      throw new Broken(
        'household',
        `P${who}'s ${family} becomes ${String(found.householdType)} from ${String(found.effectiveMonth)} instead of ${household} from ${from}`,
      )
    const made: Ticket = { id: ticket!, family, kind: 'Adjustment', person: who, state: 'open', from, household }
    tickets.push({ ...made, ofPolicy: true })
  }
  const present = householdOf(world.model, who, family).get(never)
  if (present === undefined || isGoing(people[who]) || !coverOf(world.model, who, family).has(never)) return
  if (isOpen(world.model, who, family, ['Addition', 'Reduction'])) return
  const open = tickets.find(
    (ticket) => ticket.person === who && ticket.family === family && ticket.state === 'open' && isMove(ticket),
  )
  if (open ? present === household : present !== household && !isOpen(world.model, who, family, ['Adjustment']))
    throw new Broken(
      'household',
      `P${who}'s ${family} is for ${present}, they are ${household}: ${open ? 'a' : 'no'} ticket`,
    )
}
