import type { Decimal } from '../../../../engine/expression/index.ts'
import type { ProcedureWork, Stored, Where } from '../../../../engine/server/procedure.ts'
import { money, round2, total } from '../../money/amounts.ts'
import { groupedBy } from '../groupedBy.ts'
import { wagesByMonth } from './wagesByMonth.ts'

/**
 * The average monthly earnings of these people in a year: the gross pay of its paid wage payrolls, over the months in
 * which they had one.
 */
export async function averageWages(
  work: ProcedureWork,
  persons: readonly number[],
  year: number,
): Promise<Map<number, string>> {
  const found = await wagesByYear(work, persons, { payrollMonth: { between: [`${year}-01`, `${year}-12`] } })
  return new Map([...found].flatMap(([person, years]) => [...years].map(([, wage]) => [person, wage] as const)))
}

/** The same of every year, by person. */
export async function wagesByYear(
  work: ProcedureWork,
  persons: readonly number[],
  where: Where<Stored<'payroll'>> = {},
): Promise<Map<number, ReadonlyMap<number, string>>> {
  const found = await wagesByMonth(work, persons, { status: 'paid', ...where })
  return new Map(
    [...found].map(([person, months]) => {
      const years = groupedBy([...months], ([month]) => Number(month.slice(0, 4)))
      return [person, new Map([...years].map(([year, own]) => [year, money(round2(average(own)))]))]
    }),
  )
}

const average = (months: readonly (readonly [string, Decimal])[]): Decimal =>
  total(months.map(([, wages]) => wages)).dividedBy(months.length)
