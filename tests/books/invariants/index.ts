import type { World } from '../world.ts'
import { read } from './Books.ts'
import { costed } from './costed.ts'
import { deducted } from './deducted.ts'
import { insured } from './insured.ts'
import { invoiced } from './invoiced.ts'
import { owned } from './owned.ts'
import { paid } from './paid.ts'
import { settled } from './settled.ts'
import { unchanged } from './unchanged.ts'

export const invariants = [insured, owned, costed, settled, invoiced, paid, deducted, unchanged]

/**
 * Checks every invariant.
 * @throws Broken for the first that does not hold
 */
export async function check(world: World): Promise<void> {
  const books = await read(world)
  for (const invariant of invariants) invariant(books, world)
}
