import { addMonths } from '../../../engine/expression/index.ts'
import { firstDay, lastDay } from '../monthDays.ts'
import { decimal } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { monthsFrom } from '../welfare/monthRange.ts'
import { type BilledContract, type BilledMonths, type Cost, isIn, type People } from './billableCosts.ts'
import type { BilledCost, OtherCharges } from './statementCharges.ts'
import { categoryOf, type FeeItems } from './feeItems.ts'
import { type FeeRule, type Head, isInForceIn } from './fees.ts'
import { isForSingleMonths, isOneOf, servicesOf } from './services.ts'

/** What fees depend on besides the costs. */
export interface FeeGrounds {
  months: BilledMonths
  people: People
  feeItems: FeeItems
  charged: OtherCharges
  /** People whom another contract charges for this month, with the services. */
  elsewhere?: ReadonlyMap<number, ReadonlySet<string | null>>
}

type BilledPerson = People extends ReadonlyMap<number, infer Person> ? Person : never
type Stint = Pick<BilledPerson, 'entryDate' | 'leaveDate' | 'employmentForm' | 'formerForm' | 'formSince'>
type Dated = Pick<Cost, 'costMonth' | 'billMonth' | 'sourceType'>

/** The month whose statement bills a cost delivered on time. */
function monthOf({ costMonth, billMonth, sourceType }: Dated, months: BilledMonths): string {
  if (sourceType === 'otherBenefits') return billMonth ?? costMonth
  const from = sourceType === 'payroll' ? months.wageMonth : months.insuranceMonth
  return addMonths(costMonth, monthsFrom(from, months.billMonth))!
}

/** All months that a statement with these costs may charge people for. */
export const feeMonths = (costs: readonly Dated[], months: BilledMonths): Set<string> =>
  new Set([
    months.billMonth,
    ...costs.flatMap((cost) => [cost.costMonth, monthOf(cost, months)]).filter((month) => month <= months.billMonth),
  ])

/**
 * Each person once for the month of the statement, and once for each earlier month that no statement has charged them
 * for: months whose costs came late, months of work whose wages alone are billed, a month later, and those billed as
 * outside their term, which a renewal signed later, a leave or an end that was taken back, has put into it. Wages are
 * paid after their month, so those of a month before the customer was billed here at all say nothing of who has charged
 * it, unless the person joined or left in it, or costs of the contract's first month are here, too. Data delivered with
 * the costs is closer to the month than the person's current record.
 */
export function headsOf(
  contract: Pick<BilledContract, 'id' | 'customer' | 'startDate' | 'lastDay'>,
  rules: readonly FeeRule[],
  costs: readonly Cost[],
  { months, people, feeItems, charged, elsewhere }: FeeGrounds,
): Head[] {
  const { id } = contract
  const { billMonth } = months
  const begun = contract.startDate.slice(0, 7)
  const ofPerson = groupedBy(
    costs.filter(({ person }) => person !== null),
    ({ person }) => person!,
  )
  const lateOf = new Map([...ofPerson].map(([person, own]) => [person, lateCosts(own, months)]))
  /** Costs of its first month are here, so nobody else has billed the contract. */
  const isFirst = [...lateOf.values()].some((late) => late.has(begun))
  return [...ofPerson].flatMap(([person, own]): Head[] => {
    const served = people.get(person)
    const stints = served ? stintsOf(served, contract) : []
    const before = charged.withoutFee(person)
    const headOf = (
      month: string,
      billed: readonly BilledCost[],
      { ofIt = billed, isWorkAlone = false } = {},
    ): Required<Head> => {
      const current = stints.findLast(({ entryDate }) => entryDate <= lastDay(month)) ?? stints.at(0)
      const [joinedOn, leftOn] = [
        known(own, 'joinedOn') ?? current?.entryDate ?? null,
        known(own, 'leftOn') ?? current?.leaveDate ?? null,
      ]
      const types = new Set(rules.filter((rule) => isInForceIn(rule, month)).map(({ serviceType }) => serviceType!))
      const servedWith = (costs: readonly BilledCost[], isCharged = false) =>
        servicesOf([...types], {
          employmentForm: current ? formIn(current, month) : null,
          categories: new Set(costs.map((cost) => categoryOf(cost, feeItems))),
          feeItems: new Set(costs.map(({ feeItem }) => feeItem)),
          hasJoined: joinedOn !== null && joinedOn.slice(0, 7) === month,
          isCharged,
        })
      const services = servedWith(billed, isWorkAlone)
      const isCharged = charged.isCharged(person, month)
      const had = servedWith(ofIt, true)
      const due = had.size > 0 || isCharged ? had : services
      const charges = new Set([...due].filter((service) => !charged.isChargedFor(id, service, person, month)))
      const ofMonth = own.filter(({ costMonth }) => costMonth === month)
      const [former, workedDays] = [formerOf(stints, current), known(ofMonth, 'workedDays')]
      return { person, joinedOn, leftOn, former, workedDays, services, charges, month, isCharged }
    }
    const joined = new Set(stints.map(({ entryDate }) => entryDate.slice(0, 7)))
    const hasLeft = stints.length > 0 && stints.every(({ leaveDate }) => (leaveDate ?? '9999') < firstDay(billMonth))
    const isPartial = (month: string) => joined.has(month) || month === begun || (hasLeft && month === months.wageMonth)
    const late = lateOf.get(person)!
    const owed = owedMonths(late, months, (month) => isFirst || isPartial(month) || charged.wasBilled(month))
    const earlier = new Set([...owed, ...[...before.keys()].filter((month) => month < billMonth)])
    const past = new Set([...late.values()].flat().filter((cost) => monthOf(cost, months) < billMonth))
    const current = own.filter((cost) => !past.has(cost))
    const isLate = !before.has(billMonth) && current.length === 0
    const billed = before.get(billMonth) ?? own
    const head = headOf(billMonth, billed, { ofIt: before.has(billMonth) || isLate ? billed : current })
    // Other costs of a month of work are billed with its own statement, with the services that they are for.
    const isWorkAlone = (month: string) =>
      !isPartial(month) && !before.has(month) && late.get(month)!.every((cost) => monthOf(cost, months) > month)
    const isFree = (service: string) =>
      !isIn(contract, billMonth) ||
      (isLate && isForSingleMonths(service)) ||
      [...(elsewhere?.get(person) ?? [])].some((each) => isOneOf(each, service))
    return [
      ...[...earlier]
        .filter((month) => isIn(contract, month))
        .toSorted()
        .map((month) =>
          headOf(month, [...(before.get(month) ?? []), ...(late.get(month) ?? [])], {
            isWorkAlone: isWorkAlone(month),
          }),
        )
        .filter(({ charges }) => charges.size > 0),
      { ...head, charges: new Set([...head.charges].filter((service) => !isFree(service))) },
    ]
  })
}

