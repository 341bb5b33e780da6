import { decimal, money, round2, spread, zero, type Amount } from '../money/amounts.ts'

/** What stands on an invoice in a line of its own, with tax. Rates are percent points: 6 is 6%. */
export interface InvoiceLine {
  itemName: string
  amount: Amount
  taxRate: Amount
}
export interface InvoiceTerms {
  taxMethod: string
  /** Of the differential methods: one invoice with a deduction, or fee and pass-through amount apart. */
  diffMode: string | null
  deduction: Amount
}

export const isDifferential = ({ taxMethod }: Pick<InvoiceTerms, 'taxMethod'>): boolean => taxMethod.startsWith('diff')
export const isSplit = (terms: Pick<InvoiceTerms, 'taxMethod' | 'diffMode'>): boolean =>
  isDifferential(terms) && terms.diffMode === 'split'

/** The item of what is collected for others: it bears no tax where it is invoiced apart. */
export const passThroughItem = 'passThroughPay'

/** The tax of each line, of two places; the deduction is spread over them in the proportion of their amounts. */
export function lineTaxes(lines: readonly InvoiceLine[], terms: InvoiceTerms): string[] {
  const amounts = lines.map(({ amount }) => decimal(amount))
  const hasDeduction = isDifferential(terms) && !isSplit(terms)
  const deductions = hasDeduction ? spread(decimal(terms.deduction), amounts) : amounts.map(() => zero)
  return lines.map(({ itemName, taxRate }, index) => {
    if (terms.taxMethod === 'exempt' || (isSplit(terms) && itemName === passThroughItem)) return money(zero)
    const rate = decimal(taxRate).dividedBy(100)
    const [gross, deduction] = [amounts[index], deductions[index]]
    return money(
      hasDeduction
        ? round2(gross.minus(deduction).dividedBy(rate.plus(1)).times(rate))
        : gross.minus(round2(gross.dividedBy(rate.plus(1)))),
    )
  })
}
