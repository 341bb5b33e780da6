import { addMonths } from '../../../../engine/expression/index.ts'
import { type ProcedureWork, type Stored, textIn, type Values } from '../../../../engine/server/procedure.ts'
import type { Label, Value } from '../../../../engine/model/model.ts'
import { homeCurrency } from '../../../../engine/widgets/money/currencies.ts'
import { aboutFields, aboutOf, type MonthInputs } from '../about.ts'
import { holdsIn, policyInForce, type PolicyScope } from '../policyInForce.ts'
import { groupedBy } from '../groupedBy.ts'
import { isForMonths } from '../yearly.ts'
import { amountFields, policyAccounts, policyItems, proposedChoices } from './amounts.ts'
import { asksFor } from './asksFor.ts'
import { wagesByYear } from './averageWages.ts'
import { enteredFor } from './entered.ts'
import {
  type AdditionName,
  type EnrolledIn,
  enrolledIn,
  enrolmentOf,
  type EnrolmentName,
  type Family,
} from './family.ts'
import { headcountsFor, type Headcounts } from './headcounts.ts'
import { monthWagesOf } from './monthWages.ts'
import { monthAfterWaiting } from './waiting.ts'

type Policy = Stored<'policy'>
type Account = Stored<'policyAccount'>
type Given = Values<AdditionName>

/** Only these fields of a person are read, because the others are formulas over many tables. */
const personFields = [
  ...aboutFields,
  'name',
  'idNumber',
  'customer',
  'agency',
  'serviceContract',
  'supportStaff',
  'insuranceCity',
  'workCity',
  'employmentForm',
  'leaveDate',
  'baseSalary',
] as const
export type FittedPerson = Pick<Values<'person'>, (typeof personFields)[number] | EnrolledIn> & {
  averageWages?: ReadonlyMap<number, string>
  monthWages?: ReadonlyMap<string, string>
}
type Person = FittedPerson

/** The inputs for tickets of a family: their persons and customers, and the policies of its kind with their rows. */
export interface Fitting {
  family: Family
  persons: ReadonlyMap<number, Person>
  customers: ReadonlyMap<number, Pick<Stored<'customer'>, 'agency' | 'insuranceAccountMode'>>
  policies: readonly Policy[]
  /** Monthly entries for these persons. */
  entered: ReadonlyMap<string, MonthInputs>
  headcountOf: Headcounts
  /** Person → enrolments that have ended, if an item is paid for several months at once and not given back. */
  ended: ReadonlyMap<number | null, readonly Stored<EnrolmentName>[]>
  month: string
  day: number
}

export async function fittingFor(
  work: ProcedureWork,
  family: Family,
  personIds: readonly (number | null)[],
): Promise<Fitting> {
  const persons = await personsFor(work, family, personIds)
  const customers = await work.byId(
    'customer',
    [...persons.values()].map(({ customer }) => customer),
    { fields: ['agency', 'insuranceAccountMode'] },
  )
  const policies = await work.read('policy', {
    where: { kind: family.policyKind, status: ['enabled', 'history'] },
  })
  return {
    family,
    policies,
    persons,
    customers,
    entered: await enteredFor(work, family, personIds),
    headcountOf: await headcountsFor(work, family, personIds, [...customers.keys()]),
    ended: await endedFor(work, family, policies, personIds),
    month: work.today.slice(0, 7),
    day: Number(work.today.slice(8)),
  }
}

async function endedFor(
  work: ProcedureWork,
  family: Family,
  policies: readonly Policy[],
  persons: readonly (number | null)[],
): Promise<Fitting['ended']> {
  const isKept = policies
    .flatMap((policy) => policyItems(policy, family))
    .some((row) => isForMonths(row) && row.annualRefund !== 'prorata')
  if (!isKept) return new Map()
  const enrolments = await work.read(enrolmentOf(family), {
    where: { person: persons.filter((id) => id !== null), status: 'stopped' },
  })
  return groupedBy(enrolments, ({ person }) => person)
}

