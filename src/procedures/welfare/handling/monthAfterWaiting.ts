import { addDays, addMonths } from '../../../../engine/expression/index.ts'
import type { Family } from './family.ts'

/** The month in which the family's waiting time after the hire ends: the first that may be paid. */
export function monthAfterWaiting({ eligibility }: Pick<Family, 'eligibility'>, entryDate: string): string {
  const { minServiceMonths, minServiceDays } = eligibility
  const ends = minServiceDays ? addDays(entryDate, minServiceDays) : addMonths(entryDate, minServiceMonths ?? 0)
  return ends!.slice(0, 7)
}
