import { Decimal } from '../../../../engine/expression/index.ts'
import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { money, total } from '../../money/amounts.ts'
import { groupedBy } from '../groupedBy.ts'

/** The gross pay of each month's wage payrolls, by person: of those that are approved, because others may still change. */
export async function monthWagesOf(
  work: ProcedureWork,
  persons: readonly number[],
): Promise<Map<number, ReadonlyMap<string, string>>> {
  if (persons.length === 0) return new Map()
  const payrolls = await work.read('payroll', {
    where: { status: ['approved', 'paying', 'paid'], incomeType: 'wage' },
    fields: ['payrollMonth'],
  })
  const monthOf = new Map(payrolls.map(({ id, payrollMonth }) => [id, String(payrollMonth)]))
  const lines = await work.groups('payrollLine', {
    where: { person: persons, payroll: payrolls.map(({ id }) => id), lineStatus: { not: 'removed' } },
    by: ['person', 'payroll'],
    sum: ['grossPay'],
  })
  const together = (own: typeof lines) => money(total(own.map(({ sum }) => new Decimal(sum.grossPay))))
  return new Map(
    [...groupedBy(lines, ({ by: { person } }) => person)].map(([person, own]) => {
      const months = groupedBy(own, ({ by }) => monthOf.get(by.payroll)!)
      return [person, new Map([...months].map(([month, ofMonth]) => [month, together(ofMonth)]))]
    }),
  )
}
