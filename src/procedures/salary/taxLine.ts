import type { Decimal } from '../../../engine/expression/index.ts'
import { type Amount, decimal, money, total } from '../money/amounts.ts'
import type { TaxBracket } from './brackets.ts'
import { basicDeduction, monthsCounted, taxOnce, withhold, type SingleIncome } from './incomeTax.ts'

/** What tax law needs to know of a person. */
export interface Taxpayer {
  taxStartMonth: string
  firstJobThisYear: boolean
  fullSixty: boolean
  reliefRate: Amount
}

/** What one payroll line adds to the year. */
export interface Earned {
  grossPay: Amount
  exemptIncome: Amount
  statutory: Amount
  otherDeduction: Amount
  currentTax: Amount
}

export interface YearSoFar {
  taxMonth: string
  /** Of the same withholding agent, in order of approval, without this one. */
  earlier: readonly Earned[]
  /** The special additional deductions and the personal pension, cumulative since January. */
  cumSpecial: Amount
  cumPension: Amount
}

/** The tax fields of a payroll line, in stored form. */
export interface TaxFields {
  cumIncome: Amount
  cumExempt: Amount
  cumBasic: Amount
  cumStatutory: Amount
  cumSpecial: Amount
  cumOther: Amount
  cumTaxable: string
  taxRate: string
  quickDeduction: string
  cumTax: string
  cumPaidTax: Amount
  currentTax: string
}

/** The tax on wages: of the year including this line, minus what was withheld. */
export function wageTax(
  line: Omit<Earned, 'currentTax'>,
  payer: Taxpayer,
  year: YearSoFar,
  { brackets, monthly }: { brackets: readonly TaxBracket[]; monthly: Amount },
): TaxFields {
  const sum = (name: keyof Earned): Decimal => total(year.earlier.map((earned) => decimal(earned[name])))
  const until = (name: keyof Omit<Earned, 'currentTax'>) => money(sum(name).plus(decimal(line[name])))
  const months = monthsCounted({ ...payer, taxMonth: year.taxMonth })
  const cumulated = {
    cumIncome: until('grossPay'),
    cumExempt: until('exemptIncome'),
    cumBasic: money(basicDeduction(monthly, months, payer.fullSixty)),
    cumStatutory: until('statutory'),
    cumSpecial: money(decimal(year.cumSpecial)),
    cumOther: money(decimal(until('otherDeduction')).plus(decimal(year.cumPension))),
    cumPaidTax: money(sum('currentTax')),
  }
  return {
    ...cumulated,
    ...withhold({ taxMonth: year.taxMonth, reliefRate: payer.reliefRate, ...cumulated }, brackets),
  }
}

/** The tax on income that is taxed separately. */
export function singleTax(
  incomeType: SingleIncome,
  income: Amount,
  taxMonth: string,
  brackets: readonly TaxBracket[],
  averageWage: Amount,
): TaxFields {
  const { taxable, taxRate, quickDeduction, tax } = taxOnce(incomeType, income, taxMonth, brackets, averageWage)
  return {
    cumIncome: income,
    cumExempt: incomeType === 'severance' ? money(decimal(income).minus(decimal(taxable))) : null,
    cumBasic: null,
    cumStatutory: null,
    cumSpecial: null,
    cumOther: null,
    cumPaidTax: null,
    cumTaxable: taxable,
    taxRate,
    quickDeduction,
    cumTax: tax,
    currentTax: tax,
  }
}
