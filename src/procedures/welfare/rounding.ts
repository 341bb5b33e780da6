import { Decimal } from '../../../engine/expression/index.ts'

const rules: Record<string, [places: number, rounding: 0 | 1 | 4]> = {
  halfUp2: [2, Decimal.ROUND_HALF_UP],
  halfUp1: [1, Decimal.ROUND_HALF_UP],
  halfUp0: [0, Decimal.ROUND_HALF_UP],
  // Any part of a unit counts as one: bureaus collect to the next 0.1 or to the next yuan.
  ceil1: [1, Decimal.ROUND_UP],
  ceil0: [0, Decimal.ROUND_UP],
  floor2: [2, Decimal.ROUND_DOWN],
}

/** A value of the dictionary `roundRule`, applied; what is unknown is to 0.01. */
export function roundBy(rule: string | null, value: Decimal): Decimal {
  return value.toDecimalPlaces(...(rules[rule ?? 'halfUp2'] ?? rules.halfUp2))
}
