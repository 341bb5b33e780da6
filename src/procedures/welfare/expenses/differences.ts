import type { Context, Db } from '../../../../engine/server/runtime.ts'
import type { RecordData } from '../../../../engine/schema/model.ts'
import { isAnyOf, readAll } from '../../settlement/stored.ts'
import { enrolmentOf, type Family } from '../handling/family.ts'
import { fittingFor } from '../handling/fitting.ts'
import { enrolmentsIn } from '../handling/formerly.ts'
import { difference } from '../reconciliation.ts'
import { paidIn } from './paid.ts'
import { contributionsIn, draftOf, isNothing } from './refunds.ts'
import { normalLine } from './renew.ts'
import { linesFrom, type LineDraft } from './ticketLines.ts'

/** What changes an enrolment from a month on, and in which month that is handled: an adjustment, or a policy. */
export interface Change extends RecordData {
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
  context: Context,
  db: Db,
  family: Family,
  changes: readonly Change[],
): Promise<LineDraft[]> {
  if (changes.length === 0) return []
  const persons = changes.map(({ person }) => person)
  const from = changes.map(({ effectiveMonth }) => effectiveMonth).sort()[0]
  const known = (await linesFrom(context, db, family, { persons, from })).filter(
    ({ expenseType }) => expenseType === 'normal' || expenseType === 'difference',
  )
  const byEnrolment = new Map<unknown, RecordData[]>()
  for (const line of known) byEnrolment.set(line.enrolment, [...(byEnrolment.get(line.enrolment) ?? []), line])
  const enrolments = await readAll(context, db, enrolmentOf(family), [
    isAnyOf(
      'id',
      changes.map(({ enrolment }) => enrolment),
    ),
  ])
  const fitting = await fittingFor(context, db, family, persons)
  const asOf = new Map<string, Map<number, RecordData>>()
  for (const month of new Set(
    known.filter(({ stage }) => stage === 'locked').map(({ belongMonth }) => String(belongMonth)),
  )) {
    asOf.set(
      month,
      new Map((await enrolmentsIn(context, db, family, enrolments, month)).map((then) => [then.id!, then])),
    )
  }
  return changes.flatMap((ticket) => {
    const lines = (byEnrolment.get(ticket.enrolment) ?? []).filter(
      ({ belongMonth }) => String(belongMonth) >= ticket.effectiveMonth,
    )
    const paid = paidIn(family, lines)
    return lines
      .filter(({ expenseType, stage }) => expenseType === 'normal' && stage === 'locked')
      .flatMap((line): LineDraft[] => {
        const month = String(line.belongMonth)
        const then = asOf.get(month)!.get(ticket.enrolment)
        const due = then && normalLine(fitting, then, month)
        const amounts = difference(paid.get(month)!, due ? contributionsIn(family, due) : {})
        return isNothing(amounts) ? [] : [draftOf(family, ticket, line, { amounts, expenseType: 'difference' })]
      })
  })
}
