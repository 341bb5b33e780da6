import { Decimal } from '../../../../engine/expression/index.ts'
import type { ProcedureWork, Stored, Where } from '../../../../engine/server/procedure.ts'
import { money, round2, total } from '../../money/amounts.ts'
import { groupedBy } from '../groupedBy.ts'

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
  if (persons.length === 0) return new Map()
  const payrolls = await work.read('payroll', {
    where: { status: 'paid', incomeType: 'wage', ...where },
    fields: ['payrollMonth'],
  })
  const monthOf = new Map(payrolls.map(({ id, payrollMonth }) => [id, String(payrollMonth)]))
  const lines = await work.groups('payrollLine', {
    where: { person: persons, payroll: payrolls.map(({ id }) => id), lineStatus: { not: 'removed' } },
    by: ['person', 'payroll'],
    sum: ['grossPay'],
  })
  const average = (own: typeof lines): string => {
    const months = new Set(own.map(({ by }) => monthOf.get(by.payroll)))
    return money(round2(total(own.map(({ sum }) => new Decimal(sum.grossPay))).dividedBy(months.size)))
  }
  return new Map(
    [...groupedBy(lines, ({ by: { person } }) => person)].map(([person, own]) => {
      const years = groupedBy(own, ({ by }) => Number(monthOf.get(by.payroll)!.slice(0, 4)))
      return [person, new Map([...years].map(([year, ofYear]) => [year, average(ofYear)]))]
    }),
  )
}
