import type { Stored, Values } from '../../../engine/server/procedure.ts'
import { type Amount, decimal, money, total } from '../money/amounts.ts'
import type { TaxBracket } from './brackets.ts'
import { netOf, type WageItems } from './grossToNet.ts'
import type { SingleIncome } from './incomeTax.ts'
import type { PersonWelfare, WelfareItem } from './readWelfare.ts'
import { singleTax, wageTax, type Taxpayer, type YearSoFar } from './taxLine.ts'
import { warningsOf } from './warnings.ts'

export interface PayrollTerms {
  incomeType: Stored<'payroll'>['incomeType']
  taxMonth: string
  payrollMonth: string
  brackets: readonly TaxBracket[]
  /** The parameters: the monthly deduction, and the change that triggers a warning. */
  monthly: Amount
  changePercent: Amount
}

/** What is known of the person besides the line itself. */
export interface About extends Taxpayer, Omit<YearSoFar, 'taxMonth'> {
  welfare: PersonWelfare | undefined
  hasDeduction: boolean
  wageCard: number | null
  leaveDate: string | null
  minimumWage: Amount
  averageWage: Amount
  /** Gross pay of the previous month. */
  previousGross: Amount
}

export interface WorkedLine {
  fields: Values<'payrollLine'>
  welfare: (Pick<WelfareItem, 'family' | 'part' | 'item' | 'personal' | 'company'> & {
    feeMonth: string
    /** The deductible part. */ statutory: string
  })[]
}

/**
 * Computes one line of a payroll from its wage items: welfare, tax, net pay, and warnings. Only wages have welfare
 * deducted.
 */
export function computeLine(line: WageItems & { exemptIncome: Amount }, about: About, terms: PayrollTerms): WorkedLine {
  const isWage = terms.incomeType === 'wage'
  const items = isWage ? (about.welfare?.items ?? []) : []
  const sum = (name: 'personal' | 'company' | 'statutory' | 'other') =>
    money(total(items.map((item) => decimal(item[name]))))
  const [welfarePersonal, welfareCompany, statutory, otherDeduction] = [
    sum('personal'),
    sum('company'),
    sum('statutory'),
    sum('other'),
  ]
  const { grossPay } = netOf(line, { welfarePersonal, welfareCompany, currentTax: null })
  const { taxMonth, brackets, monthly, payrollMonth, changePercent } = terms
  const tax = isWage
    ? wageTax(
        { grossPay, exemptIncome: line.exemptIncome, statutory, otherDeduction },
        about,
        { ...about, taxMonth },
        { brackets, monthly },
      )
    : singleTax(terms.incomeType as SingleIncome, grossPay, taxMonth, brackets, about.averageWage)
  const { netPay } = netOf(line, { welfarePersonal, welfareCompany, currentTax: tax.currentTax })
  const warnings = warningsOf({
    ...about,
    isWage,
    grossPay,
    netPay,
    hasCard: about.wageCard !== null,
    welfareOpen: about.welfare?.open,
    payrollMonth,
    changePercent,
  })
  return {
    fields: {
      ...tax,
      ...(terms.incomeType === 'severance' && { averageWage: about.averageWage, exemptIncome: tax.cumExempt }),
      welfarePersonalTotal: welfarePersonal,
      welfareCompanyTotal: welfareCompany,
      statutory,
      otherDeduction,
      wageCard: about.wageCard,
      warnings: warnings.length > 0 ? warnings : null,
    },
    welfare: items.map(({ month: feeMonth, family, part, item, personal, company, statutory: deducted, other }) => ({
      feeMonth,
      family,
      part,
      item,
      personal,
      company,
      statutory: money(decimal(deducted).plus(decimal(other))),
    })),
  }
}
