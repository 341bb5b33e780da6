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

/** The part of an amount that is taxed: own revenue under the differential methods, all of it under the full ones. */
export function taxable(
  { taxMethod }: TaxTerms,
  { passThrough, own }: { passThrough: Decimal; own: Decimal },
): Decimal {
  if (taxMethod === 'exempt') return zero
  return taxMethod.startsWith('diff') ? own : passThrough.plus(own)
}

/**
 * Is the tax a part of the total that the customer owes on top? Otherwise it is in the prices, and told for
 * information.
 */
export const isAdded = ({ taxBorne }: TaxTerms): boolean => taxBorne === 'exclusive'

/** On the taxable amount of a whole statement; nothing where it is not above zero. */
export function taxOn(base: Decimal, terms: TaxTerms): Decimal {
  if (base.lte(0)) return zero
  const rate = decimal(terms.taxRate).dividedBy(100)
  if (!isAdded(terms)) return base.minus(round2(base.dividedBy(rate.plus(1))))
  const vat = round2(base.times(rate))
  return vat.plus(round2(vat.times(decimal(terms.surchargeRate)).dividedBy(100)))
}
