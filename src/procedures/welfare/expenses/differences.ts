import { type OpenValues, type ProcedureWork, textIn, type Values } from '../../../../engine/server/procedure.ts'
import type { Contribution } from '../contribution.ts'
import { groupedBy } from '../groupedBy.ts'
import { enrolmentOf, type Enrolment, type Family, type Line, type LineName } from '../handling/family.ts'
import { readTicketContext } from '../handling/ticketContext.ts'
import { formerEnrolments } from '../handling/formerEnrolments.ts'
import { difference } from '../reconciliation.ts'
import { usesYearSoFar, soFarBefore } from '../yearSoFar.ts'
import { isDecided } from './isDecided.ts'
import { isFinal } from './laterMonthChanges.ts'
import { asPaidBack, contributionsIn, isNothing, monthTotals, sum } from './lineAmounts.ts'
import { draftOf } from './refunds.ts'
import { normalLine } from './normalLine.ts'
import { lockedSince } from './summaries.ts'
import { linesFrom, type LineDraft } from './ticketLines.ts'

/** A change of an enrolment from a month on, and the month in which it is handled: an adjustment, or a policy. */
export interface Change {
  person: number
  enrolment: number
  effectiveMonth: string
  handleMonth: string
  ticketNo: string
  /** The enrolment in a month before it, so that what was decided by hand stays where it changes nothing. */
  formerly?: (month: string) => Enrolment
}

/**
 * The effect of these changes on months that are locked or were paid back: for each month from the effective one on,
 * what is due now minus everything that was charged for it. Where that was decided by hand, only if it is another due.
 */
export async function differencesOf(
  work: ProcedureWork,
  family: Family,
  changes: readonly Change[],
): Promise<LineDraft[]> {
  if (changes.length === 0) return []
  const persons = changes.map(({ person }) => person)
  const first = changes.map(({ effectiveMonth }) => effectiveMonth).sort()[0]
  const from = usesYearSoFar(family.items) ? `${first.slice(0, 4)}-01` : first
  const known = await linesFrom(work, family, { persons, from })
  const byEnrolment = groupedBy(known, ({ enrolment }) => enrolment)
  const enrolments = await work.read(enrolmentOf(family), {
    where: { id: changes.map(({ enrolment }) => enrolment) },
  })
  const context = await readTicketContext(work, family, persons)
  const ends = new Map(enrolments.map(({ id, endMonth }) => [id, endMonth]))
  const byId = new Map(enrolments.map((enrolment) => [enrolment.id, enrolment]))
  const asOf = await formerEnrolments(work, family, enrolments)
  const accounts = enrolments.map(({ account }) => account)
  const isLocked = await lockedSince(work, family, accounts, first)
  // An open line does not follow the enrolment to an account whose month is locked.
  const staysOpen = ({ feeMonth, stage, ...line }: Line, { account, customer }: Enrolment) =>
    stage === 'open' && account !== line.account && isLocked({ feeMonth, account, customer })
  return changes.flatMap((ticket) => {
    const all = byEnrolment.get(ticket.enrolment) ?? []
    // Refunds of a whole cycle by a reduction are not reversed.
    const isRest = ({ expenseType, belongMonth }: Line) =>
      expenseType === 'refund' && belongMonth === ends.get(ticket.enrolment)
    const lines = all.filter((line) => line.belongMonth >= ticket.effectiveMonth && !isRest(line))
    const paid = monthTotals(family, lines)
    // The new charge of a month counts in the later ones of its year.
    const [before, months] = [monthTotals(family, all), monthTotals(family, all)]
    return [...groupedBy(lines, ({ belongMonth }) => belongMonth)].flatMap(([month, own]): LineDraft[] => {
      const normal = own.find(({ expenseType }) => expenseType === 'normal')
      const line = normal ?? own.find(isFinal)
      if (!line) return []
      const lineDue = (then: Enrolment, year: typeof months) =>
        normalLine(context, normal ? then : asPaidBack(then, line), month, { soFar: soFarBefore(month, year) })
      const enrolment = byId.get(ticket.enrolment)
      const then = enrolment && asOf(enrolment, month)
      if (!isFinal(line) && !(then && staysOpen(line, then))) return []
      const due = then && lineDue(then, months)
      if (ticket.formerly && own.some(isDecided)) {
        const formerlyDue = lineDue(ticket.formerly(month), before)
        if (isNothing(difference(dueOf(family, formerlyDue), dueOf(family, due)))) return []
      }
      // In a month that was paid back, only what was paid back is due.
      const amounts = difference(
        paid.get(month)!,
        normal ? dueOf(family, due) : onlyPaid(dueOf(family, due), paid.get(month)!),
      )
      if (isNothing(amounts)) return []
      months.set(month, sum(paid.get(month)!, amounts))
      const draft = draftOf(family, ticket, line, { amounts, expenseType: 'difference' })
      // Payroll needs the base to know how much of the month may be deducted.
      const base: OpenValues = due && family.base.mode !== 'none' ? { declaredBase: textIn(due, 'declaredBase') } : {}
      return [{ ...draft, ...base }]
    })
  })
}

type Amounts = Readonly<Record<string, Contribution>>
const dueOf = (family: Family, due: Values<LineName> | undefined): Amounts => (due ? contributionsIn(family, due) : {})
/** Only some of the items may have been paid back. */
const onlyPaid = (due: Amounts, paid: Amounts): Amounts =>
  Object.fromEntries(Object.entries(due).filter(([key]) => paid[key] && !isNothing({ [key]: paid[key] })))
