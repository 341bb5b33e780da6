import { decimal, money, round2, spread, zero, type Amount } from '../money/amounts.ts'

/** A line of an invoice with its tax. Rates are percent points: 6 is 6%. */
export interface InvoiceLine {
  itemName: string
  amount: Amount
  taxRate: Amount
}
export interface InvoiceTerms {
  taxMethod: string
  /** For the differential methods: one invoice with a deduction, or fee and pass-through amount separately. */
  diffMode: string | null
  deduction: Amount
}

export const isDifferential = ({ taxMethod }: Pick<InvoiceTerms, 'taxMethod'>): boolean => taxMethod.startsWith('diff')
export const isSplit = (terms: Pick<InvoiceTerms, 'taxMethod' | 'diffMode'>): boolean =>
  isDifferential(terms) && terms.diffMode === 'split'

/** The item for amounts collected for others: it is untaxed if invoiced separately. */
export const passThroughItem = 'passThroughPay'

/** The tax of each line, to two places; the deduction is distributed in proportion to the amounts. */
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
