import type * as fc from 'fast-check'
import type { Answer } from '../../server.ts'
import type { Ticket } from '../model/tables.ts'
import type { World } from '../world.ts'

/** One kind of thing that can be done. Numbers choose among what is there, so that any part of a story is a story. */
export interface Kind<V = never> {
  weight: number
  values: fc.Arbitrary<V>
  /** @returns what was done, told to people; nothing if there was nothing to do it to. */
  run(world: World, values: V): Promise<string | undefined>
  /** Afterwards everything must hold. */
  balances?: boolean
}

export const kind = <V>(of: Kind<V>): Kind => of as unknown as Kind

/** One of those that are there. */
export const pick = <T>(among: readonly T[], at: number): T | undefined =>
  among.length === 0 ? undefined : among[at % among.length]

/** What was done, and what the server said if it would not. */
export const tell = (what: string, { code, message, errors }: Answer): string =>
  code === 1
    ? what
    : `${what} refused: ${errors?.map((error) => `${error.field} ${error.message}`).join(', ') ?? message}`

/** Somebody's ticket that the product made with what was just done. */
export async function ticketMade(
  world: World,
  { family, kind: of, person }: Pick<Ticket, 'family' | 'kind' | 'person'>,
): Promise<number | undefined> {
  const known = new Set(
    world.model.tickets.filter((ticket) => ticket.family === family && ticket.kind === of).map(({ id }) => id),
  )
  const found = await world.all(`/welfare/${family}${of}`, {
    person: { equals: world.model.people[person].id },
  })
  return found.find(({ id }) => !known.has(id!))?.id
}
