import type { Label, Value } from '../../../../engine/model/model.ts'
import type { Stored } from '../../../../engine/server/procedure.ts'
import { policyAccounts } from './amounts.ts'
import type { Family } from './family.ts'
import type { TicketPerson, TicketContext } from './ticketContext.ts'

type Policy = Stored<'policy'>
type Account = Stored<'policyAccount'>

/** A family's accounts belong to the version of the policy that is in force now. */
export const accountsIn = (policy: Policy, family: Family): Account[] =>
  policyAccounts(policy, family).filter(({ status }) => status === 'enabled')

/**
 * The customer's own account, if it has one and keeps to it, else that of its agency; a customer that only pays through
 * its own accounts has none until one is registered.
 */
export function accountFor(
  { family, customers }: TicketContext,
  person: TicketPerson,
  policy: Policy,
): Account | undefined {
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
export const noAccountText = ({ customers }: TicketContext, person: TicketPerson): Label =>
  customers.get(person.customer!)?.insuranceAccountMode === 'customer'
    ? {
        cn: '客户为单立户，但该政策下没有登记客户自己的单位账户',
        en: 'The customer pays through its own account, and the policy has no such account',
      }
    : { cn: '该政策没有适用的单位账户', en: 'The policy has no account that fits' }

/** An account of a policy that is in use. */
export const accountIn = (policy: Policy, family: Family, id: Value | undefined): Account | undefined =>
  accountsIn(policy, family).find((account) => account.id === id)

/** The latest version of the same policy, which its accounts belong to. */
export const newestOf = ({ policies }: TicketContext, policy: Policy): Policy =>
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
  context: TicketContext,
  person: TicketPerson,
  version: Policy,
  id: Value | undefined,
): Account | undefined {
  const newest = newestOf(context, version)
  return accountIn(newest, context.family, id) ?? accountFor(context, person, newest)
}
