import { type Stored, textIn, type Values as ValuesOf, valueIn } from '../../../../engine/server/procedure.ts'
import type { Value } from '../../../../engine/model/model.ts'
import { policyItems, proposedChoices } from './amounts.ts'
import { ticketMonths } from './employedThen.ts'
import type { EnrolmentName, Family, BackPaymentName } from './family.ts'
import { accountFor, accountIn, newestOf } from './accountFor.ts'
import { insuredPerson } from './insuredPerson.ts'
import { policyFor } from './policyFor.ts'
import type { TicketContext, TicketPerson } from './ticketContext.ts'

type Values = Record<string, Value>
type Enrolment = ValuesOf<EnrolmentName>
type Ticket = ValuesOf<BackPaymentName>
type Policy = Stored<'policy'>

interface Insured {
  context: TicketContext
  enrolment: Enrolment | undefined
  enrolmentIn: (month: string) => Enrolment | undefined
}

/** The person as insured in a month. */
export function personThen({ context, enrolmentIn }: Insured, { person }: Ticket, month: string): TicketPerson {
  const enrolment = enrolmentIn(month)
  return enrolment ? insuredPerson(context, enrolment)! : context.persons.get(person!)!
}

/** The terms for paying the months: the ticket's own, else those of the enrolment, else those of the person. */
export function backPaidTerms(insured: Insured, record: Ticket) {
  const { context, enrolment, enrolmentIn } = insured
  const { family, persons, month: present } = context
  const person = persons.get(record.person!)!
  const city = enrolment?.city ?? person.insuranceCity ?? person.workCity ?? null
  const { fromMonth, toMonth } = ticketMonths(record, present)
  const personIn = (month: string) => personThen(insured, record, month)
  const inForce = (month: string) => (city === null ? undefined : policyFor(context, personIn(month), city, month))
  // The account belongs to the policy for the household type of the months.
  const isSame = personIn(present).householdType === personIn(toMonth).householdType
  const found = (isSame ? inForce(present) : undefined) ?? inForce(toMonth)
  const policy = found && newestOf(context, found)
  const account =
    policy && (accountIn(policy, family, enrolmentIn(toMonth)?.account) ?? accountFor(context, person, policy))
  const base =
    family.base.mode === 'none'
      ? null
      : (textIn(record, 'base') ?? textIn(enrolment ?? {}, 'declaredBase') ?? person.baseSalary ?? null)
  const items = itemsOf(family, record, enrolment, policy)
  return {
    city,
    policy,
    account,
    base,
    items,
    rates: ratesOf(family, record, enrolment, policy),
    fromMonth,
    toMonth,
    inForce,
    personIn,
  }
}

/** The chosen items that the policy has; if none are chosen, those that the person takes part in. */
function itemsOf(
  family: Family,
  record: Ticket,
  enrolment: Enrolment | undefined,
  policy: Policy | undefined,
): string[] {
  const chosen = record.items ?? []
  const enabled = new Set<string>(
    policy
      ? policyItems(policy, family)
          .filter((row) => row.enabled)
          .map(({ item }) => item)
      : [],
  )
  return family.items
    .map(({ key }) => key)
    .filter((key) =>
      chosen.length > 0
        ? chosen.includes(key)
        : enabled.has(key) &&
          (family.items.find((item) => item.key === key)!.mandatory || valueIn(enrolment ?? {}, `${key}On`) === true),
    )
}

/** Rates and tiers: those of the ticket, else those of the enrolment, else the policy's defaults. */
function ratesOf(family: Family, record: Ticket, enrolment: Enrolment | undefined, policy: Policy | undefined): Values {
  const names = family.items.flatMap(({ key, sameRate, rateModes }) => [
    ...(rateModes.includes('range') ? [`${key}CompanyRate`, ...(sameRate ? [] : [`${key}PersonalRate`])] : []),
    ...(rateModes.includes('tier') ? [`${key}Tier`] : []),
  ])
  const usual = policy ? proposedChoices(family, policy, {}) : {}
  return Object.fromEntries(
    names.map((name) => [name, valueIn(record, name) ?? valueIn(enrolment ?? {}, name) ?? usual[name] ?? null]),
  )
}
