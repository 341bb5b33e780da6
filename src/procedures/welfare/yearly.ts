import { addMonths, Decimal } from '../../../engine/expression/index.ts'
import { decimal, money } from '../money/amounts.ts'
import type { About } from './about.ts'
import type { Contribution, Item } from './contribution.ts'
import { worked } from './formulas.ts'
import { monthsFrom } from './monthRange.ts'
import { roundBy } from './rounding.ts'

/** A policy's row: how often an item is paid. */
export interface PayCycle {
  item: string
  payCycle: string
  payMonth: number | null
  annualRule: string | null
  annualRefund: string | null
  companyRound: string | null
  personalRound: string | null
}

/** How many months a payment covers; 1 if each month is paid separately. */
const cycles: Record<string, number> = { quarter: 3, halfYear: 6, year: 12 }
export const monthsOfCycle = ({ payCycle }: Pick<PayCycle, 'payCycle'>): number => cycles[payCycle] ?? 1

/** The first month of the cycle that contains a month: cycles begin with the month of payment. */
export const beginOfCycle = (month: string, row: Pick<PayCycle, 'payCycle' | 'payMonth'>): string => {
  const length = monthsOfCycle(row)
  return addMonths(month, -((Number(month.slice(5)) - Number(row.payMonth) + 12) % length))!
}
const endOfCycle = (month: string, row: PayCycle): string =>
  addMonths(beginOfCycle(month, row), monthsOfCycle(row) - 1)!

/**
 * What is due in a month for a person whose first paid month is `startMonth`: for items paid for several months at
 * once, everything, a part or nothing; for one-off payments, everything in the first month. `isPaid`: the cycle of the
 * month is paid already.
 */
export function dueIn(
  month: string,
  startMonth: string,
  contributions: Readonly<Record<string, Contribution>>,
  rows: readonly PayCycle[],
  isPaid: (row: PayCycle) => boolean = () => false,
): Record<string, Contribution> {
  return mapPaidAtOnce(contributions, rows, (amount, row, round) =>
    isForMonths(row) && isPaid(row) ? new Decimal(0) : chargedIn(month, startMonth, amount, row, round),
  )
}

/**
 * Whether an earlier enrolment that ended within the cycle has paid for the whole of it: People who return are charged
 * once. An item refunded for the months after leaving is charged for them again.
 */
export const paidEarlier = (
  month: string,
  row: PayCycle,
  { refund = null, endMonth }: { refund?: string | null; endMonth: string },
): boolean =>
  isForMonths(row) &&
  row.annualRefund !== 'prorata' &&
  refund === null &&
  endMonth >= beginOfCycle(month, row) &&
  endMonth < month

/** A charge for an item that is paid for several months at once. */
export interface Charged {
  /** The month to which the charge belongs. */
  month: string
  amounts: Contribution
  /** The amount of a whole cycle by that month's policy. */
  whole: Contribution
}

/**
 * The refunds of items that are paid for several months at once if this is the last paid month; none is positive. What
 * was never charged is left out. An item's own formula takes precedence over the policy's rule.
 */
export function refundAfter(
  lastMonth: string,
  charged: Readonly<Record<string, Charged>>,
  rows: readonly PayCycle[],
  { items, about }: { items: readonly Pick<Item, 'key' | 'refund'>[]; about: About },
): Record<string, Contribution> {
  return Object.fromEntries(
    Object.entries(charged).flatMap(([key, { month, amounts, whole }]): [string, Contribution][] => {
      const row = rows.find(({ item }) => item === key)
      if (!row || !isForMonths(row)) return []
      const formula = items.find((item) => item.key === key)?.refund
      const side = (name: 'company' | 'personal') => {
        const round = row[`${name}Round`]
        const cycle = cycleBehind(month, decimal(amounts[name]), decimal(whole[name]), row, round)
        if (formula)
          return money(refundedBy(formula, { lastMonth, charged: decimal(amounts[name]), cycle, row, round, about }))
        return money(refunded(lastMonth, cycle, row, round))
      }
      return [[key, { base: amounts.base, company: side('company'), personal: side('personal') }]]
    }),
  )
}

/** The amount of the whole cycle that this charge was part of; derived from the charge if it was changed by hand. / */
function cycleBehind(month: string, charged: Decimal, whole: Decimal, row: PayCycle, round: string | null): Decimal {
  const length = monthsOfCycle(row)
  const months = row.annualRule === 'prorata' ? monthsFrom(month, endOfCycle(month, row)) + 1 : length
  const expected = months === length ? whole : roundBy(round, whole.times(months).dividedBy(length))
  return expected.equals(charged) ? whole : charged.times(length).dividedBy(months)
}

/** Paid for several months at once. */
export const isForMonths = (row: Pick<PayCycle, 'payCycle' | 'payMonth'>) =>
  monthsOfCycle(row) > 1 && row.payMonth !== null

function mapPaidAtOnce(
  contributions: Readonly<Record<string, Contribution>>,
  rows: readonly PayCycle[],
  amountOf: (amount: Decimal, row: PayCycle, round: string | null) => Decimal,
): Record<string, Contribution> {
  return Object.fromEntries(
    Object.entries(contributions).map(([key, contribution]) => {
      const row = rows.find(({ item }) => item === key)
      if (!row || (row.payCycle !== 'once' && !isForMonths(row))) return [key, contribution]
      return [
        key,
        {
          ...contribution,
          company: money(amountOf(decimal(contribution.company), row, row.companyRound)),
          personal: money(amountOf(decimal(contribution.personal), row, row.personalRound)),
        },
      ]
    }),
  )
}

function chargedIn(month: string, startMonth: string, amount: Decimal, row: PayCycle, round: string | null): Decimal {
  if (month < startMonth) return new Decimal(0)
  if (row.payCycle === 'once') return month === startMonth ? amount : new Decimal(0)
  if (beginOfCycle(month, row) === month) return amount
  if (month !== startMonth) return new Decimal(0)
  if (row.annualRule !== 'prorata') return amount
  const remaining = monthsFrom(month, endOfCycle(month, row)) + 1
  return roundBy(round, amount.times(remaining).dividedBy(monthsOfCycle(row)))
}

function refunded(lastMonth: string, amount: Decimal, row: PayCycle, round: string | null): Decimal {
  const unused = row.annualRefund === 'prorata' ? monthsFrom(lastMonth, endOfCycle(lastMonth, row)) : 0
  return unused === 0 ? new Decimal(0) : roundBy(round, amount.times(unused).dividedBy(monthsOfCycle(row))).negated()
}

interface Refunding {
  lastMonth: string
  charged: Decimal
  /** The amount of a whole cycle. */
  cycle: Decimal
  row: PayCycle
  round: string | null
  about: About
}

function refundedBy(formula: string, { lastMonth, charged, cycle, row, round, about }: Refunding): Decimal {
  const back = worked(formula, {
    ...about,
    charged: charged.toFixed(),
    wholeCycle: cycle.toFixed(),
    unusedMonths: String(monthsFrom(lastMonth, endOfCycle(lastMonth, row))),
    cycleMonths: String(monthsOfCycle(row)),
  })
  const rounded = roundBy(round, Decimal.max(0, back ?? 0))
  return Decimal.min(rounded, charged).negated()
}
