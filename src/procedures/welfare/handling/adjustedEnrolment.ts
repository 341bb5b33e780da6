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
import type { Fitting } from './fitting.ts'
import { brings, formerEnrolments } from './formerly.ts'

type Enrolment = ValuesOf<EnrolmentName>
type Ticket = ValuesOf<AdjustmentName>

/** The values that a handled adjustment of a later month changes, which hold in spite of an earlier one. */
const fixedBy = (family: Family, later: readonly Ticket[]) =>
  choicesOf(family).filter((choice) => later.some((ticket) => brings(ticket, choice)))

/** The enrolment's values after the adjustment. `later`: the handled adjustments of later months. */
export function enrolmentAfter(
  fitting: Fitting,
  enrolment: Enrolment,
  ticket: Ticket,
  later: readonly Ticket[],
): Enrolment {
  const { family, policies } = fitting
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
      : amountsFrom(fitting, { ...enrolment, ...after }, after.lastAdjustMonth)
  return { ...after, ...amounts }
}

/** Its values before: under the policy that it had, unless another one applies since. */
export function enrolmentBefore(
  fitting: Fitting,
  enrolment: Enrolment,
  ticket: Ticket,
  later: readonly Ticket[],
): Enrolment {
  const { family } = fitting
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
    ...amountsFrom(fitting, before, String(ticket.formerAdjustMonth ?? enrolment.startMonth)),
    lastAdjustMonth: ticket.formerAdjustMonth ?? null,
  }
}

/** An enrolment's amounts from a month on, but not before its policy began. */
function amountsFrom(fitting: Fitting, enrolment: Enrolment, from: string): OpenValues {
  const policy = fitting.policies.find(({ id }) => id === enrolment.policy)
  return amountsIn(fitting, enrolment, [from, String(policy?.effectiveFrom ?? '')].sort()[1])
}

/** An enrolment's amounts in a month; none without a policy or an account. */
function amountsIn(fitting: Fitting, enrolment: Enrolment, month: string): OpenValues {
  const { family, persons, policies, headcountOf } = fitting
  const person = persons.get(enrolment.person!)!
  const policy = policies.find(({ id }) => id === enrolment.policy)
  const account = policy && accountUnder(fitting, person, policy, enrolment.account)
  const under = policyUnder(fitting, enrolment, person, month)
  if (!under || !account) return {}
  const about = aboutOf(person, month, { headcount: headcountOf(enrolment.customer, month) })
  return amountFields(family, under, accountOf(under, family, account), enrolment, about)
}

/** What an adjustment changes: an enrolment as of the effective month, with its amounts then. */
export async function adjustedFor(
  work: ProcedureWork,
  fitting: Fitting,
  enrolments: readonly Stored<EnrolmentName>[],
): Promise<(enrolment: Stored<EnrolmentName>, month: string) => Stored<EnrolmentName>> {
  const formerly = await formerEnrolments(work, fitting.family, enrolments)
  return (enrolment, month) => {
    const then = formerly(enrolment, month)
    return then === enrolment ? enrolment : { ...then, ...amountsIn(fitting, then, month) }
  }
}

/**
 * The month from which an adjustment changes payments: if it brings a newer policy, the first one that the former
 * policy no longer covers.
 */
export function changedFrom({ policies }: Fitting, ticket: Ticket): string {
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
