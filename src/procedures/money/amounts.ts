import { Decimal } from '../../../engine/expression/index.ts'

/** An exact amount in stored form, `-12.30`; null counts as zero. */
export type Amount = string | null

export const zero = new Decimal(0)
export const decimal = (amount: Amount | undefined): Decimal => new Decimal(amount ?? 0)
/** Two decimal places, rounding half away from zero. */
export const round2 = (value: Decimal): Decimal => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
export const money = (value: Decimal): string => value.toFixed(2)
export const total = (values: readonly Decimal[]): Decimal => values.reduce((sum, value) => sum.plus(value), zero)

/**
 * Splits an amount of two decimal places in proportion to these parts, each of two places: the rounding difference goes
 * to the last part that is not zero. If all are zero, nothing is distributed.
 */
export function spread(whole: Decimal, parts: readonly Decimal[]): Decimal[] {
  const all = total(parts)
  const last = parts.findLastIndex((part) => !part.isZero())
  if (last < 0 || all.isZero()) return parts.map(() => zero)
  const shares = parts.map((part) => round2(whole.times(part).dividedBy(all)))
  shares[last] = shares[last].plus(whole.minus(total(shares)))
  return shares
}
