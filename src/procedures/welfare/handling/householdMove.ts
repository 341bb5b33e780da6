import type { Label } from '../../../../engine/model/model.ts'
import type { Stored } from '../../../../engine/server/procedure.ts'
import { aboutOf } from '../about.ts'
import { accountOf, accountUnder, newestOf, noAccountText } from './accountFor.ts'
import { amountFields } from './amounts.ts'
import { amountsOf } from './computeAdjustment.ts'
import type { Enrolment } from './family.ts'
import { insuredPerson } from './insuredPerson.ts'
import { policyFor, policyUnder } from './policyFor.ts'
import type { TicketContext } from './ticketContext.ts'

type Policy = Stored<'policy'>

/** What another household type of the person means for an enrolment. */
export type Move =
  /** It has the person's type, or no policy or account is for that. */
  | { is: 'none'; reason?: Label }
  /** Another policy than the one that came into force is for that. */
  | { is: 'as before' }
  /** Nothing differs for it. */
  | { is: 'same' }
  | { is: 'other'; policy: Policy; month: string }

/** `newer`: a policy that came into force since the type was changed, and applies from its own first month on. */
export function moveOf(context: TicketContext, enrolment: Enrolment, newer: Policy | undefined): Move {
  const { family } = context
  const person = context.persons.get(enrolment.person!)!
  const insured = insuredPerson(context, enrolment)!
  if (person.householdType === insured.householdType) return { is: 'none' }
  const month = [person.householdSince ?? context.month, String(enrolment.startMonth), newer?.effectiveFrom ?? '']
    .sort()
    .at(-1)!
  const found = policyFor(context, person, String(enrolment.city), month)
  if (newer && newer.policyNo !== found?.policyNo) return { is: 'as before' }
  if (!found) return { is: 'none' }
  const policy = newestOf(context, found)
  const account = accountUnder(context, person, policy, enrolment.account)
  if (!account) return { is: 'none', reason: noAccountText(context, person) }
  const own = context.policies.find(({ id }) => id === enrolment.policy)
  const now = policyUnder(context, enrolment, month)
  if (own?.policyNo !== policy.policyNo || now?.policyNo !== policy.policyNo) return { is: 'other', policy, month }
  const headcount = context.headcountOf(enrolment.customer, month)
  // Formulas of the family may ask for the type as well.
  const [before, after] = [insured, person].map((who) =>
    amountFields(family, now, accountOf(now, family, account), enrolment, aboutOf(who, month, { headcount })),
  )
  const isSame = Object.entries(amountsOf(family, before)).every(([name, amount]) => after[name] === amount)
  return isSame ? { is: 'same' } : { is: 'other', policy, month }
}
