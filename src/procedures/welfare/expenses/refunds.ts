import { addMonths } from '../../../../engine/expression/index.ts'
import type { Part, ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import { aboutFields, aboutOf } from '../about.ts'
import type { Contribution } from '../contribution.ts'
import { groupedBy } from '../groupedBy.ts'
import { contributionFields, monthly, policyAccounts, policyItems } from '../handling/amounts.ts'
import type { Family, Line, ReductionName } from '../handling/family.ts'
import { refund } from '../reconciliation.ts'
import { beginOfCycle, isForMonths, refundAfter, type Charged } from '../yearly.ts'
import { contributionsIn, isNothing, monthTotals } from './lineAmounts.ts'
import { linesFrom, type LineDraft } from './ticketLines.ts'

/** A line that a ticket creates in the month in which it was handled, for the person and month of another line. */
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

type Reduction = Stored<ReductionName>
type Person = Part<'person', (typeof aboutFields)[number]>

/** The inputs of refunds. */
interface Known {
  family: Family
  policies: ReadonlyMap<number, Stored<'policy'>>
  persons: ReadonlyMap<number, Person>
}

/**
 * The refunds of reductions: everything charged for the months after the last paid one, in any line, and for items that
 * are paid for several months, the refundable rest.
 */
export async function refundsOf(
  work: ProcedureWork,
  family: Family,
  tickets: readonly Reduction[],
): Promise<LineDraft[]> {
  const persons = tickets.map(({ person }) => person)
  const begins = tickets.map(({ lastMonth }) => addMonths(lastMonth, -11)!).sort()
  const lines = begins.length === 0 ? [] : await linesFrom(work, family, { persons, from: begins[0] })
  const known = {
    family,
    policies: await work.byId(
      'policy',
      [...tickets, ...lines].map(({ policy }) => policy),
    ),
    persons: await work.byId('person', persons, { fields: aboutFields }),
  }
  const ofEnrolment = groupedBy(lines, ({ enrolment }) => enrolment)
  return tickets.flatMap((ticket) => refundOf(known, ticket, ofEnrolment.get(ticket.enrolment) ?? []))
}

function refundOf(known: Known, ticket: Reduction, all: readonly Line[]): LineDraft[] {
  const { family } = known
  const { lastMonth } = ticket
  const begin = addMonths(lastMonth, -11)!
  const lines = all.filter(({ belongMonth }) => belongMonth >= begin)
  const isNormal = ({ expenseType }: Line) => expenseType === 'normal'
  const beyond = lines.filter((line) => line.belongMonth > lastMonth)
  const charged = monthTotals(family, beyond)
  const paid = lines.filter(({ belongMonth }) => belongMonth <= lastMonth)
  const yearly = yearlyRefund(
    known,
    ticket,
    // People who were reported late have paid the year by a back-payment.
    paid.filter((line) => isNormal(line) || line.expenseType === 'supplement'),
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

/** The refund of what was paid for the cycle in which it ends. */
function yearlyRefund(
  { family, policies, persons }: Known,
  ticket: Reduction,
  paid: readonly Line[],
): Record<string, Contribution> {
  const { lastMonth } = ticket
  const person = persons.get(ticket.person)
  const own = policies.get(ticket.policy!)
  if (!own) return {}
  const rows = policyItems(own, family)
  const charged = Object.fromEntries(
    rows.filter(isForMonths).flatMap(({ item, ...row }): [string, Charged][] => {
      const begin = beginOfCycle(lastMonth, row)
      const line = paid.find(
        (each) => each.belongMonth >= begin && !isNothing({ [item]: contributionsIn(family, each)[item] }),
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
