import { type ProcedureWork, type Stored, textIn, type Values, valueIn } from '../../../../engine/server/procedure.ts'
import { aboutOf } from '../about.ts'
import { computeAdjustment, changeOf, choicesOf } from './computeAdjustment.ts'
import { amountFields } from './amounts.ts'
import { adjustmentOf, type AdjustmentName, type Enrolment, type Family } from './family.ts'
import { insuredPerson } from './insuredPerson.ts'
import { accountOf, accountUnder } from './accountFor.ts'
import type { TicketContext } from './ticketContext.ts'

/** The type of adjustment for a changed policy; undefined if the family has no adjustments. */
export const policyType = ({ adjustTypes, pages }: Family): string | undefined =>
  pages.fm === null ? undefined : adjustTypes?.find(({ value }) => value === 'policy')?.value

/** Whether payments with these amounts would differ from those under the enrolment's policy. */
export function changesAmounts(context: TicketContext, enrolment: Enrolment, amounts: object): boolean {
  const { family, policies, month } = context
  const own = policies.find(({ id }) => id === enrolment.policy)
  const person = insuredPerson(context, enrolment)!
  const account = own && accountUnder(context, person, own, enrolment.account)
  if (!own || !account) return true
  const about = aboutOf(person, month, { headcount: context.headcountOf(enrolment.customer, month) })
  const before = amountFields(family, own, accountOf(own, family, account), enrolment, about)
  return family.items
    .flatMap(({ key }) => [`${key}Company`, `${key}Personal`])
    .some((name) => Number(textIn(before, name) ?? 0) !== Number(textIn(amounts, name) ?? 0))
}

/**
 * A ticket for each of these enrolments from the first month of the policy on: declared values stay, the amounts are
 * new.
 */
export async function makePolicyTickets(
  work: ProcedureWork,
  context: TicketContext,
  policy: Stored<'policy'>,
  enrolments: readonly Enrolment[],
): Promise<void> {
  const { family } = context
  const name = adjustmentOf(family)
  const adjustType = policyType(family)!
  const declared = choicesOf(family).filter(({ change }) => change === changeOf(family, adjustType))
  const blank = work.blank(name)
  const tickets = enrolments.map((enrolment): Values<AdjustmentName> => {
    const effectiveMonth = [policy.effectiveFrom, String(enrolment.startMonth)].sort()[1]
    const given: Values<AdjustmentName> = {
      person: enrolment.person,
      adjustType,
      effectiveMonth,
      source: 'policy',
      ...Object.fromEntries(declared.map(({ own, now }) => [now, valueIn(enrolment, own)])),
    }
    return { ...blank, ...given, ...computeAdjustment(context, enrolment, given), status: 'pending' }
  })
  await work.insert(name, tickets, { action: 'create' })
}
