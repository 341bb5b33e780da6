import { decimalOf } from '../../expression/index.ts'
import type { Shape } from '../../model/shape.ts'

const pairs = new WeakMap<object, [lower: string, upper: string][]>()

/** Pairs of keys of which the first may not exceed the second. */
export function pairsOf(shape: Shape<unknown>): [lower: string, upper: string][] {
  let known = pairs.get(shape)
  if (!known)
    pairs.set(
      shape,
      (known = Object.entries(shape.properties ?? {}).flatMap(([key, { atMost }]) =>
        atMost === undefined ? [] : [[key, atMost]],
      )),
    )
  return known
}

/** The keys whose values bound those of a field. */
export const boundsOf = (shape: Shape<unknown>): string[] =>
  pairsOf(shape)
    .filter(([lower]) => !shape.properties![lower].digits)
    .flat()

/** Compares numbers by value, other bounds by order; a word is not comparable. */
export function isAfter(bound: unknown, other: unknown): boolean {
  const [a, b] = [bound, other].map((value) => decimalOf(value as string))
  if (a && b) return a.greaterThan(b)
  return (
    typeof bound === 'string' && typeof other === 'string' && /^\d/.test(bound) && /^\d/.test(other) && bound > other
  )
}

/** Whether the bounds exclude each other, so that no value is valid; a warning reports it. */
export const isCrossed = (options: Readonly<Record<string, unknown>>, shape: Shape<unknown>): boolean =>
  pairsOf(shape).some(
    ([lower, upper]) => shape.properties![lower].names !== 'pattern' && isAfter(options[lower], options[upper]),
  )
