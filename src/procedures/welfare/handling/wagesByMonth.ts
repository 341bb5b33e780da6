import { Decimal } from '../../../../engine/expression/index.ts'
import type { ProcedureWork, Stored, Where } from '../../../../engine/server/procedure.ts'
import { total } from '../../money/amounts.ts'
import { groupedBy } from '../groupedBy.ts'

/** Person → month → the gross pay of these payrolls of wages. */
export async function wagesByMonth(
  work: ProcedureWork,
  persons: readonly number[],
  where: Where<Stored<'payroll'>>,
): Promise<Map<number, ReadonlyMap<string, Decimal>>> {
  if (persons.length === 0) return new Map()
  const payrolls = await work.read('payroll', { where: { incomeType: 'wage', ...where }, fields: ['payrollMonth'] })
  const monthOf = new Map(payrolls.map(({ id, payrollMonth }) => [id, String(payrollMonth)]))
  const lines = await work.groups('payrollLine', {
    where: { person: persons, payroll: payrolls.map(({ id }) => id), lineStatus: { not: 'removed' } },
    by: ['person', 'payroll'],
    sum: ['grossPay'],
  })
  const together = (own: typeof lines) => total(own.map(({ sum }) => new Decimal(sum.grossPay)))
  return new Map(
    [...groupedBy(lines, ({ by: { person } }) => person)].map(([person, own]) => {
      const months = groupedBy(own, ({ by }) => monthOf.get(by.payroll)!)
      return [person, new Map([...months].map(([month, ofMonth]) => [month, together(ofMonth)]))]
    }),
  )
}
