import type { Decimal } from '../../../engine/expression/index.ts'
import { type Amount, decimal, money, round2, zero } from '../money/amounts.ts'
import { bracketOf, type TaxBracket, type TaxTable } from './brackets.ts'

/** What decides how many months of basic deduction a person has. */
export interface TaxMonths {
  taxMonth: string
  taxStartMonth: string
  firstJobThisYear: boolean
}

/**
 * Months of the year up to the tax month in which the basic deduction counts: since the job began, or the whole year
 * for a first job.
 */
export function monthsCounted({ taxMonth, taxStartMonth, firstJobThisYear }: TaxMonths): number {
  const january = `${taxMonth.slice(0, 4)}-01`
  const first = firstJobThisYear || taxStartMonth < january ? january : taxStartMonth
  return first > taxMonth ? 0 : Number(taxMonth.slice(5)) - Number(first.slice(5)) + 1
}

/** People with a low income all last year get the deduction of twelve months from January on. */
export const basicDeduction = (monthly: Amount, months: number, fullSixty: boolean): Decimal =>
  decimal(monthly).times(fullSixty ? 12 : months)

export interface Cumulative {
  taxMonth: string
  cumIncome: Amount
  cumExempt: Amount
  cumBasic: Amount
  cumStatutory: Amount
  cumSpecial: Amount
  cumOther: Amount
  /** The relieved share of the tax. */
  reliefRate: Amount
  cumPaidTax: Amount
}
export interface Withheld {
  cumTaxable: string
  taxRate: string
  quickDeduction: string
  cumTax: string
  currentTax: string
}

/** Tax on wages of the year so far. Excess withholding is carried forward, not paid back within the year. */
export function withhold(year: Cumulative, brackets: readonly TaxBracket[]): Withheld {
  const { taxMonth, cumIncome, reliefRate, cumPaidTax } = year
  const deducted = [year.cumExempt, year.cumBasic, year.cumStatutory, year.cumSpecial, year.cumOther].reduce(
    (sum, amount) => sum.plus(decimal(amount)),
    zero,
  )
  const taxable = notNegative(decimal(cumIncome).minus(deducted))
  const { rate, quick } = bracketOf(brackets, { table: 'cumulative', month: taxMonth, amount: taxable })
  const relief = decimal('100').minus(decimal(reliefRate)).dividedBy(100)
  const cumTax = round2(taxable.times(rate).dividedBy(100).minus(quick).times(relief))
  return {
    cumTaxable: money(taxable),
    taxRate: rate,
    quickDeduction: money(decimal(quick)),
    cumTax: money(cumTax),
    currentTax: money(notNegative(cumTax.minus(decimal(cumPaidTax)))),
  }
}

/** Income that is taxed separately, whatever else the person earns. */
export type SingleIncome = 'annualBonus' | 'labor' | 'severance'
export interface TaxedOnce {
  taxable: string
  taxRate: string
  quickDeduction: string
  tax: string
}

/** @param averageWage of the city, which limits the exempt severance */
export function taxOnce(
  incomeType: SingleIncome,
  income: Amount,
  taxMonth: string,
  brackets: readonly TaxBracket[],
  averageWage: Amount = null,
): TaxedOnce {
  const amount = decimal(income)
  if (incomeType === 'annualBonus') return taxBy('bonus', amount.dividedBy(12), amount, taxMonth, brackets)
  const taxable =
    incomeType === 'labor'
      ? round2(amount.lte(laborLimit) ? notNegative(amount.minus(laborDeduction)) : amount.times('0.8'))
      : notNegative(amount.minus(severanceExempt(averageWage)))
  return taxBy(incomeType === 'labor' ? 'labor' : 'cumulative', taxable, taxable, taxMonth, brackets)
}

const laborLimit = 4000
const laborDeduction = '800'

/** Three years' average wages. */
export const severanceExempt = (averageWage: Amount): Decimal => decimal(averageWage).times(36)

function taxBy(
  table: TaxTable,
  measure: Decimal,
  taxable: Decimal,
  month: string,
  brackets: readonly TaxBracket[],
): TaxedOnce {
  const { rate, quick } = bracketOf(brackets, { table, month, amount: measure })
  const tax = notNegative(round2(taxable.times(rate).dividedBy(100).minus(quick)))
  return { taxable: money(taxable), taxRate: rate, quickDeduction: money(decimal(quick)), tax: money(tax) }
}

export interface TaxCap {
  capRate: Amount
  capFixed: Amount
  declaredBase: Amount
  averageWage: Amount
  round: (value: Decimal) => Decimal
}

/**
 * The deductible part of a personal contribution: a rate of the base, capped at three average wages, or a fixed amount
 * a month.
 */
export function deductible(personal: Amount, { capRate, capFixed, declaredBase, averageWage, round }: TaxCap): Decimal {
  const paid = decimal(personal)
  const caps = [
    ...(capRate === null
      ? []
      : [
          round(
            decimal(capRate)
              .dividedBy(100)
              .times(lesser(decimal(declaredBase), decimal(averageWage).times(3))),
          ),
        ]),
    ...(capFixed === null ? [] : [decimal(capFixed)]),
  ]
  return caps.reduce(lesser, paid)
}

const lesser = (a: Decimal, b: Decimal): Decimal => (a.lt(b) ? a : b)
const notNegative = (value: Decimal): Decimal => (value.lt(0) ? zero : value)
