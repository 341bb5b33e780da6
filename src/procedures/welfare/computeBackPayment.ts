import { addMonths, daysBetween, Decimal } from '../../../engine/expression/index.ts'
import { decimal, money, round2, total, zero, type Amount } from '../money/amounts.ts'
import { totals, type Contribution } from './contribution.ts'
import { dayOf, monthRange } from './monthRange.ts'
import { difference } from './reconciliation.ts'

type Amounts = Readonly<Record<string, Contribution>>

export interface BackPayment {
  fromMonth: string
  toMonth: string
  /** The amounts of each month with the given base, by the policy in force at that time. */
  amountsIn: (month: string) => Amounts
  /** Set if only the difference to what was paid is due. */
  paidIn?: (month: string) => Amounts
  /** The day of a month on which it had to be paid, by its policy. */
  payDay: (month: string) => number
  /** Percent of the principal per day; null without late fees. */
  lateFeeDailyRate: (month: string) => Amount
  /** The date on which it is handled; before that, the expected date. */
  handledOn: string
}

/** One month of a back-payment. */
export interface BackPaidMonth {
  month: string
  amounts: Record<string, Contribution>
  companyTotal: string
  personalTotal: string
  principal: string
  days: number
  lateFee: string
}

export function computeBackPayment(due: BackPayment): {
  months: BackPaidMonth[]
  companyTotal: string
  personalTotal: string
  lateFee: string
  total: string
} {
  const months = monthRange(due.fromMonth, due.toMonth).map((month) => backPaid(month, due))
  const sum = (key: 'companyTotal' | 'personalTotal' | 'lateFee') => total(months.map((month) => decimal(month[key])))
  const [company, personal, lateFee] = [sum('companyTotal'), sum('personalTotal'), sum('lateFee')]
  return {
    months,
    companyTotal: money(company),
    personalTotal: money(personal),
    lateFee: money(lateFee),
    total: money(company.plus(personal).plus(lateFee)),
  }
}

function backPaid(
  month: string,
  { amountsIn, paidIn, payDay, lateFeeDailyRate, handledOn }: BackPayment,
): BackPaidMonth {
  const full = amountsIn(month)
  const open = paidIn ? difference(paidIn(month), full) : full
  // A back-payment returns nothing to people who have paid more than is due.
  const amounts = decimal(totals(Object.values(open)).total).isNegative() ? difference(full, full) : { ...open }
  const { companyTotal, personalTotal, total: principal } = totals(Object.values(amounts))
  const days = Math.max(0, daysBetween(dayOf(month, payDay(month)), handledOn) ?? 0)
  return {
    month,
    amounts,
    companyTotal,
    personalTotal,
    principal,
    days,
    lateFee: money(lateFee(decimal(principal), lateFeeDailyRate(month), days)),
  }
}

/** For so many days at so many percent a day, never more than the principal. */
function lateFee(principal: Decimal, dailyRate: Amount, days: number): Decimal {
  if (dailyRate === null) return zero
  return Decimal.min(principal, round2(principal.times(dailyRate).dividedBy(100).times(days)))
}

/** The next day of payment, including today: the assumed date before a back-payment is handled. */
export function nextPayDay(today: string, payDay: number): string {
  const month = today.slice(0, 7)
  const day = dayOf(month, payDay)
  return day >= today ? day : dayOf(addMonths(month, 1)!, payDay)
}
