import { textIn, valueIn, type Stored, type Values } from '../../../../engine/server/procedure.ts'
import { decimal } from '../../money/amounts.ts'
import { aboutOf } from '../about.ts'
import { contributionFields, monthly, policyAccounts, policyItems } from '../handling/amounts.ts'
import type { Enrolment, Family, LineName } from '../handling/family.ts'
import { monthInputsIn } from '../handling/readMonthInputs.ts'
import { accountOf } from '../handling/accountFor.ts'
import { insuredPerson } from '../handling/insuredPerson.ts'
import { policyUnder } from '../handling/policyFor.ts'
import type { TicketPerson, TicketContext } from '../handling/ticketContext.ts'
import { dueIn, paidEarlier, type PayCycle } from '../yearly.ts'
import type { YearSoFar } from '../soFar.ts'
import type { SummaryKey } from './summaries.ts'

/** The values of a line that an enrolment creates. */
type NormalLine = Values<LineName> & SummaryKey & { enrolment: number }

/** What else the amounts of a month depend on. */
interface Charging {
  soFar?: YearSoFar
  /** The items that were paid back for the month. */
  paidBack?: ReadonlySet<string>
}

/** An enrolment's amounts for its month, as fields of a line; undefined if nothing is due. */
export function normalLine(
  context: TicketContext,
  enrolment: Enrolment,
  feeMonth: string,
  { soFar = {}, paidBack = new Set() }: Charging = {},
): NormalLine | undefined {
  const { family } = context
  const person = insuredPerson(context, enrolment)
  const isDue =
    enrolment.status !== 'opening' &&
    String(enrolment.feeFrom ?? enrolment.startMonth) <= feeMonth &&
    feeMonth <= (enrolment.endMonth ?? '9999-12')
  const policy = person && policyUnder(context, enrolment, feeMonth)
  const account = policy && accountIn(context, policy, enrolment.account)
  if (!person || !isDue || !policy || !account) return undefined
  const due = dueIn(
    feeMonth,
    String(enrolment.startMonth),
    monthly(
      family,
      policy,
      account,
      enrolment,
      aboutOf(person, feeMonth, {
        soFar,
        entered: monthInputsIn(context, enrolment.person, feeMonth),
        headcount: context.headcountOf(enrolment.customer, feeMonth),
      }),
    ),
    policyItems(policy, family),
    isPaidFor(context, enrolment, feeMonth),
  )
  const fields = contributionFields(
    family,
    Object.fromEntries(Object.entries(due).filter(([key]) => !paidBack.has(key))),
  )
  if (decimal(textIn(fields, 'companyTotal')).isZero() && decimal(textIn(fields, 'personalTotal')).isZero())
    return undefined
  return {
    ...ownerFields(family, enrolment, person),
    ...fields,
    policy: policy.id,
    enrolment: enrolment.id,
    feeMonth,
    belongMonth: feeMonth,
    expenseType: 'normal',
    sourceNo: null,
  }
}

/** Whether an earlier enrolment with the same account has paid an item's cycle. */
const isPaidFor =
  ({ ended, family }: TicketContext, { id, person, account, startMonth }: Enrolment, month: string) =>
  (row: PayCycle): boolean =>
    month === startMonth &&
    (ended.get(person) ?? []).some(
      (earlier) =>
        earlier.id !== id &&
        earlier.account === account &&
        earlier.endMonth !== null &&
        valueIn(earlier, `${row.item}On`) !== false &&
        paidEarlier(month, row, {
          refund: family.items.find(({ key }) => key === row.item)?.refund,
          endMonth: earlier.endMonth,
        }),
    )

/** An account under any version of its policy, as this version has it. */
function accountIn(
  context: TicketContext,
  version: Stored<'policy'>,
  id: number | null,
): Stored<'policyAccount'> | undefined {
  const account = id === null ? undefined : accountsOf(context).get(id)
  return account && accountOf(version, context.family, account)
}

/** Mapped by id, because each person of a month is looked up. */
const knownAccounts = new WeakMap<TicketContext, ReadonlyMap<number, Stored<'policyAccount'>>>()
function accountsOf(context: TicketContext): ReadonlyMap<number, Stored<'policyAccount'>> {
  let accounts = knownAccounts.get(context)
  if (!accounts) {
    const all = context.policies.flatMap((policy) => policyAccounts(policy, context.family))
    knownAccounts.set(context, (accounts = new Map(all.map((account) => [account.id, account]))))
  }
  return accounts
}

/** The person and choices of a line. */
function ownerFields({ items, base }: Family, enrolment: Enrolment, person: TicketPerson) {
  const names = [
    'personalAccountNo',
    ...(base.mode === 'none' ? [] : ['declaredBase']),
    ...items.flatMap(({ key, mandatory, sameRate, rateModes }) => [
      ...(mandatory ? [] : [`${key}On`]),
      ...(rateModes.includes('range') ? [`${key}CompanyRate`, ...(sameRate ? [] : [`${key}PersonalRate`])] : []),
      ...(rateModes.includes('tier') ? [`${key}Tier`] : []),
    ]),
  ]
  const { customer, serviceContract, supportStaff, city } = enrolment
  return {
    ...Object.fromEntries(names.map((name) => [name, valueIn(enrolment, name)])),
    person: enrolment.person,
    customer,
    serviceContract,
    supportStaff,
    city,
    account: enrolment.account!,
    personName: person.name,
    idNumber: person.idNumber,
  }
}
