import { sql } from 'kysely'
import { addMonths } from '../../../../engine/expression/index.ts'
import type { Context, Db } from '../../../../engine/server/runtime.ts'
import type { RecordData, Value } from '../../../../engine/schema/model.ts'
import { column, isAnyOf, readAll } from '../../settlement/stored.ts'
import { holdsIn, policyInForce, type PolicyScope } from '../policyInForce.ts'
import { readWhole } from '../readWhole.ts'
import { amountFields, proposedChoices } from './amounts.ts'
import type { Family } from './family.ts'

/**
 * What tickets of a family are worked out from: their persons and customers, and the policies of its kind with their
 * rows.
 */
export interface Fitting {
  family: Family
  persons: Map<number, RecordData>
  customers: Map<number, RecordData>
  policies: RecordData[]
  month: string
  day: number
}

export async function fittingFor(
  context: Context,
  db: Db,
  family: Family,
  personIds: readonly number[],
): Promise<Fitting> {
  const persons = await readAll(context, db, 'person', [isAnyOf('id', personIds)])
  const customers = await readAll(
    context,
    db,
    'customer',
    [
      isAnyOf(
        'id',
        persons.map(({ customer }) => customer as number),
      ),
    ],
    ['agency', 'insuranceAccountMode'],
  )
  const policies = await readWhole(context, db, 'policy', [
    sql<boolean>`${column('kind')} = ${family.policyKind} and ${column('status')} in ('enabled', 'history')`,
  ])
  return {
    family,
    policies,
    persons: new Map(persons.map((person) => [person.id!, person])),
    customers: new Map(customers.map((customer) => [customer.id!, customer])),
    month: context.now.slice(0, 7),
    day: Number(context.now.slice(8, 10)),
  }
}

const scopeOf = (policy: RecordData): PolicyScope & { record: RecordData } => ({
  kind: String(policy.kind),
  city: (policy.city ?? null) as string | null,
  householdTypes: (policy.householdTypes ?? []) as string[],
  effectiveFrom: String(policy.effectiveFrom),
  effectiveTo: (policy.effectiveTo ?? null) as string | null,
  record: policy,
})

/** The policy in force for somebody in a month. */
export function policyFor(
  { family, policies }: Fitting,
  person: RecordData,
  city: string,
  month: string,
): RecordData | undefined {
  return policyInForce(policies.map(scopeOf), {
    kind: family.policyKind,
    city,
    householdType: String(person.householdType),
    month,
  })?.record
}

/**
 * The policy under which an enrolment stands in a month: the version that it has come to, or one before it, for as long
 * as that fits the person. A newer one holds once its ticket is handled; before the first of its own, whatever was in
 * force.
 */
export function policyUnder(
  fitting: Fitting,
  enrolment: RecordData,
  person: RecordData,
  month: string,
): RecordData | undefined {
  const own = fitting.policies.find(({ id }) => id === enrolment.policy)
  const isFor = (record: RecordData) => {
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

/** Accounts of a family stand under the version of the policy that is in force now. */
export const accountsIn = (policy: RecordData, { key }: Family): RecordData[] =>
  ((policy[`${key}Accounts`] ?? []) as RecordData[]).filter(({ status }) => status === 'enabled')

/** The customer's own account, where it has one and keeps to it, else that of its agency. */
export function accountFor(
  { family, customers }: Fitting,
  person: RecordData,
  policy: RecordData,
): RecordData | undefined {
  const customer = customers.get(person.customer as number)
  const accounts = accountsIn(policy, family)
  const own =
    customer?.insuranceAccountMode === 'provider'
      ? undefined
      : accounts.find((account) => account.ownerType === 'customer' && account.customer === person.customer)
  const pooled = accounts.filter(({ ownerType }) => ownerType === 'provider')
  return (
    own ??
    pooled.find(({ agency }) => agency === person.agency) ??
    pooled.find(({ agency }) => agency === customer?.agency) ??
    pooled[0]
  )
}

/** The first month that may still be paid in the ordinary way: after the cut-off day, where there is one, the next. */
export const proposedStart = ({ month, day }: Fitting, person: RecordData, policy: RecordData | undefined): string => {
  const next = policy && day > Number(policy.cutoffDay ?? 31) ? addMonths(month, 1)! : month
  const entry = String(person.entryDate ?? '').slice(0, 7)
  return entry > next ? entry : next
}

/** Whose the person is: kept with the ticket, whatever becomes of the person later. */
export const ownerOf = (person: RecordData): Record<string, Value> => ({
  customer: person.customer ?? null,
  serviceContract: person.serviceContract ?? null,
  supportStaff: person.supportStaff ?? null,
})

/** An account of a policy that is in use. */
export const accountIn = (policy: RecordData, family: Family, id: Value | undefined): RecordData | undefined =>
  accountsIn(policy, family).find((account) => account.id === id)

/** The version after all others of the same policy, under which its accounts stand. */
export const newestOf = ({ policies }: Fitting, policy: RecordData): RecordData =>
  policies.find(({ policyNo, status }) => policyNo === policy.policyNo && status === 'enabled') ?? policy

/** The account as it was in a version: that keeps copies of the accounts, which know what they were copied from. */
export const accountOf = (version: RecordData, { key }: Family, account: RecordData): RecordData =>
  ((version[`${key}Accounts`] ?? []) as RecordData[]).find(
    ({ id, revisionOf }) => id === account.id || revisionOf === account.id,
  ) ?? account

/**
 * The account of somebody who comes under a version: the same one, or another where that is in use no more. Accounts
 * stand under the newest version.
 */
export function accountUnder(
  fitting: Fitting,
  person: RecordData,
  version: RecordData,
  id: Value | undefined,
): RecordData | undefined {
  const newest = newestOf(fitting, version)
  return accountIn(newest, fitting.family, id) ?? accountFor(fitting, person, newest)
}

/** What a month costs somebody: by the version that is in force in it. */
export function amountsIn(
  fitting: Fitting,
  { person, city, month }: { person: RecordData; city: string; month: string },
  policy: RecordData,
  account: RecordData,
  record: RecordData,
): Record<string, Value> {
  const version = policyFor(fitting, person, city, month) ?? policy
  return amountFields(fitting.family, version, accountOf(version, fitting.family, account), record)
}

/**
 * All that follows from a person and what was filled in so far; empty fields are proposed, others stay. The policy is
 * the one in force now.
 */
export function fitted(fitting: Fitting, record: RecordData): Record<string, Value> {
  const { family } = fitting
  const person = fitting.persons.get(record.person as number)
  if (!person) return {}
  const city = (record.city ?? person.insuranceCity ?? person.workCity ?? null) as string | null
  if (city === null) return ownerOf(person)
  const now = policyFor(fitting, person, city, fitting.month)
  const startMonth = String(record.startMonth ?? proposedStart(fitting, person, now))
  const given = fitting.policies.find(({ id, status }) => id === record.policy && status === 'enabled')
  const found = given && (given.city ?? city) === city ? given : (now ?? policyFor(fitting, person, city, startMonth))
  const policy = found && newestOf(fitting, found)
  const account = policy && (accountIn(policy, family, record.account) ?? accountFor(fitting, person, policy))
  const declaredBase: Record<string, Value> =
    family.base.mode === 'none' ? {} : { declaredBase: record.declaredBase ?? person.baseSalary ?? null }
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
