import { addMonths } from '../../../../engine/expression/index.ts'
import type { ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import { decimal } from '../../money/amounts.ts'
import { aboutOf } from '../about.ts'
import type { Contribution } from '../contribution.ts'
import { contributionFields, monthly, policyAccounts, policyItems } from '../handling/amounts.ts'
import type { Family, Line, ReductionName } from '../handling/family.ts'
import { refund } from '../reconciliation.ts'
import { beginOfCycle, isForMonths, refundAfter, type Charged } from '../yearly.ts'
import { contributionsIn, paidIn } from './paid.ts'
import { linesFrom, type LineDraft } from './ticketLines.ts'

/**
 * A line that a ticket makes in the month in which it was handled, for whom another line is and for the month to which
 * that belongs.
 */
export const draftOf = (
  family: Family,
  ticket: { handleMonth: string | null; ticketNo: string },
  { person, customer, serviceContract, supportStaff, city, policy, account, personalAccountNo, ...line }: Line,
  { amounts, expenseType }: { amounts: Record<string, Contribution>; expenseType: LineDraft['expenseType'] },
): LineDraft => ({
  ...contributionFields(family, amounts),
  person: person!,
  customer,
  serviceContract,
  supportStaff,
  city,
  policy,
  account,
  personalAccountNo,
  belongMonth: line.belongMonth,
  enrolment: line.enrolment,
  feeMonth: String(ticket.handleMonth),
  expenseType,
  sourceNo: ticket.ticketNo,
})

export const isNothing = (amounts: Readonly<Record<string, Contribution>>): boolean =>
  Object.values(amounts).every(({ company, personal }) => decimal(company).isZero() && decimal(personal).isZero())

/**
 * What comes back of a reduction: all that was charged for the months after the last paid one, in whatever lines, and of
 * items that are paid for several months what they pay back of the rest.
 */
export async function refundsOf(
  work: ProcedureWork,
  family: Family,
  ticket: Stored<ReductionName>,
): Promise<LineDraft[]> {
  const { lastMonth } = ticket
  const lines = (await linesFrom(work, family, { persons: [ticket.person], from: addMonths(lastMonth, -11)! })).filter(
    ({ enrolment }) => enrolment === ticket.enrolment,
  )
  const isNormal = ({ expenseType }: Line) => expenseType === 'normal'
  // Normal lines that are open have gone already, unless somebody decided them by hand.
  const beyond = lines.filter((line) => line.belongMonth > lastMonth && (!isNormal(line) || line.stage === 'locked'))
  const charged = paidIn(family, beyond)
  const paid = lines.filter(({ belongMonth }) => belongMonth <= lastMonth)
  const yearly = await yearlyRefund(
    { work, family, ticket },
    // Who was reported late has paid the year by a back-payment.
    paid.filter((line) => isNormal(line) || line.expenseType === 'supplement'),
    lastMonth,
  )
  const last = paid.filter(isNormal).at(-1) ?? paid.at(-1)
  return [
    ...[...charged].flatMap(([month, amounts]): LineDraft[] => {
      const line = beyond.findLast(({ belongMonth }) => belongMonth === month)!
      return isNothing(amounts)
        ? []
        : [draftOf(family, ticket, line, { amounts: refund(amounts), expenseType: 'refund' })]
    }),
    ...(last && !isNothing(yearly)
      ? [draftOf(family, ticket, { ...last, belongMonth: lastMonth }, { amounts: yearly, expenseType: 'refund' })]
      : []),
  ]
}

/** Of what was paid for the cycle in which it ends. */
async function yearlyRefund(
  { work, family, ticket }: { work: ProcedureWork; family: Family; ticket: Stored<ReductionName> },
  paid: readonly Line[],
  lastMonth: string,
): Promise<Record<string, Contribution>> {
  const policies = await work.byId('policy', [ticket.policy, ...paid.map(({ policy }) => policy)])
  const person = (await work.byId('person', [ticket.person])).get(ticket.person!)
  const own = policies.get(ticket.policy!)
  if (!own) return {}
  const rows = policyItems(own, family)
  const charged = Object.fromEntries(
    rows.filter(isForMonths).flatMap(({ item, ...row }): [string, Charged][] => {
      const begin = beginOfCycle(lastMonth, row)
      const line = paid.find(
        (one) => one.belongMonth >= begin && !isNothing({ [item]: contributionsIn(family, one)[item] }),
      )
      if (!line) return []
      const policy = policies.get(line.policy!) ?? own
      const account =
        policyAccounts(policy, family).find(({ id, revisionOf }) => [id, revisionOf].includes(line.account)) ?? {}
      return [
        [
          item,
          {
            month: line.belongMonth,
            amounts: contributionsIn(family, line)[item],
            whole: monthly(family, policy, account, line, aboutOf(person, line.belongMonth))[item],
          },
        ],
      ]
    }),
  )
  return refundAfter(lastMonth, charged, rows, { items: family.items, about: aboutOf(person, lastMonth) })
}
