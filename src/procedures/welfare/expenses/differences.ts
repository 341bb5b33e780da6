import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import { enrolmentOf, type Enrolment, type Family } from '../handling/family.ts'
import { fittingFor } from '../handling/fitting.ts'
import { enrolmentsIn } from '../handling/formerly.ts'
import { difference } from '../reconciliation.ts'
import { paidIn } from './paid.ts'
import { contributionsIn, draftOf, isNothing } from './refunds.ts'
import { normalLine } from './renew.ts'
import { linesFrom, type LineDraft } from './ticketLines.ts'

/** What changes an enrolment from a month on, and in which month that is handled: an adjustment, or a policy. */
export interface Change {
  person: number
  enrolment: number
  effectiveMonth: string
  handleMonth: string
  ticketNo: string
}

/**
 * What these changes make of months that are locked: of each from its effective month on what is due now, less what was
 * paid.
 */
export async function differencesOf(
  work: ProcedureWork,
  family: Family,
  changes: readonly Change[],
): Promise<LineDraft[]> {
  if (changes.length === 0) return []
  const persons = changes.map(({ person }) => person)
  const from = changes.map(({ effectiveMonth }) => effectiveMonth).sort()[0]
  const known = (await linesFrom(work, family, { persons, from })).filter(
    ({ expenseType }) => expenseType === 'normal' || expenseType === 'difference',
  )
  const byEnrolment = groupedBy(known, ({ enrolment }) => enrolment)
  const enrolments = await work.read(enrolmentOf(family), {
    where: { id: changes.map(({ enrolment }) => enrolment) },
  })
  const fitting = await fittingFor(work, family, persons)
  const asOf = new Map<string, Map<number, Enrolment>>()
  const locked = known.filter(({ stage }) => stage === 'locked')
  for (const month of new Set(locked.map(({ belongMonth }) => belongMonth))) {
    const then = await enrolmentsIn(work, family, enrolments, month)
    asOf.set(month, new Map(then.map((enrolment) => [enrolment.id, enrolment])))
  }
  return changes.flatMap((ticket) => {
    const lines = (byEnrolment.get(ticket.enrolment) ?? []).filter(
      ({ belongMonth }) => belongMonth >= ticket.effectiveMonth,
    )
    const paid = paidIn(family, lines)
    return lines
      .filter(({ expenseType, stage }) => expenseType === 'normal' && stage === 'locked')
      .flatMap((line): LineDraft[] => {
        const month = line.belongMonth
        const then = asOf.get(month)!.get(ticket.enrolment)
        const due = then && normalLine(fitting, then, month)
        const amounts = difference(paid.get(month)!, due ? contributionsIn(family, due) : {})
        return isNothing(amounts) ? [] : [draftOf(family, ticket, line, { amounts, expenseType: 'difference' })]
      })
  })
}
