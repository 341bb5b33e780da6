import { Decimal } from 'decimal.js'
import { monthsBetween } from './months.ts'

/** Brackets of yearly taxable income: upper limit, rate in percent and quick deduction. */
const brackets: [upTo: number, rate: number, quick: number][] = [
  [36_000, 3, 0],
  [144_000, 10, 2520],
  [300_000, 20, 16_920],
  [420_000, 25, 31_920],
  [660_000, 30, 52_920],
  [960_000, 35, 85_920],
  [Infinity, 45, 181_920],
]
const bonusBrackets: typeof brackets = [
  [3000, 3, 0],
  [12_000, 10, 210],
  [25_000, 20, 1410],
  [35_000, 25, 2660],
  [55_000, 30, 4410],
  [80_000, 35, 7160],
  [Infinity, 45, 15_160],
]
const round = (value: Decimal) => value.toDecimalPlaces(2, Decimal.ROUND_HALF_UP)

export function yearlyTax(taxable: Decimal): Decimal {
  const [, rate, quick] = brackets.find(([upTo]) => taxable.lte(upTo))!
  return round(taxable.times(rate).div(100).minus(quick))
}

/** The tax on a yearly bonus that is taxed separately. */
export function bonusTax(bonus: Decimal): Decimal {
  const [, rate, quick] = bonusBrackets.find(([upTo]) => bonus.div(12).lte(upTo))!
  return round(bonus.times(rate).div(100).minus(quick))
}

/** The average monthly wage of last year where the people work. */
const averageWage = 11_761

/** What tax law deducts at most of the provident fund of a month with this declared base: whole yuan. */
export const fundCap = (declaredBase: Decimal): Decimal =>
  Decimal.min(declaredBase, 3 * averageWage)
    .times('0.12')
    .toDecimalPlaces(0, Decimal.ROUND_HALF_UP)

/** An approved wage; a list of them is in the order of approval. */
export interface Wage {
  taxMonth: string
  gross: Decimal
  statutory: Decimal
  withheld: Decimal
}

/**
 * The tax to withhold with the last of these wages of one person, agent and year.
 * @param taxFrom the month from which the basic deduction counts
 * @param special the cumulative special deductions since January
 */
export function taxDue(wages: readonly Wage[], taxFrom: string, special: Decimal): Decimal {
  const last = wages.at(-1)!
  const january = `${last.taxMonth.slice(0, 4)}-01`
  const months = monthsBetween(taxFrom > january ? taxFrom : january, last.taxMonth).length
  const sum = (amountOf: (wage: Wage) => Decimal, among = wages) =>
    among.reduce((all, wage) => all.plus(amountOf(wage)), new Decimal(0))
  const taxable = Decimal.max(
    0,
    sum(({ gross }) => gross)
      .minus(5000 * months)
      .minus(sum(({ statutory }) => statutory))
      .minus(special),
  )
  return Decimal.max(0, yearlyTax(taxable).minus(sum(({ withheld }) => withheld, wages.slice(0, -1))))
}

/** The pay lost by missing `days` days of the month. */
export const absence = (baseSalary: Decimal, days: Decimal): Decimal => round(baseSalary.div('21.75').times(days))
