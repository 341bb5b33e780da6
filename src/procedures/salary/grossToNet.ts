import type { Decimal } from '../../../engine/expression/index.ts'
import { type Amount, decimal, money, round2, total } from '../money/amounts.ts'

export const earnings = [
  'baseSalary',
  'positionPay',
  'performancePay',
  'overtimePay',
  'bonus',
  'mealAllowance',
  'transportAllowance',
  'otherAllowance',
  'otherPreTax',
] as const

export const wageItemNames = [...earnings, 'absenceDeduction', 'afterTaxAdd', 'afterTaxDeduct'] as const
export type WageItems = Partial<Record<(typeof wageItemNames)[number], Amount>>

/** The pay for missed days. */
export const absence = (baseSalary: Amount, dayDivisor: Amount, workDays: Amount, actualDays: Amount): Decimal =>
  workDays === null || actualDays === null
    ? decimal(null)
    : round2(
        decimal(baseSalary)
          .times(decimal(workDays).minus(decimal(actualDays)))
          .dividedBy(decimal(dayDivisor)),
      )

export const grossOf = (items: WageItems): Decimal =>
  total(earnings.map((name) => decimal(items[name]))).minus(decimal(items.absenceDeduction))

export interface Taken {
  welfarePersonal: Amount
  welfareCompany: Amount
  currentTax: Amount
}

/** From gross to net, and the cost to the customer. */
export function netOf(
  items: WageItems,
  { welfarePersonal, welfareCompany, currentTax }: Taken,
): { grossPay: string; netPay: string; cost: string } {
  const gross = grossOf(items)
  const net = gross
    .minus(decimal(welfarePersonal))
    .minus(decimal(currentTax))
    .plus(decimal(items.afterTaxAdd))
    .minus(decimal(items.afterTaxDeduct))
  return {
    grossPay: money(gross),
    netPay: money(net),
    cost: money(gross.plus(decimal(welfareCompany)).plus(decimal(items.afterTaxAdd))),
  }
}
