import * as fc from 'fast-check'
import type { World } from '../world.ts'
import { kind } from './Kind.ts'
import { bases, people } from './people.ts'
import { tickets } from './tickets.ts'
import { time } from './time.ts'

const at = fc.nat({ max: 99 })

/** As somebody does it who has all in order: one leaves, is taken off, and begins elsewhere some days later. */
export const moves = {
  move: kind({
    weight: 3,
    values: fc.record({ at, customer: at, base: bases, days: fc.integer({ min: 1, max: 20 }) }),
    async run(world: World, { customer, base, days, ...values }) {
      const { people: all } = world.model
      const staying = all.filter(({ state }) => state === 'active')
      if (staying.length === 0) return undefined
      const who = staying[values.at % staying.length]
      const told = [
        await people.leave.run(world, { at: values.at, days: -1, after: 0 } as never),
        await tickets.handleAll.run(world, {} as never),
        await time.pass.run(world, { days } as never),
      ]
      if (who.state === 'left') {
        const gone = all.filter(({ state }) => state === 'left' || state === 'cancelled')
        told.push(await people.rehire.run(world, { at: gone.indexOf(who), customer, base } as never))
      }
      return told.filter((text) => text !== undefined).join('; ')
    },
  }),
}
