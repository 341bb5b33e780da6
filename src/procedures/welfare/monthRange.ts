import { addDays, addMonths } from '../../../engine/expression/index.ts'

const count = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7))

/** How many months the second is after the first. */
export const monthsFrom = (first: string, second: string): number => count(second) - count(first)

/** All months from the first to the last, inclusive. */
export const monthRange = (first: string, last: string): string[] =>
  Array.from({ length: Math.max(0, monthsFrom(first, last) + 1) }, (_, index) => addMonths(first, index)!)

/** A day of a month; beyond the month's end, its last day. */
export function dayOf(month: string, day: number): string {
  const wanted = `${month}-${String(day).padStart(2, '0')}`
  const last = addDays(addMonths(`${month}-01`, 1)!, -1)!
  return wanted < last ? wanted : last
}
