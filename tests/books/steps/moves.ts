import * as fc from 'fast-check'
import { Broken, type World } from '../world.ts'
import { kind, pick, describeStep } from './Kind.ts'
import { bases, people } from './people.ts'
import { tickets } from './tickets.ts'
import { time } from './time.ts'

const at = fc.nat({ max: 99 })

/** Changes fields of a person's record by its form. */
export async function change(world: World, id: number, values: Record<string, number | string>) {
  const revision = await world.revisionOf('/staff/person', id)
  return world.post('/staff/person/update', { id, revision, values })
}

export const employed = ({ model }: World) =>
  model.people.flatMap(({ state }, index) => (state === 'active' || state === 'leaving' ? [index] : []))

/** Moves in the orderly way: a person leaves, is removed from welfare and starts elsewhere some days later. */
export const moves = {
  move: kind({
    weight: 3,
    values: fc.record({ at, customer: at, base: bases, days: fc.integer({ min: 1, max: 20 }) }),
    async run(world: World, { customer, base, days, ...values }) {
      const { people: all } = world.model
      const staying = all.filter(({ state }) => state === 'active')
      if (staying.length === 0) return undefined
      const who = staying[values.at % staying.length]
      const entries = [
        await people.leave.run(world, { at: values.at, days: -1, after: 0 } as never),
        await tickets.handleAll.run(world, {} as never),
        await time.pass.run(world, { days } as never),
      ]
      if (who.state === 'left') {
        const gone = all.filter(({ state }) => state === 'left' || state === 'cancelled')
        entries.push(await people.rehire.run(world, { at: gone.indexOf(who), customer, base } as never))
      }
      return entries.filter((text) => text !== undefined).join('; ')
    },
  }),

  /** Moves a person to another of our entities without offboarding them. */
  changeAgent: kind({
    weight: 2,
    values: fc.record({ at }),
    async run(world: World, values) {
      const who = pick(employed(world), values.at)
      if (who === undefined || world.agencies.length < 2) return undefined
      const { id, stints } = world.model.people[who]
      const stint = stints.at(-1)!
      const agency = (stint.agency + 1) % world.agencies.length
      const answer = await change(world, id, { agency: world.agencies[agency].id })
      if (answer.code === 1) {
        if (world.model.wages.some((wage) => wage.person === who && wage.agency === stint.agency))
          throw new Broken('two agents', `P${who} was taxed by one this year, and is moved to another`)
        const there = stints.slice(0, -1).find((each) => each.agency === agency)
        Object.assign(stint, { agency, taxFrom: there?.taxFrom ?? stint.from.slice(0, 7) })
      }
      return describeStep(`P${who} is employed by our other entity`, answer)
    },
  }),

  changeContract: kind({
    weight: 2,
    values: fc.record({ at }),
    async run(world: World, values) {
      const who = pick(employed(world), values.at)
      if (who === undefined) return undefined
      const { id, stints } = world.model.people[who]
      const stint = stints.at(-1)!
      const { current, contracts } = world.customers[stint.customer]
      const contract = current[stint.contract === current[0] ? 1 : 0]
      const answer = await change(world, id, { serviceContract: contracts[contract].id })
      if (answer.code === 1) stint.contract = contract
      return describeStep(`P${who} is billed by the customer's other contract`, answer)
    },
  }),
}