async function personsFor(
  work: ProcedureWork,
  { items, eligibility: { requiresFamily } }: Family,
  ids: readonly (number | null)[],
): Promise<ReadonlyMap<number, Person>> {
  const fields = [...personFields, ...(requiresFamily === null ? [] : [enrolledIn(requiresFamily)])]
  const persons: ReadonlyMap<number, Person> = await work.byId('person', ids, { fields })
  const [byYear, byMonth] = [asksFor(items, 'averageWage'), asksFor(items, 'monthWage')]
  if (!byYear && !byMonth) return persons
  const averages = byYear ? await wagesByYear(work, [...persons.keys()]) : undefined
  const wages = byMonth ? await monthWagesOf(work, [...persons.keys()]) : undefined
  return new Map(
    [...persons].map(([id, person]) => [
      id,
      { ...person, averageWages: averages?.get(id), monthWages: wages?.get(id) },
    ]),
  )
}

const scopeOf = (policy: Policy): PolicyScope & { record: Policy } => ({
  kind: policy.kind,
  city: policy.city,
  householdTypes: policy.householdTypes ?? [],
  effectiveFrom: policy.effectiveFrom,
  effectiveTo: policy.effectiveTo,
  record: policy,
})

/** The policy in force for a person in a month. */
export function policyFor(
  { family, policies }: Fitting,
  person: Person,
  city: string,
  month: string,
): Policy | undefined {
  return policyInForce(policies.map(scopeOf), {
    kind: family.policyKind,
    city,
    householdType: String(person.householdType),
    month,
  })?.record
}

/**
 * The policy of an enrolment in a month: the version that applies to it, or an earlier one, for as long as that fits
 * the person. A newer one applies once its ticket is handled; before the first of its own, whatever was in force.
 */
export function policyUnder(
  fitting: Fitting,
  enrolment: Values<EnrolmentName>,
  person: Person,
  month: string,
): Policy | undefined {
  const own = fitting.policies.find(({ id }) => id === enrolment.policy)
  const isFor = (record: Policy) => {
    const { city, householdTypes } = scopeOf(record)
    return (
      (city ?? enrolment.city) === enrolment.city &&
      (householdTypes.length === 0 || householdTypes.includes(String(person.householdType)))
    )
  }
  const versions =
    own && isFor(own)
      ? fitting.policies.filter(
          (one) => one.policyNo === own.policyNo && (one === own || Number(one.version) < Number(own.version)),
        )
      : []
  const then = versions.filter((one) =>
    one === own && one.status === 'history' ? String(one.effectiveFrom) <= month : holdsIn(scopeOf(one), month),
  )
  return (
    then.sort((a, b) => Number(b.version) - Number(a.version)).at(0) ??
    policyFor(fitting, person, String(enrolment.city), month) ??
    own
  )
}

/** A family's accounts belong to the version of the policy that is in force now. */
export const accountsIn = (policy: Policy, family: Family): Account[] =>
  policyAccounts(policy, family).filter(({ status }) => status === 'enabled')

/**
 * The customer's own account, if it has one and keeps to it, else that of its agency; a customer that only pays through
 * its own accounts has none until one is registered.
 */
export function accountFor({ family, customers }: Fitting, person: Person, policy: Policy): Account | undefined {
  const customer = customers.get(person.customer!)
  const accounts = accountsIn(policy, family)
  const mode = customer?.insuranceAccountMode
  const own =
    mode === 'provider'
      ? undefined
      : accounts.find((account) => account.ownerType === 'customer' && account.customer === person.customer)
  if (own || mode === 'customer') return own
  const pooled = accounts.filter(({ ownerType }) => ownerType === 'provider')
  return (
    pooled.find(({ agency }) => agency === person.agency) ??
    pooled.find(({ agency }) => agency === customer?.agency) ??
    pooled[0]
  )
}

/** Why a person has no account. */
export const noAccountText = ({ customers }: Fitting, person: Person): Label =>
  customers.get(person.customer!)?.insuranceAccountMode === 'customer'
    ? {
        cn: '客户为单立户，但该政策下没有登记客户自己的单位账户',
        en: 'The customer pays through its own account, and the policy has no such account',
      }
    : { cn: '该政策没有适用的单位账户', en: 'The policy has no account that fits' }

