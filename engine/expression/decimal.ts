import { Decimal as Library } from 'decimal.js'

/** Exact decimals: 40 significant digits, rounding half away from zero. */
export const Decimal = Library.clone({ precision: 40, rounding: Library.ROUND_HALF_UP })
export type Decimal = Library

/** Long enough for any amount, short enough that no text becomes a number of a million digits. */
const plain = /^[+-]?\d{1,60}(\.\d{1,60})?$/

/**
 * A JSON number, a decimal text without exponent, or a reference (its id). Anything else, including half-typed numbers,
 * is missing.
 */
export function decimalOf(value: unknown): Decimal | null {
  if (value instanceof Decimal) return value
  if (typeof value === 'number') return Number.isFinite(value) ? new Decimal(value) : null
  if (typeof value === 'string') return plain.test(value) ? new Decimal(value) : null
  return typeof value === 'object' && value !== null && 'id' in value ? decimalOf(value.id) : null
}
