import { Decimal } from '../../../engine/expression/index.ts'

/** An exact amount as records keep it, `-12.30`; null counts as nothing. */
export type Amount = string | null

export const zero = new Decimal(0)
export const decimal = (amount: Amount | undefined): Decimal => new Decimal(amount ?? 0)
/** Two places, halves away from zero. */
export const round2 = (value: Decimal): Decimal => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
export const money = (value: Decimal): string => value.toFixed(2)
export const total = (values: readonly Decimal[]): Decimal => values.reduce((sum, value) => sum.plus(value), zero)

/**
 * A whole of two places in the proportion of these parts, each of two places: what rounding leaves over stands at the
 * last part that is not zero. All zero: nothing is spread.
 */
export function spread(whole: Decimal, parts: readonly Decimal[]): Decimal[] {
  const all = total(parts)
  const last = parts.findLastIndex((part) => !part.isZero())
  if (last < 0 || all.isZero()) return parts.map(() => zero)
  const shares = parts.map((part) => round2(whole.times(part).dividedBy(all)))
  shares[last] = shares[last].plus(whole.minus(total(shares)))
  return shares
}
