import { addMonths } from '../../../../engine/expression/index.ts'
import { textIn, type Stored, type Values } from '../../../../engine/server/procedure.ts'
import type { Value } from '../../../../engine/model/model.ts'
import { homeCurrency } from '../../../../engine/widgets/money/currencies.ts'
import { aboutOf } from '../about.ts'
import { amountFields, proposedChoices } from './amounts.ts'
import type { AdditionName, Family } from './family.ts'
import { monthAfterWaiting } from './monthAfterWaiting.ts'
import type { TicketPerson, TicketContext } from './ticketContext.ts'
import { policyFor } from './policyFor.ts'
import { accountOf, newestOf, accountIn, accountFor } from './accountFor.ts'

type Policy = Stored<'policy'>
type Account = Stored<'policyAccount'>
type Given = Values<AdditionName>

/**
 * The first month that may still be paid normally: after the cut-off day, if there is one, the next; and not before the
 * family's waiting period is over.
 */
export const proposedStart = (
  { family, month, day }: TicketContext,
  person: TicketPerson,
  policy: Policy | undefined,
): string => {
  const next = policy && day > Number(policy.cutoffDay ?? 31) ? addMonths(month, 1)! : month
  const entry = person.entryDate ? monthAfterWaiting(family, String(person.entryDate)) : ''
  return entry > next ? entry : next
}

/** How many past months the policy lets be paid back. */
export const mostPaidBack = ({ supplementAllowed, supplementMaxMonths }: Policy): number =>
  supplementAllowed ? (supplementMaxMonths ?? 0) : 0

/** For people whose addition had to wait: as on the day of the hire, as far as months may be paid back. */
export const startSinceHire: typeof proposedStart = (context, person, policy) => {
  const proposed = proposedStart(context, person, policy)
  const most = policy ? mostPaidBack(policy) : 0
  if (most === 0 || !person.entryDate) return proposed
  const entry = String(person.entryDate)
  const hired = { ...context, month: entry.slice(0, 7), day: Number(entry.slice(8)) }
  const earliest = addMonths(context.month, -most)!
  const since = [proposedStart(hired, person, policy), earliest].sort()[1]
  return [since, proposed].sort()[0]
}

/** The person's customer, contract and entity, stored with the ticket whatever happens to the person later. */
export const ownerOf = (person: TicketPerson) => ({
  customer: person.customer ?? null,
  serviceContract: person.serviceContract ?? null,
  supportStaff: person.supportStaff ?? null,
})

/** A person's monthly cost, by the version that is in force in the month. */
export function amountsIn(
  context: TicketContext,
  { person, city, month }: { person: TicketPerson; city: string; month: string },
  policy: Policy,
  account: Account,
  record: object,
): Record<string, Value> {
  const version = policyFor(context, person, city, month) ?? policy
  return amountFields(
    context.family,
    version,
    accountOf(version, context.family, account),
    record,
    aboutOf(person, month, { headcount: context.headcountOf(person.customer, month) }),
  )
}

/** The salary, which is in yuan. */
const usualBase = ({ currency }: Family, { baseSalary }: TicketPerson): string | null =>
  currency === homeCurrency ? (baseSalary ?? null) : null

/**
 * Everything that follows from a person and the input so far; empty fields get suggestions, others stay. The policy is
 * the one in force now.
 */
export function computeAddition(context: TicketContext, record: Given, startOf = proposedStart): Given {
  const { family } = context
  const person = context.persons.get(record.person!)
  if (!person) return {}
  const city = record.city ?? person.insuranceCity ?? person.workCity ?? null
  if (city === null) return ownerOf(person)
  const now = policyFor(context, person, city, context.month)
  const startMonth = record.startMonth ?? startOf(context, person, now)
  const given = context.policies.find(({ id, status }) => id === record.policy && status === 'enabled')
  const found = given && (given.city ?? city) === city ? given : (now ?? policyFor(context, person, city, startMonth))
  const policy = found && newestOf(context, found)
  const account = policy && (accountIn(policy, family, record.account) ?? accountFor(context, person, policy))
  const declaredBase: Record<string, Value> =
    family.base.mode === 'none' ? {} : { declaredBase: textIn(record, 'declaredBase') ?? usualBase(family, person) }
  const taken = { ...record, ...declaredBase }
  const choices: Record<string, Value> = policy ? proposedChoices(family, policy, taken) : {}
  return {
    ...ownerOf(person),
    householdType: person.householdType ?? null,
    city,
    startMonth,
    policy: policy?.id ?? null,
    account: account?.id ?? null,
    ...declaredBase,
    ...choices,
    needSupplement: startMonth < context.month,
    ...(policy &&
      account &&
      amountsIn(context, { person, city, month: startMonth }, policy, account, { ...taken, ...choices })),
  }
}
