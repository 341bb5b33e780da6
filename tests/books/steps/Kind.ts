import type * as fc from 'fast-check'
import type { Answer } from '../../server.ts'
import type { Ticket } from '../model/tables.ts'
import type { World } from '../world.ts'

/** One kind of step. Its numbers choose among what exists, so any part of a story is a story. */
export interface Kind<V = never> {
  weight: number
  values: fc.Arbitrary<V>
  /** @returns a description of what was done; undefined if there was nothing to do it to */
  run(world: World, values: V): Promise<string | undefined>
  /** All invariants must hold afterwards. */
  balances?: boolean
}

export const kind = <V>(step: Kind<V>): Kind => step as unknown as Kind

/** Chooses one of the existing items, by a number that may exceed their count. */
export const pick = <T>(among: readonly T[], at: number): T | undefined =>
  among.length === 0 ? undefined : among[at % among.length]

/** Describes the step, with the server's refusal if there is one. */
export const describeStep = (what: string, { code, message, errors }: Answer): string =>
  code === 1
    ? what
    : `${what} refused: ${errors?.map((error) => `${error.field} ${error.message}`).join(', ') ?? message}`

/** The id of the person's ticket that the product created with the last step. */
export async function ticketMade(
  world: World,
  { family, kind: suffix, person }: Pick<Ticket, 'family' | 'kind' | 'person'>,
): Promise<number | undefined> {
  const known = new Set(
    world.model.tickets.filter((ticket) => ticket.family === family && ticket.kind === suffix).map(({ id }) => id),
  )
  const found = await world.all(`/welfare/${family}${suffix}`, {
    person: { equals: world.model.people[person].id },
  })
  return found.find(({ id }) => !known.has(id!))?.id
}
