import { addMonths } from '../../../../engine/expression/index.ts'
import {
  type OpenValues,
  type Stored,
  textIn,
  type Values as ValuesOf,
  valueIn,
} from '../../../../engine/server/procedure.ts'
import type { FieldProblem, Value } from '../../../../engine/model/model.ts'
import { decimal, money } from '../../money/amounts.ts'
import { choicesUnder, wrongChoices } from './amounts.ts'
import type { AdjustmentName, EnrolmentName, Family } from './family.ts'
import { accountUnder, newestOf } from './accountFor.ts'
import { amountsIn } from './computeAddition.ts'
import { insuredPerson, isForHousehold } from './insuredPerson.ts'
import { policyFor } from './policyFor.ts'
import type { TicketContext, TicketPerson } from './ticketContext.ts'

type Enrolment = ValuesOf<EnrolmentName>
type Ticket = ValuesOf<AdjustmentName>
type Policy = Stored<'policy'>
export type Change = 'base' | 'rate' | 'tier'

/**
 * A value that an adjustment may change: the field of the enrolment, and the ticket's fields for its old and new value.
 */
export interface Choice {
  change: Change
  own: string
  old: string
  now: string
}

/** What a family's adjustments can change. */
export function choicesOf({ adjustTypes, items }: Family): Choice[] {
  const changes = new Set((adjustTypes ?? []).map(({ change }) => change))
  const ranged = changes.has('rate') ? items.filter(({ rateModes }) => rateModes.includes('range')) : []
  const tiered = changes.has('tier') ? items.filter(({ rateModes }) => rateModes.includes('tier')) : []
  const choiceOf = (change: Change, key: string, name: string): Choice => ({
    change,
    own: `${key}${name}`,
    old: `${key}Old${name}`,
    now: `${key}New${name}`,
  })
  return [
    ...(changes.has('base') ? [{ change: 'base' as const, own: 'declaredBase', old: 'oldBase', now: 'newBase' }] : []),
    ...ranged.flatMap(({ key, sameRate }) => [
      choiceOf('rate', key, 'CompanyRate'),
      ...(sameRate ? [] : [choiceOf('rate', key, 'PersonalRate')]),
    ]),
    ...tiered.map(({ key }) => choiceOf('tier', key, 'Tier')),
  ]
}

export const changeOf = ({ adjustTypes }: Family, adjustType: Value | undefined): Change | undefined =>
  adjustTypes?.find(({ value }) => value === adjustType)?.change

/** The enrolment after the adjustment: values that were not changed stay. */
const takenOf = (family: Family, enrolment: Enrolment, ticket: Ticket): Enrolment => {
  const change = changeOf(family, ticket.adjustType)
  return {
    ...enrolment,
    ...Object.fromEntries(
      choicesOf(family)
        .filter((choice) => choice.change === change)
        .map(({ own, now }) => [own, valueIn(ticket, now) ?? valueIn(enrolment, own)]),
    ),
  }
}

/** The same under the ticket's policy if that is another one: with the rates and tiers that it has. */
export function takenUnder(
  family: Family,
  enrolment: Enrolment,
  ticket: Ticket,
  policy: Policy | undefined,
): { taken: Enrolment; /** Values that changed only because of the policy. */ moved: OpenValues } {
  const taken = takenOf(family, enrolment, ticket)
  const moved = !policy || policy.id === enrolment.policy ? {} : choicesUnder(family, policy, taken)
  return { taken: { ...taken, ...moved }, moved }
}

/**
 * The policy and account of an adjustment; another account if the enrolment's is no longer in use. It is the
 * enrolment's policy, unless its month has a newer one: that comes with the adjustment. One for another household type
 * brings the latest version of the policy for it, like an addition.
 */
function placeOf(
  context: TicketContext,
  enrolment: Enrolment,
  ticket: Ticket,
  person: TicketPerson,
): [policy?: Policy, account?: Stored<'policyAccount'>] {
  const own = context.policies.find(({ id }) => id === enrolment.policy)
  const then = policyFor(context, person, String(enrolment.city), String(ticket.effectiveMonth))
  const isOlder = then && own && then.policyNo === own.policyNo && Number(then.version) < Number(own.version)
  const policy = isOlder ? own : then && isForHousehold(ticket) ? newestOf(context, then) : (then ?? own)
  return [policy, policy && accountUnder(context, person, policy, enrolment.account)]
}

/**
 * Everything that a ticket takes from its enrolment and from the policy in force in its month: old values, new values,
 * and the monthly change.
 */
