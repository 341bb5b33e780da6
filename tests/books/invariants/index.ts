import type { World } from '../world.ts'
import { read } from './Books.ts'
import { account } from './account.ts'
import { aged } from './aged.ts'
import { closed } from './closed.ts'
import { costed } from './costed.ts'
import { deducted } from './deducted.ts'
import { cumulated } from './filed.ts'
import { headed } from './headed.ts'
import { insured } from './insured.ts'
import { invoiced } from './invoiced.ts'
import { monthly } from './monthly.ts'
import { owned } from './owned.ts'
import { paid, waiting } from './paid.ts'
import { served } from './served.ts'
import { settled } from './settled.ts'
import { unchanged } from './unchanged.ts'

export const invariants = [
  insured,
  owned,
  costed,
  served,
  headed,
  monthly,
  settled,
  account,
  invoiced,
  paid,
  waiting,
  deducted,
  cumulated,
  unchanged,
  closed,
  aged,
]

/**
 * Checks every invariant.
 * @throws Broken for the first that does not hold
 */
export async function check(world: World): Promise<void> {
  const books = await read(world)
  for (const invariant of invariants) invariant(books, world)
}