/** What the costs of a person say of their employment; null if none does. */
const known = <F extends 'joinedOn' | 'leftOn' | 'workedDays'>(costs: readonly Cost[], field: F) =>
  costs.map((cost) => cost[field]).find((value) => value !== null) ?? null

/** Of the earlier months, those that are ours to charge, and those billed with other costs than late wages. */
const owedMonths = (
  late: ReadonlyMap<string, readonly Cost[]>,
  months: BilledMonths,
  isOurs: (month: string) => boolean,
): string[] =>
  [...late].flatMap(([month, costs]) =>
    isOurs(month) || costs.some((cost) => cost.sourceType !== 'payroll' && monthOf(cost, months) === month)
      ? month
      : [],
  )

/** Earlier months that these costs of a person belong to, each with its costs: wages to that of the work, too. */
function lateCosts(own: readonly Cost[], months: BilledMonths): ReadonlyMap<string, Cost[]> {
  const found = own
    .filter(({ amount }) => decimal(amount).isPositive())
    .flatMap((cost) => {
      const { costMonth, sourceType, feeItem } = cost
      if (['backPayment', 'lateFee'].includes(feeItem)) return []
      const month = monthOf(cost, months)
      const both = sourceType === 'payroll' ? [month, costMonth] : [month]
      return [...new Set(both)].map((each) => ({ month: each, cost }))
    })
    .filter(({ month }) => month < months.billMonth)
  return new Map(
    [...groupedBy(found, ({ month }) => month)].map(([month, late]) => [month, late.map(({ cost }) => cost)]),
  )
}

/** How somebody was employed in a month. */
export const formIn = (
  { employmentForm, formerForm, formSince }: Pick<Stint, 'employmentForm' | 'formerForm' | 'formSince'>,
  month: string,
): string | null => (month < (formSince ?? '') ? (formerForm ?? null) : employmentForm)

/**
 * When a person worked under a contract: people who have since moved on or returned were there before. Who was moved to
 * another contract of the customer during a stint has that stint under both; it says the last one.
 */
export function stintsOf(person: BilledPerson, { id, customer }: Pick<BilledContract, 'id' | 'customer'>): Stint[] {
  const all = [...person.former, person]
  const own = all.filter(({ serviceContract }) => serviceContract === id)
  const there = own.length > 0 ? own : all.filter((stint) => stint.customer === customer)
  return there.length > 0 ? there : [person]
}

/** Those before the current one. */
const formerOf = (stints: readonly Stint[], current: Stint | undefined): Required<Head>['former'] =>
  stints
    .filter((stint) => stint !== current && stint.entryDate < (current?.entryDate ?? ''))
    .map(({ entryDate, leaveDate }) => ({ joinedOn: entryDate, leftOn: leaveDate }))