export function computeAdjustment(context: TicketContext, enrolment: Enrolment, given: Ticket): Ticket {
  const { family } = context
  const insured = insuredPerson(context, enrolment)!
  const isMoved = isForHousehold(given)
  const person = isMoved ? { ...insured, householdType: given.householdType } : insured
  // What was declared for its month stays, whichever month that becomes.
  const declared: OpenValues = isMoved
    ? Object.fromEntries(
        choicesOf(family)
          .filter((choice) => choice.change === changeOf(family, given.adjustType))
          .map(({ own, now }) => [now, valueIn(enrolment, own)]),
      )
    : {}
  const ticket: Ticket = { ...given, ...declared }
  const [policy, account] = placeOf(context, enrolment, ticket, person)
  const { taken, moved } = takenUnder(family, enrolment, ticket, policy)
  const amounts =
    policy && account
      ? amountsIn(
          context,
          { person, city: String(enrolment.city), month: String(ticket.effectiveMonth) },
          policy,
          account,
          taken,
        )
      : {}
  const change = changeOf(family, ticket.adjustType)
  const diff = (name: 'companyTotal' | 'personalTotal') =>
    Object.hasOwn(amounts, name) ? money(decimal(textIn(amounts, name)).minus(decimal(enrolment[name]))) : null
  return {
    enrolment: enrolment.id ?? null,
    customer: enrolment.customer ?? null,
    serviceContract: enrolment.serviceContract ?? null,
    supportStaff: enrolment.supportStaff ?? null,
    city: enrolment.city ?? null,
    policy: policy?.id ?? enrolment.policy ?? null,
    account: account?.id ?? enrolment.account ?? null,
    formerAdjustMonth: enrolment.lastAdjustMonth ?? null,
    formerPolicy: enrolment.policy ?? null,
    formerAccount: enrolment.account ?? null,
    householdType: given.householdType ?? null,
    formerHouseholdType: isMoved ? (insured.householdType ?? null) : null,
    ...declared,
    ...Object.fromEntries(choicesOf(family).map(({ own, old }) => [old, valueIn(enrolment, own)])),
    ...Object.fromEntries(
      choicesOf(family)
        .filter((choice) => choice.change !== change)
        .map(({ own, now }) => [now, moved[own] ?? null]),
    ),
    ...amounts,
    companyDiff: diff('companyTotal'),
    personalDiff: diff('personalTotal'),
  }
}

/** Problems that only the enrolment and the policy show. */
export function problemsOf(context: TicketContext, enrolment: Enrolment, ticket: Ticket): FieldProblem[] {
  const { family } = context
  if (String(ticket.effectiveMonth) < String(enrolment.startMonth)) {
    return [
      {
        field: 'effectiveMonth',
        code: 'effectiveMonth',
        message: { cn: '生效月份早于起缴月份', en: 'The effective month is before the first paid month' },
      },
    ]
  }
  const { endMonth = null } = enrolment
  if (endMonth !== null && endMonth < String(ticket.effectiveMonth)) {
    return [
      {
        field: 'effectiveMonth',
        code: 'ended',
        message: {
          cn: `该参保记录已于${endMonth}停缴，生效月份不能更晚；不需要调整的，请撤销任务`,
          en: `The enrolment ended in ${endMonth}: adjust it by then, or cancel the ticket`,
        },
      },
    ]
  }
  const change = changeOf(family, ticket.adjustType)
  const choices = choicesOf(family).filter((choice) => choice.change === change)
  if (change === 'base') {
    // An adjustment generated for a policy or a base collection may change only the limits.
    const isSame =
      ['manual', 'import'].includes(String(ticket.source)) &&
      decimal(textIn(ticket, 'newBase')).equals(decimal(textIn(enrolment, 'declaredBase')))
    return isSame
      ? [
          {
            field: 'newBase',
            code: 'newBase',
            message: { cn: '新申报基数与原申报基数相同', en: 'The new declared base is the same as the old one' },
          },
        ]
      : []
  }
  if (choices.length === 0) return []
  const taken = takenOf(family, enrolment, ticket)
  const isKept = ({ own }: Choice) =>
    change === 'rate'
      ? decimal(textIn(taken, own)).equals(decimal(textIn(enrolment, own)))
      : valueIn(taken, own) === valueIn(enrolment, own)
  if (choices.every(isKept)) {
    return [
      {
        field: choices[0].now,
        code: 'adjustType',
        message: { cn: '调整类型与填写内容不符', en: 'The adjustment type does not fit the values given' },
      },
    ]
  }
  const policy =
    policyFor(context, insuredPerson(context, enrolment)!, String(enrolment.city), String(ticket.effectiveMonth)) ??
    context.policies.find(({ id }) => id === ticket.policy)
  const wrong = policy ? wrongChoices(family, policy, taken) : []
  return choices
    .filter(({ own }) => wrong.includes(own))
    .map(({ now }) => ({
      field: now,
      code: 'policy',
      message: { cn: '比例或档次不在政策范围内', en: 'Rate or tier is outside the policy' },
    }))
}

/** The fields of bases and amounts, which enrolments and tickets share. */
export function amountsOf(family: Family, record: object): OpenValues {
  const names = [
    ...(family.base.mode === 'shared' ? ['base'] : []),
    ...family.items.flatMap(({ key, hasCompany, hasPersonal }) => [
      ...(family.base.mode === 'perItem' ? [`${key}Base`] : []),
      ...(hasCompany ? [`${key}Company`] : []),
      ...(hasPersonal ? [`${key}Personal`] : []),
    ]),
    'companyTotal',
    'personalTotal',
    'total',
  ]
  return Object.fromEntries(names.map((name) => [name, valueIn(record, name)]))
}

/** The first month that may be handled normally: after the cut-off day, the next one. */
export function proposedMonth(context: TicketContext, enrolment: Enrolment): string {
  const policy = context.policies.find(({ id }) => id === enrolment.policy)
  const next = policy && context.day > Number(policy.cutoffDay ?? 31) ? addMonths(context.month, 1)! : context.month
  return next < String(enrolment.startMonth) ? String(enrolment.startMonth) : next
}
