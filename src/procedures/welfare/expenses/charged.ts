import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import { expenseLineOf, type Enrolment, type Family, type Line } from '../handling/family.ts'
import type { YearSoFar } from '../soFar.ts'
import { asksOfYear, soFarBefore } from '../yearSoFar.ts'
import { paidIn } from './paid.ts'

/** What these enrolments were charged in the months of the year before one: nothing where no formula asks. */
export async function chargedBefore(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly Pick<Enrolment, 'id'>[],
  month: string,
): Promise<(enrolment: number) => YearSoFar> {
  if (!asksOfYear(family.items) || month.endsWith('-01')) return () => ({})
  const lines = await yearLines(
    work,
    family,
    enrolments.map(({ id }) => id),
    month.slice(0, 4),
  )
  const own = groupedBy(lines, ({ enrolment }) => enrolment)
  return (enrolment) => soFarBefore(month, paidIn(family, own.get(enrolment) ?? []))
}

/** All lines of enrolments that belong to the months of a year, in the order of those; void ones are none. */
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
