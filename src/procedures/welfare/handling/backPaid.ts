import { addMonths } from '../../../../engine/expression/index.ts'
import type { Values as ValuesOf } from '../../../../engine/server/procedure.ts'
import type { FieldProblem, Value } from '../../../../engine/model/model.ts'
import { decimal, money, total } from '../../money/amounts.ts'
import { aboutOf } from '../about.ts'
import { computeBackPayment, nextPayDay, type BackPaidMonth } from '../computeBackPayment.ts'
import { contributions, totals, type Contribution } from '../contribution.ts'
import { monthRange, monthsFrom } from '../monthRange.ts'
import { dueIn } from '../yearly.ts'
import { soFarBefore } from '../yearSoFar.ts'
import { accountBase, choicesIn, ownRates, policyItems } from './amounts.ts'
import { backPaidTerms, personThen } from './backPaidTerms.ts'
import { monthInputsIn } from './readMonthInputs.ts'
import type { EnrolmentName, Family, BackPaymentMonthName, BackPaymentName } from './family.ts'
import { accountOf, noAccountText } from './accountFor.ts'
import { ownerOf } from './computeAddition.ts'
import { policyFor } from './policyFor.ts'
import type { TicketContext } from './ticketContext.ts'

type Values = Record<string, Value>
type Enrolment = ValuesOf<EnrolmentName>
type Ticket = ValuesOf<BackPaymentName>
/** What was already paid for a person's months, by month and item. */
export type Paid = ReadonlyMap<string, Readonly<Record<string, Contribution>>>

/**
 * The inputs of a back-payment: the person and the enrolment as of its months. `handledOn`: the date on which it is
 * handled; null before that.
 */
export interface BackPaymentInputs {
  context: TicketContext
  enrolment: Enrolment | undefined
  /** The enrolment as of a month. */
  enrolmentIn: (month: string) => Enrolment | undefined
  paid: Paid
  /** The same for the enrolment alone: the charges of the year so far. */
  charged: Paid
  /** The problem with the months, according to the person's employment. */
  problem: FieldProblem | null
  handledOn: string | null
  today: string
}

/** Ten years: without a limit, months up to the year 9999 would be computed one by one. */
const mostMonths = 120

/** Types for which only the difference to what was paid is due. */
export const isDifference = (supplementType: Value | undefined): boolean => String(supplementType).endsWith('Diff')

/** The fields that a ticket takes from its person, and the amounts of each month. */
export function backPaid(
  inputs: BackPaymentInputs,
  record: Ticket,
): { values: Values; months: BackPaidMonth[]; rows: ValuesOf<BackPaymentMonthName>[]; lateFee: string } {
  const { context, enrolment, paid, handledOn, today } = inputs
  const { family, persons, month: present } = context
  const terms = backPaidTerms(inputs, record)
  const { city, policy, account, base, items, rates, fromMonth, toMonth, inForce } = terms
  const day = (month: string) => Number((inForce(month) ?? policy)?.payDay ?? 1)
  const isDaily = family.supplement?.lateFee === 'daily'
  const months = Math.max(0, monthsFrom(fromMonth, toMonth) + 1)
  const worked = computeBackPayment({
    fromMonth,
    // Of too many months none is computed.
    toMonth: months > mostMonths ? addMonths(fromMonth, -1)! : toMonth,
    amountsIn: amountsBy(inputs, record, terms),
    payDay: day,
    handledOn: handledOn ?? nextPayDay(today, day(present)),
    lateFeeDailyRate: (month) => (isDaily ? (inForce(month)?.lateFeeDailyRate ?? null) : null),
    ...(isDifference(record.supplementType) && { paidIn: (month) => only(paid.get(month) ?? {}, items) }),
  })
  const values: Values = {
    ...(enrolment
      ? {
          customer: enrolment.customer ?? null,
          serviceContract: enrolment.serviceContract ?? null,
          supportStaff: enrolment.supportStaff ?? null,
        }
      : ownerOf(persons.get(record.person!)!)),
    enrolment: enrolment?.id ?? null,
    city,
    policy: policy?.id ?? null,
    account: account?.id ?? null,
    fromMonth,
    toMonth,
    items,
    ...rates,
    ...(family.base.mode !== 'none' && { base }),
    months,
    ...sums(family, worked.months),
    companyTotal: worked.companyTotal,
    personalTotal: worked.personalTotal,
    total: money(decimal(worked.companyTotal).plus(decimal(worked.personalTotal))),
  }
  return {
    values,
    months: worked.months,
    rows: worked.months.map((month) => rowOf(family, month, isDaily)),
    lateFee: worked.lateFee,
  }
}

