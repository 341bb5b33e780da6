import { Decimal } from '../../../engine/expression/index.ts'
import { decimal, money, type Amount } from '../money/amounts.ts'
import { roundBy } from './rounding.ts'

/** How a family declares an item for income tax. */
export interface TaxClass {
  taxClass: string
  taxCapRate: Amount
  taxCapFixed: Amount
}

/**
 * The part of a personal contribution of a month that tax law deducts: all of it up to the cap, which is a rate of the
 * declared base, limited to three average wages, or an amount; nothing if it is not deductible.
 */
export function deductible(
  personal: string,
  { taxClass, taxCapRate, taxCapFixed }: TaxClass,
  { declaredBase, averageWage, round }: { declaredBase: Amount; averageWage: Amount; round: string | null },
): string {
  if (taxClass === 'none') return '0.00'
  const caps = [
    ...(taxCapFixed === null ? [] : [decimal(taxCapFixed)]),
    ...(taxCapRate === null || declaredBase === null || averageWage === null
      ? []
      : [roundBy(round, Decimal.min(declaredBase, decimal(averageWage).times(3)).times(taxCapRate).dividedBy(100))]),
  ]
  return money(Decimal.min(personal, ...caps))
}
