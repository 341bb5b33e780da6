import { addMonths, Decimal } from '../../../engine/expression/index.ts'

/** The base in force in a month (`yyyy-MM`). */
export interface InsuredMonth {
  month: string
  base: string
}

/**
 * The mean of the insured base in the twelve months before this one, over the months that have one; null if none has.
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