/** The amounts of each month in order, because each counts in the later ones of its year. */
function amountsBy(
  { context, enrolment, charged }: BackPaymentInputs,
  record: Ticket,
  { account, base, items, rates, fromMonth, inForce, personIn }: ReturnType<typeof backPaidTerms>,
): (month: string) => Record<string, Contribution> {
  const { family, persons } = context
  const person = persons.get(record.person!)!
  const choices = choicesIn(
    { ...rates, ...Object.fromEntries(family.items.map(({ key }) => [`${key}On`, items.includes(key)])) },
    family,
  )
  const year = new Map(charged)
  return (month) => {
    const then = inForce(month)
    if (!then || !account) return {}
    const rows = policyItems(then, family)
    const own = accountOf(then, family, account)
    const given = contributions(
      {
        items: family.items,
        baseMode: family.base.mode,
        rows,
        ownRates: ownRates(own),
        accountBase: accountBase(own),
      },
      {
        declaredBase: base,
        choices,
        about: aboutOf(personIn(month), month, {
          soFar: soFarBefore(month, year),
          entered: monthInputsIn(context, record.person, month),
          headcount: context.headcountOf(enrolment?.customer ?? person.customer, month),
        }),
      },
    )
    const due = dueIn(month, String(enrolment?.startMonth ?? fromMonth), given, rows)
    const itemsDue = only(due, items)
    // A back-payment returns nothing to people who have paid more than is due.
    if (!isLess(itemsDue, only(year.get(month) ?? {}, items))) year.set(month, { ...year.get(month), ...itemsDue })
    return itemsDue
  }
}

const isLess = (dueAmounts: Record<string, Contribution>, paidAmounts: Record<string, Contribution>): boolean => {
  const [due, paid] = [dueAmounts, paidAmounts].map((amounts) => decimal(totals(Object.values(amounts)).total))
  return due.lessThan(paid)
}
const only = (amounts: Readonly<Record<string, Contribution>>, items: readonly string[]) =>
  Object.fromEntries(Object.entries(amounts).filter(([key]) => items.includes(key)))

const sums = (family: Family, months: readonly BackPaidMonth[]): Values =>
  Object.fromEntries(
    family.items.flatMap(({ key, hasCompany, hasPersonal }) => {
      const sum = (side: 'company' | 'personal') =>
        money(total(months.map(({ amounts }) => decimal(amounts[key]?.[side]))))
      return [
        ...(hasCompany ? [[`${key}Company`, sum('company')]] : []),
        ...(hasPersonal ? [[`${key}Personal`, sum('personal')]] : []),
      ] as [string, Value][]
    }),
  )

/** A month as a row of a ticket. */
function rowOf(
  family: Family,
  { month, amounts, companyTotal, personalTotal, principal, days, lateFee }: BackPaidMonth,
  isDaily: boolean,
): ValuesOf<BackPaymentMonthName> {
  const bases = family.items.map(({ key }) => amounts[key]?.base ?? null)
  return {
    month,
    ...(family.base.mode === 'shared' && { base: bases.find((base) => base !== null) ?? null }),
    ...Object.fromEntries(
      family.items.flatMap(({ key, hasCompany, hasPersonal }) => [
        ...(family.base.mode === 'perItem' ? [[`${key}Base`, amounts[key]?.base ?? null]] : []),
        ...(hasCompany ? [[`${key}Company`, amounts[key]?.company ?? '0.00']] : []),
        ...(hasPersonal ? [[`${key}Personal`, amounts[key]?.personal ?? '0.00']] : []),
      ]),
    ),
    companyTotal,
    personalTotal,
    total: principal,
    ...(isDaily && { days, lateFee }),
  }
}

const tooManyMonths = (most: number): FieldProblem => ({
  field: 'toMonth',
  code: 'months',
  message: { cn: `超过最长补缴月数${most}`, en: `More than the allowed ${most} months` },
})

/** Problems of a ticket that only the policies and earlier payments show. */
export function problemsOf(inputs: BackPaymentInputs, record: Ticket): FieldProblem[] {
  const { context, paid, problem } = inputs
  if (problem) return [problem]
  const person = context.persons.get(record.person!)!
  const policy = context.policies.find(({ id }) => id === record.policy)
  const [first, last] = [String(record.fromMonth), String(record.toMonth)]
  if (monthsFrom(first, last) >= mostMonths) return [tooManyMonths(mostMonths)]
  const months = monthRange(first, last)
  const without = months.find(
    (month) =>
      (record.city ?? null) === null ||
      !policyFor(context, personThen(inputs, record, month), String(record.city), month),
  )
  if (without !== undefined || !policy)
    return [
      {
        field: 'fromMonth',
        code: 'policy',
        message: {
          cn: `该城市${without ?? ''}没有生效的政策`,
          en: `No policy in force in the city for ${without ?? ''}`,
        },
      },
    ]
  if ((record.account ?? null) === null)
    return [
      {
        field: 'person',
        code: 'required',
        message: noAccountText(context, person),
      },
    ]
  const most = policy.supplementAllowed ? (policy.supplementMaxMonths ?? 0) : 0
  if (months.length > most) return [tooManyMonths(most)]
  const items = record.items ?? []
  if (items.length === 0)
    return [
      {
        field: 'items',
        code: 'required',
        message: { cn: '该政策没有可补缴的险种', en: 'The policy has no item to pay back' },
      },
    ]
  const twice = isDifference(record.supplementType)
    ? undefined
    : months.find((month) =>
        Object.keys(only(paid.get(month) ?? {}, items)).some((key) => {
          const { company, personal } = paid.get(month)![key]
          return !decimal(company).isZero() || !decimal(personal).isZero()
        }),
      )
  return twice === undefined
    ? []
    : [
        {
          field: 'fromMonth',
          code: 'paid',
          message: { cn: `补缴月份${twice}已缴费`, en: `Month ${twice} is already paid` },
        },
      ]
}
