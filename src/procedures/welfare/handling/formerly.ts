import { type ProcedureWork, type Stored, valueIn } from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import { choicesOf } from './computeAdjustment.ts'
import { adjustmentOf, type AdjustmentName, type Enrolment, type Family } from './family.ts'

/** Enrolments as of a month: values that were adjusted from a later month on have their earlier state. */
export async function enrolmentsIn(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly Enrolment[],
  month: string,
): Promise<Enrolment[]> {
  const then = await formerEnrolments(work, family, enrolments)
  return enrolments.map((enrolment) => then(enrolment, month))
}

/** The same for any month. */
export async function formerEnrolments(
  work: ProcedureWork,
  family: Family,
  enrolments: readonly Enrolment[],
): Promise<(enrolment: Enrolment, month: string) => Enrolment> {
  if (family.pages.fm === null) return (enrolment) => enrolment
  const tickets = await work.read(adjustmentOf(family), {
    where: { enrolment: enrolments.map(({ id }) => id), status: 'success' },
  })
  const inOrder = tickets.toSorted((a, b) => (a.handledAt ?? '').localeCompare(b.handledAt ?? '') || a.id - b.id)
  const byEnrolment = groupedBy(inOrder, ({ enrolment }) => enrolment)
  return (enrolment, month) => formerly(family, enrolment, byEnrolment.get(enrolment.id) ?? [], month)
}

/**
 * An enrolment's state in a month, by all its adjustments. Each ticket's old values are those at its handling: so for a
 * value that no ticket has set by then, the first handled ticket knows it, though it may take effect last.
 */
function formerly(family: Family, enrolment: Enrolment, all: readonly Stored<AdjustmentName>[], month: string) {
  const [first] = all.filter(({ effectiveMonth }) => effectiveMonth > month)
  if (!first) return enrolment
  const then = all.filter(({ effectiveMonth }) => effectiveMonth <= month)
  return {
    ...enrolment,
    ...Object.fromEntries(
      choicesOf(family).map(({ own, old, now }) => {
        // A policy's adjustment also states the unchanged base.
        const brings = (ticket: Stored<AdjustmentName>) =>
          ![null, undefined, valueIn(ticket, old)].includes(valueIn(ticket, now))
        const brought = then.findLast(brings)
        return [own, brought ? valueIn(brought, now) : valueIn(first, old)]
      }),
    ),
  }
}
