import { Decimal } from 'decimal.js'
import { endOf, monthOf } from './months.ts'
import type { Stint } from './tables.ts'

/** How a contract charges people who are there for a part of a month. */
export type PartMonth = 'fullMonth' | 'halfMonth' | 'byDay'

/**
 * How much of a head a person counts as in a month in which they were employed: one; or a half if they joined after the
 * 15th or left by the 15th; or by the days.
 */
export function headIn(part: PartMonth, month: string, { from, to }: Pick<Stint, 'from' | 'to'>): Decimal {
  const [first, middle, last] = [`${month}-01`, `${month}-15`, endOf(month)]
  if (monthOf(from) > month || (to !== undefined && to < first)) return new Decimal(0)
  if (part === 'fullMonth') return new Decimal(1)
  if (part === 'halfMonth') return new Decimal(from > middle || (to !== undefined && to <= middle) ? 0.5 : 1)
  const day = (date: string) => Number(date.slice(8))
  const [begin, end] = [from > first ? from : first, to !== undefined && to < last ? to : last]
  return new Decimal(day(end) - day(begin) + 1).div(day(last))
}
