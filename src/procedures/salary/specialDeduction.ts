import { decimal, money, zero, type Amount } from '../money/amounts.ts'

/**
 * Reported deductions of a person, cumulative since January: field → the legal maximum for that many months of the
 * year.
 */
export const deductionLimits = {
  cumChildEducation: null,
  cumInfantCare: null,
  cumContinuingEducation: (months: number) => 400 * months + 3600,
  cumHousingLoan: (months: number) => 1000 * months,
  cumHousingRent: (months: number) => 1500 * months,
  cumElderlySupport: (months: number) => 3000 * months,
  cumPersonalPension: () => 12_000,
} as const
export type DeductionItem = keyof typeof deductionLimits
export type Deductions = Record<DeductionItem, Amount>
export const deductionItems = Object.keys(deductionLimits) as DeductionItem[]

/**
 * The following month: each item grows by its last increase, up to the legal maximum. `before` is the month before
 * `last`, null if that was not in the year.
 */
export function carriedOn(last: Deductions, before: Deductions | null, month: string): Record<DeductionItem, string> {
  const months = Number(month.slice(5))
  return Object.fromEntries(
    deductionItems.map((item) => {
      const grown = decimal(last[item]).plus(decimal(last[item]).minus(decimal(before?.[item] ?? null)))
      const limit = deductionLimits[item]?.(months)
      const allowed = limit !== undefined && grown.gt(String(limit)) ? decimal(String(limit)) : grown
      return [item, money(allowed.lt(0) ? zero : allowed)]
    }),
  ) as Record<DeductionItem, string>
}
