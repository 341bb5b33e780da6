import { Decimal } from '../../../../engine/expression/index.ts'
import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
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
  if (persons.length === 0) return new Map()
  const payrolls = await work.read('payroll', {
    where: { status: 'paid', incomeType: 'wage', payrollMonth: { between: [`${year}-01`, `${year}-12`] } },
    fields: ['payrollMonth'],
  })
  const monthOf = new Map(payrolls.map(({ id, payrollMonth }) => [id, payrollMonth]))
  const lines = await work.groups('payrollLine', {
    where: { person: persons, payroll: payrolls.map(({ id }) => id), lineStatus: { not: 'removed' } },
    by: ['person', 'payroll'],
    sum: ['grossPay'],
  })
  return new Map(
    [...groupedBy(lines, ({ by: { person } }) => person)].map(([person, own]) => {
      const gross = total(own.map(({ sum }) => new Decimal(sum.grossPay)))
      const months = new Set(own.map(({ by: { payroll } }) => monthOf.get(payroll)))
      return [person, money(round2(gross.dividedBy(months.size)))]
    }),
  )
}