/**
 * The first month that may still be paid normally: after the cut-off day, if there is one, the next; and not before the
 * family's waiting period is over.
 */
export const proposedStart = ({ family, month, day }: Fitting, person: Person, policy: Policy | undefined): string => {
  const next = policy && day > Number(policy.cutoffDay ?? 31) ? addMonths(month, 1)! : month
  const entry = person.entryDate ? monthAfterWaiting(family, String(person.entryDate)) : ''
  return entry > next ? entry : next
}

/** The person's customer, contract and entity, stored with the ticket whatever happens to the person later. */
export const ownerOf = (person: Person) => ({
  customer: person.customer ?? null,
  serviceContract: person.serviceContract ?? null,
  supportStaff: person.supportStaff ?? null,
})

/** An account of a policy that is in use. */
export const accountIn = (policy: Policy, family: Family, id: Value | undefined): Account | undefined =>
  accountsIn(policy, family).find((account) => account.id === id)

/** The latest version of the same policy, which its accounts belong to. */
export const newestOf = ({ policies }: Fitting, policy: Policy): Policy =>
  policies.find(({ policyNo, status }) => policyNo === policy.policyNo && status === 'enabled') ?? policy

/** The account as it was in a version, which has copies that refer to their originals. */
export const accountOf = (version: Policy, family: Family, account: Account): Account =>
  policyAccounts(version, family).find(({ id, revisionOf }) => id === account.id || revisionOf === account.id) ??
  account

/**
 * A person's account under a version: the same one, or another if that is no longer in use. Accounts belong to the
 * newest version.
 */
export function accountUnder(
  fitting: Fitting,
  person: Person,
  version: Policy,
  id: Value | undefined,
): Account | undefined {
  const newest = newestOf(fitting, version)
  return accountIn(newest, fitting.family, id) ?? accountFor(fitting, person, newest)
}

/** A person's monthly cost, by the version that is in force in the month. */
export function amountsIn(
  fitting: Fitting,
  { person, city, month }: { person: Person; city: string; month: string },
  policy: Policy,
  account: Account,
  record: object,
): Record<string, Value> {
  const version = policyFor(fitting, person, city, month) ?? policy
  return amountFields(
    fitting.family,
    version,
    accountOf(version, fitting.family, account),
    record,
    aboutOf(person, month, { headcount: fitting.headcountOf(person.customer, month) }),
  )
}

/** The salary, which is in yuan. */
const usualBase = ({ currency }: Family, { baseSalary }: Person): string | null =>
  currency === homeCurrency ? (baseSalary ?? null) : null

/**
 * Everything that follows from a person and the input so far; empty fields get suggestions, others stay. The policy is
 * the one in force now.
 */
export function fitted(fitting: Fitting, record: Given): Given {
  const { family } = fitting
  const person = fitting.persons.get(record.person!)
  if (!person) return {}
  const city = record.city ?? person.insuranceCity ?? person.workCity ?? null
  if (city === null) return ownerOf(person)
  const now = policyFor(fitting, person, city, fitting.month)
  const startMonth = record.startMonth ?? proposedStart(fitting, person, now)
  const given = fitting.policies.find(({ id, status }) => id === record.policy && status === 'enabled')
  const found = given && (given.city ?? city) === city ? given : (now ?? policyFor(fitting, person, city, startMonth))
  const policy = found && newestOf(fitting, found)
  const account = policy && (accountIn(policy, family, record.account) ?? accountFor(fitting, person, policy))
  const declaredBase: Record<string, Value> =
    family.base.mode === 'none' ? {} : { declaredBase: textIn(record, 'declaredBase') ?? usualBase(family, person) }
  const taken = { ...record, ...declaredBase }
  const choices: Record<string, Value> = policy ? proposedChoices(family, policy, taken) : {}
  return {
    ...ownerOf(person),
    city,
    startMonth,
    policy: policy?.id ?? null,
    account: account?.id ?? null,
    ...declaredBase,
    ...choices,
    needSupplement: startMonth < fitting.month,
    ...(policy &&
      account &&
      amountsIn(fitting, { person, city, month: startMonth }, policy, account, { ...taken, ...choices })),
  }
}
