import { addMonths } from '../../../../engine/expression/index.ts'
import {
  type OpenValues,
  type ProcedureWork,
  type Stored,
  type Values as ValuesOf,
  valueIn,
} from '../../../../engine/server/procedure.ts'
import { aboutOf } from '../about.ts'
import { amountFields } from './amounts.ts'
import { amountsOf, choicesOf, takenUnder } from './computeAdjustment.ts'
import type { AdjustmentName, EnrolmentName, Family } from './family.ts'
import { accountOf, accountUnder } from './accountFor.ts'
import { policyUnder } from './policyFor.ts'
import type { TicketContext } from './ticketContext.ts'
import { brings, formerEnrolments } from './formerEnrolments.ts'

type Enrolment = ValuesOf<EnrolmentName>
type Ticket = ValuesOf<AdjustmentName>

/** The values that a handled adjustment of a later month changes, which hold in spite of an earlier one. */
const fixedBy = (family: Family, later: readonly Ticket[]) =>
  choicesOf(family).filter((choice) => later.some((ticket) => brings(ticket, choice)))

/** The enrolment's values after the adjustment. `later`: the handled adjustments of later months. */
export function enrolmentAfter(
  context: TicketContext,
  enrolment: Enrolment,
  ticket: Ticket,
  later: readonly Ticket[],
): Enrolment {
  const { family, policies } = context
  const kept: OpenValues = Object.fromEntries(fixedBy(family, later).map(({ now }) => [now, null]))
  const { taken, moved } = takenUnder(
    family,
    enrolment,
    { ...ticket, ...kept },
    policies.find(({ id }) => id === ticket.policy),
  )
  const after = {
    ...Object.fromEntries(choicesOf(family).map(({ own }) => [own, valueIn(taken, own)])),
    ...moved,
    lastAdjustMonth: [ticket.effectiveMonth, enrolment.lastAdjustMonth].map((month) => month ?? '').sort()[1],
    policy: ticket.policy ?? enrolment.policy ?? null,
    account: ticket.account ?? enrolment.account ?? null,
  }
  const amounts =
    later.length === 0
      ? amountsOf(family, ticket)
      : amountsFrom(context, { ...enrolment, ...after }, after.lastAdjustMonth)
  return { ...after, ...amounts }
}

/** Its values before: under the policy that it had, unless another one applies since. */
export function enrolmentBefore(
  context: TicketContext,
  enrolment: Enrolment,
  ticket: Ticket,
  later: readonly Ticket[],
): Enrolment {
  const { family } = context
  const fixed = new Set(fixedBy(family, later).map(({ own }) => own))
  const former = Object.fromEntries(
    choicesOf(family).map(({ own, old }) => [
      own,
      valueIn(fixed.has(own) ? enrolment : ticket, fixed.has(own) ? own : old),
    ]),
  )
  const before: Enrolment = {
    ...enrolment,
    ...former,
    policy: (enrolment.policy === ticket.policy ? ticket.formerPolicy : null) ?? enrolment.policy ?? null,
  }
  return {
    ...former,
    policy: before.policy ?? null,
    ...amountsFrom(context, before, String(ticket.formerAdjustMonth ?? enrolment.startMonth)),
    lastAdjustMonth: ticket.formerAdjustMonth ?? null,
  }
}

/** An enrolment's amounts from a month on, but not before its policy began. */
function amountsFrom(context: TicketContext, enrolment: Enrolment, from: string): OpenValues {
  const policy = context.policies.find(({ id }) => id === enrolment.policy)
  return amountsIn(context, enrolment, [from, String(policy?.effectiveFrom ?? '')].sort()[1])
}

/** An enrolment's amounts in a month; none without a policy or an account. */
function amountsIn(context: TicketContext, enrolment: Enrolment, month: string): OpenValues {
  const { family, persons, policies, headcountOf } = context
  const person = persons.get(enrolment.person!)!
  const policy = policies.find(({ id }) => id === enrolment.policy)
  const account = policy && accountUnder(context, person, policy, enrolment.account)
  const under = policyUnder(context, enrolment, person, month)
  if (!under || !account) return {}
  const about = aboutOf(person, month, { headcount: headcountOf(enrolment.customer, month) })
  return amountFields(family, under, accountOf(under, family, account), enrolment, about)
}

/** What an adjustment changes: an enrolment as of the effective month, with its amounts then. */
export async function adjustedFor(
  work: ProcedureWork,
  context: TicketContext,
  enrolments: readonly Stored<EnrolmentName>[],
): Promise<(enrolment: Stored<EnrolmentName>, month: string) => Stored<EnrolmentName>> {
  const enrolmentThen = await formerEnrolments(work, context.family, enrolments)
  return (enrolment, month) => {
    const then = enrolmentThen(enrolment, month)
    return then === enrolment ? enrolment : { ...then, ...amountsIn(context, then, month) }
  }
}

/**
 * The month from which an adjustment changes payments: if it brings a newer policy, the first one that the former
 * policy no longer covers.
 */
export function changedFrom({ policies }: TicketContext, ticket: Ticket): string {
  const [former, policy] = [ticket.formerPolicy, ticket.policy].map((policyId) =>
    policies.find(({ id }) => id === policyId),
  )
  const isMoved = policy !== undefined && former !== undefined && policy !== former
  const since = isMoved
    ? [
        policy.effectiveFrom,
        ...(former.status === 'history' && former.effectiveTo ? [addMonths(former.effectiveTo, 1)!] : []),
      ]
    : []
  return [String(ticket.effectiveMonth), ...since].sort()[0]
}
