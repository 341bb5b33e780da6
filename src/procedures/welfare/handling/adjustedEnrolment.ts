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
import { insuredPerson, isForHousehold } from './insuredPerson.ts'
import { accountOf, accountUnder } from './accountFor.ts'
import { policyUnder } from './policyFor.ts'
import type { TicketContext } from './ticketContext.ts'
import { brings, formerEnrolments } from './formerEnrolments.ts'

type Enrolment = ValuesOf<EnrolmentName>
type Ticket = ValuesOf<AdjustmentName>

/** The values that a handled adjustment of a later month changes, which hold in spite of an earlier one. */
const fixedBy = (family: Family, later: readonly Ticket[]) =>
  choicesOf(family).filter((choice) => later.some((ticket) => brings(ticket, choice)))

/**
 * The enrolment's values after the adjustment. `later`: the handled adjustments of later months. If one of those is for
 * another household type, the policy that this one has for its own month no longer applies.
 */
export function enrolmentAfter(
  context: TicketContext,
  enrolment: Enrolment,
  ticket: Ticket,
  later: readonly Ticket[],
): Enrolment {
  const { family, policies } = context
  const place = !isForHousehold(ticket) && later.some(isForHousehold) ? enrolment : ticket
  const kept: OpenValues = Object.fromEntries(fixedBy(family, later).map(({ now }) => [now, null]))
  const { taken, moved } = takenUnder(
    family,
    enrolment,
    { ...ticket, ...kept },
    policies.find(({ id }) => id === place.policy),
  )
  const after = {
    ...Object.fromEntries(choicesOf(family).map(({ own }) => [own, valueIn(taken, own)])),
    ...moved,
    lastAdjustMonth: [ticket.effectiveMonth, enrolment.lastAdjustMonth].map((month) => month ?? '').sort()[1],
    policy: place.policy ?? enrolment.policy ?? null,
    account: place.account ?? enrolment.account ?? null,
    householdType: ticket.householdType ?? enrolment.householdType ?? null,
  }
  const amounts =
    later.length === 0
      ? amountsOf(family, ticket)
      : amountsFrom(context, { ...enrolment, ...after }, after.lastAdjustMonth)
  return { ...after, ...amounts }
}

/**
 * Its values before: under the policy that it had, unless another one applies since. `handled`: the other handled
 * adjustments, in the order in which they were handled; `later`: those of later months.
 */
export function enrolmentBefore(
  context: TicketContext,
  enrolment: Enrolment,
  ticket: Ticket,
  { handled, later }: { handled: readonly Ticket[]; later: readonly Ticket[] },
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
    ...placeBefore(enrolment, ticket, handled),
  }
  return {
    ...former,
    policy: before.policy ?? null,
    account: before.account ?? null,
    householdType: before.householdType ?? null,
    ...amountsFrom(context, before, String(ticket.formerAdjustMonth ?? enrolment.startMonth)),
    lastAdjustMonth: ticket.formerAdjustMonth ?? null,
  }
}

/** The policy, account and household type before the ticket. */
function placeBefore(enrolment: Enrolment, ticket: Ticket, handled: readonly Ticket[]): Enrolment {
  const { policy, account, householdType } = enrolment
  if (!isForHousehold(ticket))
    return policy === ticket.policy
      ? { policy: ticket.formerPolicy ?? policy, account: ticket.formerAccount ?? account, householdType }
      : { policy, account, householdType }
  // One for a later month that was handled before applied to the present, which this one had replaced.
  const last = handled.findLast(isForHousehold)
  return last && String(last.effectiveMonth) > String(ticket.effectiveMonth)
    ? { policy: last.policy, account: last.account, householdType: last.householdType }
    : {
        policy: ticket.formerPolicy ?? policy,
        account: ticket.formerAccount ?? account,
        householdType: ticket.formerHouseholdType ?? householdType,
      }
}

/** An enrolment's amounts from a month on, but not before its policy began. */
function amountsFrom(context: TicketContext, enrolment: Enrolment, from: string): OpenValues {
  const policy = context.policies.find(({ id }) => id === enrolment.policy)
  return amountsIn(context, enrolment, [from, String(policy?.effectiveFrom ?? '')].sort()[1])
}

/** An enrolment's amounts in a month; none without a policy or an account. */
function amountsIn(context: TicketContext, enrolment: Enrolment, month: string): OpenValues {
  const { family, policies, headcountOf } = context
  const person = insuredPerson(context, enrolment)!
  const policy = policies.find(({ id }) => id === enrolment.policy)
  const account = policy && accountUnder(context, person, policy, enrolment.account)
  const under = policyUnder(context, enrolment, month)
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
 * policy no longer covers. One for another household type changes nothing before its month.
 */
export function changedFrom({ policies }: TicketContext, ticket: Ticket): string {
  if (isForHousehold(ticket)) return String(ticket.effectiveMonth)
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
