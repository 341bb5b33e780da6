import { addMonths } from '../../../../engine/expression/index.ts'
import { type ProcedureWork, type Stored, valueIn } from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import { choicesOf } from './adjusted.ts'
import { adjustmentOf, type AdjustmentName, type Enrolment, type Family } from './family.ts'

/** Enrolments as they are in a month: what was adjusted from a later one on is what it was before. */
export async function enrolmentsIn(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly Enrolment[],
  month: string,
): Promise<Enrolment[]> {
  if (family.pages.fm === null) return [...enrolments]
  const tickets = await work.read(adjustmentOf(family), {
    where: {
      enrolment: enrolments.map(({ id }) => id),
      status: 'success',
      effectiveMonth: { between: [addMonths(month, 1)!, null] },
    },
  })
  const later = groupedBy(tickets, ({ enrolment }) => enrolment)
  return enrolments.map((enrolment) => formerly(family, enrolment, later.get(enrolment.id) ?? []))
}

/** What an enrolment said before these adjustments: of the first of them, what was. */
export function formerly(family: Family, enrolment: Enrolment, later: readonly Stored<AdjustmentName>[]): Enrolment {
  const [first] = later.toSorted((a, b) =>
    a.effectiveMonth < b.effectiveMonth ? -1 : a.effectiveMonth > b.effectiveMonth ? 1 : a.id - b.id,
  )
  return first
    ? { ...enrolment, ...Object.fromEntries(choicesOf(family).map(({ own, old }) => [own, valueIn(first, old)])) }
    : enrolment
}
