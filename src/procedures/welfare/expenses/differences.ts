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

/** What an adjustment changes in months that are locked: of each from its effective month on what is due now, less what was paid. */
export async function differencesOf(context: Context, db: Db, family: Family, ticket: RecordData): Promise<LineDraft[]> {
  const lines = (await linesFrom(context, db, family, { persons: [ticket.person as number], from: String(ticket.effectiveMonth) }))
    .filter(({ enrolment, expenseType }) => enrolment === ticket.enrolment && (expenseType === 'normal' || expenseType === 'difference'))
  const locked = lines.filter(({ expenseType, stage }) => expenseType === 'normal' && stage === 'locked')
  const enrolments = await readAll(context, db, enrolmentOf(family), [isAnyOf('id', [ticket.enrolment as number])])
  const fitting = await fittingFor(context, db, family, [ticket.person as number])
  const paid = paidIn(family, lines)
  const drafts: LineDraft[] = []
  for (const line of locked) {
    const month = String(line.belongMonth)
    const [then] = await enrolmentsIn(context, db, family, enrolments, month)
    const due = then && normalLine(fitting, then, month)
    const amounts = difference(paid.get(month)!, due ? contributionsIn(family, due) : {})
    if (!isNothing(amounts)) drafts.push(draftOf(family, ticket, line, { amounts, expenseType: 'difference' }))
  }
  return drafts
}
