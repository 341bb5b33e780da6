import type { Decimal } from '../../../engine/expression/index.ts'
import { decimal, round2, zero, type Amount } from '../money/amounts.ts'

export interface TaxTerms {
  taxMethod: string
  /** Percent points: 6 is 6%. */
  taxRate: Amount
  /** Percent of the tax itself. */
  surchargeRate: Amount
  taxBorne: string
}

/** The taxed part of an amount: own revenue under the differential methods, everything under the full ones. */
export function taxable(
  { taxMethod }: TaxTerms,
  { passThrough, own }: { passThrough: Decimal; own: Decimal },
): Decimal {
  if (taxMethod === 'exempt') return zero
  return taxMethod.startsWith('diff') ? own : passThrough.plus(own)
}

/**
 * Whether the tax is added to the total that the customer owes. Otherwise it is included in the prices, and shown for
 * information.
 */
export const isAdded = ({ taxBorne }: TaxTerms): boolean => taxBorne === 'exclusive'

/** On the taxable amount of a whole statement; zero unless that is positive. */
export function taxOn(base: Decimal, terms: TaxTerms): Decimal {
  if (base.lte(0)) return zero
  const rate = decimal(terms.taxRate).dividedBy(100)
  if (!isAdded(terms)) return base.minus(round2(base.dividedBy(rate.plus(1))))
  const vat = round2(base.times(rate))
  return vat.plus(round2(vat.times(decimal(terms.surchargeRate)).dividedBy(100)))
}
