import { decimal, money } from '../money/amounts.ts'
import type { Contribution, Item } from './contribution.ts'

/** What an item came to in the months of a calendar year before one of them, by the lines of one enrolment. */
export interface SoFar {
  baseSoFar: string
  companySoFar: string
  personalSoFar: string
}
/** By item; one that is not there has come to nothing. */
export type YearSoFar = Readonly<Record<string, SoFar>>
type Amounts = Readonly<Record<string, Contribution>>

export const nothingSoFar: SoFar = { baseSoFar: '0.00', companySoFar: '0.00', personalSoFar: '0.00' }

const formulas = ['eligible', 'floor', 'cap', 'company', 'personal'] as const

/** Does what a month comes to depend on the months before it? */
export const asksOfYear = (items: readonly Pick<Item, (typeof formulas)[number]>[]): boolean =>
  items.some((item) => formulas.some((name) => /\b(base|company|personal)SoFar\b/.test(item[name] ?? '')))

/** `months`: what was charged for each, all lines together. */
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
