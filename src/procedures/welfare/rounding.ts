import { Decimal } from '../../../engine/expression/index.ts'

const ways: Record<string, 0 | 1 | 4 | 5 | 6> = {
  halfUp: Decimal.ROUND_HALF_UP,
  halfEven: Decimal.ROUND_HALF_EVEN,
  halfDown: Decimal.ROUND_HALF_DOWN,
  // Rounds up any fraction: bureaus collect to the next 0.1 or to the next yuan.
  ceil: Decimal.ROUND_UP,
  floor: Decimal.ROUND_DOWN,
}
/** The precision after the method: `halfUp1` is to one decimal place, `halfUpTo5` to multiples of five. */
const units: Record<string, string> = { 2: '0.01', 1: '0.1', 0: '1', To5: '5', To10: '10' }

const rules = new Map(
  Object.entries(ways).flatMap(([way, rounding]) =>
    Object.entries(units).map(([name, unit]) => [`${way}${name}`, { rounding, unit }] as const),
  ),
)

/** Applies a value of the dictionary `roundRule`; an unknown one rounds to 0.01. */
export function roundBy(rule: string | null, value: Decimal): Decimal {
  const { rounding, unit } = rules.get(rule ?? 'halfUp2') ?? rules.get('halfUp2')!
  return value.dividedBy(unit).toDecimalPlaces(0, rounding).times(unit)
}
