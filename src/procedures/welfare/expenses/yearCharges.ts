import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import { expenseLineOf, type Enrolment, type Family, type Line } from '../handling/family.ts'
import type { YearSoFar } from '../soFar.ts'
import { usesYearSoFar, soFarBefore } from '../yearSoFar.ts'
import { monthTotals } from './lineAmounts.ts'

/** The charges of these enrolments in the earlier months of the year; empty if no formula needs them. */
export async function chargesBefore(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly Pick<Enrolment, 'id'>[],
  month: string,
): Promise<(enrolment: number) => YearSoFar> {
  if (!usesYearSoFar(family.items) || month.endsWith('-01')) return () => ({})
  const chargesIn = await yearCharges(work, family, enrolments, month.slice(0, 4))
  return (enrolment) => chargesIn(enrolment, month)
}

/** The same for any month of a year. */
export async function yearCharges(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly Pick<Enrolment, 'id'>[],
  year: string,
): Promise<(enrolment: number, month: string) => YearSoFar> {
  const lines = await yearLines(
    work,
    family,
    enrolments.map(({ id }) => id),
    year,
  )
  const own = groupedBy(lines, ({ enrolment }) => enrolment)
  return (enrolment, month) => soFarBefore(month, monthTotals(family, own.get(enrolment) ?? []))
}

/** All lines of enrolments for the months of a year, in month order, without void ones. */
export const yearLines = (
  work: ProcedureWork,
  family: Family,
  enrolments: readonly (number | null)[],
  year: string,
): Promise<Line[]> =>
  work.read(expenseLineOf(family), {
    where: {
      enrolment: enrolments.filter((id) => id !== null),
      belongMonth: { between: [`${year}-01`, `${year}-12`] },
      stage: ['open', 'locked'],
    },
    order: 'belongMonth',
    lock: true,
  })
