import type { Decimal } from '../../../engine/expression/index.ts'
import type { Stored } from '../../../engine/server/procedure.ts'
import { lastDay } from '../monthDays.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { decimal, money, round2, total, zero } from '../money/amounts.ts'
import type { PlannedAmounts, PlannedColumn } from './computeBudget.ts'
import { headShare, isThere } from './fees.ts'

/** A current or former employee; of several stints, the current one comes last. */
export interface Employed {
  person: number
  baseSalary: string
  /** Whether their wages are paid through us, or by the customer itself. */
  isPaid: boolean
  joinedOn: string
  leftOn: string | null
  employmentForm?: string | null
}
export interface BudgetMonths {
  month: string
  wageMonth: string
}
/** A person's amounts in the last statement. */
export type Known = Pick<PlannedAmounts, InsuranceColumn | 'wageAmount' | 'otherBenefitAmount'>
type InsuranceColumn = Extract<PlannedColumn, 'socialAmount' | 'medicalAmount' | 'fundAmount'>
/** What the company pays, and what the person does. */
export interface Share {
  company: Decimal
  personal: Decimal
}
/** A person's insurance by the policies in force, if any apply. */
export type Insured = ReadonlyMap<number, Partial<Record<PlannedColumn, Share>>>
const insurances: readonly InsuranceColumn[] = ['socialAmount', 'medicalAmount', 'fundAmount']

export const nothing: PlannedAmounts = {
  wageAmount: '0.00',
  socialAmount: '0.00',
  medicalAmount: '0.00',
  fundAmount: '0.00',
  supplementAmount: '0.00',
  otherBenefitAmount: '0.00',
  adjustAmount: '0.00',
}

/**
 * Everybody employed in the month, or in the month whose wages it pays: their salary for the days that they are
 * employed, and their insurance by the policies in force; with what they bear themselves if no wages of theirs include
 * it. Without policies, the insurance of their last statement is used; without one, it is in proportion to their salary,
 * as for the others.
 */
export function expectRoster(
  people: readonly Employed[],
  last: ReadonlyMap<number, Known>,
  { month, wageMonth, insured = new Map() }: BudgetMonths & { insured?: Insured },
): { person: number; amounts: PlannedAmounts }[] {
  const shares = insuranceShares(people, last)
  const there = people.filter((person) => isThere(person, month) || isThere(person, wageMonth))
  return [...groupedBy(there, ({ person }) => person)].map(([person, stints]) => {
    const wages = total(
      stints
        .filter((stint) => stint.isPaid && isThere(stint, wageMonth))
        .map((stint) => decimal(stint.baseSalary).times(headShare('byDay', wageMonth, { ...stint, workedDays: null }))),
    )
    const known = last.get(person)
    const { baseSalary } = stints.at(-1)!
    const amountOf = (column: InsuranceColumn): Decimal => {
      const own = insured.get(person)?.[column]
      if (own) return wages.isZero() ? own.company.plus(own.personal) : own.company
      return known ? decimal(known[column]) : round2(shares[column].times(baseSalary))
    }
    const isInsured = stints.some((stint) => isThere(stint, month))
    const insurance = insurances.map((column) => [column, money(isInsured ? amountOf(column) : zero)])
    return {
      person,
      amounts: { ...nothing, wageAmount: money(round2(wages)), ...Object.fromEntries(insurance) },
    }
  })
}

/** Recurring amounts of the last statement, for people who have not left before the month whose wages are paid. */
export function expectLast(
  people: readonly Employed[],
  last: ReadonlyMap<number, Known>,
  { wageMonth }: BudgetMonths,
): { person: number; amounts: PlannedAmounts }[] {
  const staying = people.filter(({ leftOn }) => leftOn === null || leftOn >= `${wageMonth}-01`)
  return [...new Set(staying.map(({ person }) => person))]
    .filter((person) => last.has(person))
    .map((person) => ({ person, amounts: recurring(last.get(person)!) }))
}

/** Back-payments and adjustments belonged to that month only. */
export const recurring = ({
  wageAmount,
  socialAmount,
  medicalAmount,
  fundAmount,
  otherBenefitAmount,
}: Known): PlannedAmounts => ({ ...nothing, wageAmount, socialAmount, medicalAmount, fundAmount, otherBenefitAmount })

export function changeKind(
  { leftOn }: { leftOn: string | null },
  previous: string | null,
  amount: string,
  month: string,
): NonNullable<Stored<'budgetLine'>['changeKind']> {
  if (leftOn !== null && leftOn <= lastDay(month)) return 'leaver'
  if (previous === null) return 'joiner'
  return decimal(previous).equals(decimal(amount)) ? 'same' : 'changed'
}

/** The amount of each insurance per yuan of salary. */
function insuranceShares(people: readonly Employed[], last: ReadonlyMap<number, Known>) {
  const insured = people.filter(({ person }) => last.has(person))
  const salaries = total(insured.map(({ baseSalary }) => decimal(baseSalary)))
  const share = (column: InsuranceColumn) =>
    salaries.isZero()
      ? zero
      : total(insured.map(({ person }) => decimal(last.get(person)![column]))).dividedBy(salaries)
  return { socialAmount: share('socialAmount'), medicalAmount: share('medicalAmount'), fundAmount: share('fundAmount') }
}
