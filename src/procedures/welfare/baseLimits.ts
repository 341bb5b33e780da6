import { Decimal } from '../../../engine/expression/index.ts'
import { money } from '../money/amounts.ts'

/**
 * A city's usual limits, to the yuan: from 60 % of the average wage, or the minimum wage, up to 300 % of the average
 * wage.
 */
export function baseLimits(
  averageWage: string,
  floorFrom: string,
  minimumWage: string | undefined,
): { baseFloor: string | null; baseCeiling: string } {
  const share = (percent: number) =>
    money(new Decimal(averageWage).times(percent).dividedBy(100).toDecimalPlaces(0, Decimal.ROUND_HALF_UP))
  return { baseFloor: floorFrom === 'minWage' ? (minimumWage ?? null) : share(60), baseCeiling: share(300) }
}
