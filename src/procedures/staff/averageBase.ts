import { addMonths, Decimal } from '../../../engine/expression/index.ts'

/** Base in force in a month (`yyyy-MM`). */
export interface InsuredMonth {
  month: string
  base: string
}

/**
 * The mean of what was insured in each of the twelve months before this one, of those that have something; null where
 * none has.
 */
export function averageBase(lines: readonly InsuredMonth[], accident: string): string | null {
  const first = addMonths(accident, -12)!
  const bases = new Map(lines.flatMap(({ month, base }) => (month >= first && month < accident ? [[month, base]] : [])))
  if (bases.size === 0) return null
  return [...bases.values()]
    .reduce((total, base) => total.plus(base), new Decimal(0))
    .dividedBy(bases.size)
    .toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
    .toFixed(2)
}
