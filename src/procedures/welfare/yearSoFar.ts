import { decimal, money } from '../money/amounts.ts'
import type { Contribution, Item } from './contribution.ts'
import { nothingSoFar, type SoFar, type YearSoFar } from './soFar.ts'

type Amounts = Readonly<Record<string, Contribution>>

const formulas = ['eligible', 'floor', 'cap', 'company', 'personal'] as const

/** Whether a month's amounts depend on the earlier months of the year. */
export const usesYearSoFar = (items: readonly Pick<Item, (typeof formulas)[number]>[]): boolean =>
  items.some((item) => formulas.some((name) => /\b(base|company|personal)SoFar\b/.test(item[name] ?? '')))

/** `months`: the charges of each month, over all lines. */
export function soFarBefore(month: string, months: ReadonlyMap<string, Amounts>): YearSoFar {
  const sums: Record<string, SoFar> = {}
  for (const [each, amounts] of months) {
    if (each >= month || each.slice(0, 4) !== month.slice(0, 4)) continue
    for (const [key, { base, company, personal }] of Object.entries(amounts)) {
      const { baseSoFar, companySoFar, personalSoFar } = sums[key] ?? nothingSoFar
      sums[key] = {
        baseSoFar: money(decimal(baseSoFar).plus(decimal(base))),
        companySoFar: money(decimal(companySoFar).plus(decimal(company))),
        personalSoFar: money(decimal(personalSoFar).plus(decimal(personal))),
      }
    }
  }
  return sums
}
