import { addMonths, Decimal } from '../../../engine/expression/index.ts'
import { decimal, money } from '../settlement/amounts.ts'
import type { Contribution } from './contribution.ts'
import { monthsFrom } from './months.ts'
import { roundBy } from './rounding.ts'

/** What a policy's row says of how often an item is paid. */
export interface PayCycle {
  item: string
  payCycle: string
  payMonth: number | null
  annualRule: string | null
  annualRefund: string | null
  companyRound: string | null
  personalRound: string | null
}

/**
 * What falls due in a month for somebody whose first paid month is `startMonth`: of items that are paid once a year
 * all, a part or nothing.
 */
export function dueIn(
  month: string,
  startMonth: string,
  contributions: Readonly<Record<string, Contribution>>,
  rows: readonly PayCycle[],
): Record<string, Contribution> {
  return mapYearly(contributions, rows, (amount, row, round) => chargedIn(month, startMonth, amount, row, round))
}

/** What was charged of an item that is paid once a year. */
export interface Charged {
  /** The month to which the charge belongs. */
  month: string
  amounts: Contribution
  /** What a whole year came to by the policy of that month. */
  wholeYear: Contribution
}

/**
 * What comes back of items that are paid once a year when the last paid month is this one; none of it is positive. What
 * was never charged is not there.
 */
export function refundAfter(
  lastMonth: string,
  charged: Readonly<Record<string, Charged>>,
  rows: readonly PayCycle[],
): Record<string, Contribution> {
  return Object.fromEntries(
    Object.entries(charged).flatMap(([key, { month, amounts, wholeYear }]): [string, Contribution][] => {
      const row = rows.find(({ item }) => item === key)
      if (!row || !isYearly(row)) return []
      const side = (name: 'company' | 'personal') => {
        const round = row[`${name}Round`]
        const year = yearBehind(month, decimal(amounts[name]), decimal(wholeYear[name]), row, round)
        return money(refunded(lastMonth, year, row, round))
      }
      return [[key, { base: amounts.base, company: side('company'), personal: side('personal') }]]
    }),
  )
}

/** The amount of a whole year of which this was charged; worked back from it where somebody changed it by hand. */
function yearBehind(
  month: string,
  charged: Decimal,
  wholeYear: Decimal,
  { payMonth, annualRule }: PayCycle,
  round: string | null,
): Decimal {
  const months = annualRule === 'prorata' ? monthsFrom(month, endOfItemYear(month, payMonth!)) + 1 : 12
  const expected = months === 12 ? wholeYear : roundBy(round, wholeYear.times(months).dividedBy(12))
  return expected.equals(charged) ? wholeYear : charged.times(12).dividedBy(months)
}

const isYearly = ({ payCycle, payMonth }: PayCycle) => payCycle === 'year' && payMonth !== null

function mapYearly(
  contributions: Readonly<Record<string, Contribution>>,
  rows: readonly PayCycle[],
  of: (amount: Decimal, row: PayCycle, round: string | null) => Decimal,
): Record<string, Contribution> {
  return Object.fromEntries(
    Object.entries(contributions).map(([key, contribution]) => {
      const row = rows.find(({ item }) => item === key)
      if (!row || !isYearly(row)) return [key, contribution]
      return [
        key,
        {
          ...contribution,
          company: money(of(decimal(contribution.company), row, row.companyRound)),
          personal: money(of(decimal(contribution.personal), row, row.personalRound)),
        },
      ]
    }),
  )
}

/** The last month of the item year that a month belongs to: item years begin with the month of payment. */
function endOfItemYear(month: string, payMonth: number): string {
  const back = (Number(month.slice(5)) - payMonth + 12) % 12
  return addMonths(month, 11 - back)!
}

function chargedIn(
  month: string,
  startMonth: string,
  amount: Decimal,
  { payMonth, annualRule }: PayCycle,
  round: string | null,
): Decimal {
  if (month < startMonth) return new Decimal(0)
  if (Number(month.slice(5)) === payMonth) return amount
  if (month !== startMonth) return new Decimal(0)
  if (annualRule !== 'prorata') return amount
  const remaining = monthsFrom(month, endOfItemYear(month, payMonth!)) + 1
  return roundBy(round, amount.times(remaining).dividedBy(12))
}

function refunded(
  lastMonth: string,
  amount: Decimal,
  { payMonth, annualRefund }: PayCycle,
  round: string | null,
): Decimal {
  const unused = annualRefund === 'prorata' ? monthsFrom(lastMonth, endOfItemYear(lastMonth, payMonth!)) : 0
  return unused === 0 ? new Decimal(0) : roundBy(round, amount.times(unused).dividedBy(12)).negated()
}
