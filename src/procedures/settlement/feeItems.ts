/** The columns that billable items add up in; tax and total are worked out of them. */
export const feeCategories = ['wage', 'social', 'medical', 'fund', 'supplement', 'otherBenefit', 'serviceFee', 'adjust'] as const
export type FeeCategory = typeof feeCategories[number]

const items: Record<FeeCategory, readonly string[]> = {
  wage: ['grossWage', 'severance', 'incomeTax'],
  social: ['pension', 'unemployment', 'injury'],
  medical: ['medicalBasic', 'medicalLarge'],
  fund: ['housingFund', 'housingFundExtra'],
  supplement: ['backPayment', 'lateFee'],
  otherBenefit: ['disabilityFund', 'unionFee', 'commercialInsurance', 'checkup', 'welfareGoods'],
  serviceFee: ['serviceFee', 'extraService'],
  adjust: ['carryOver'],
}

const categories = new Map(feeCategories.flatMap((category) => items[category].map((item) => [item, category])))

/** What is added by hand or carried over counts as an adjustment, whatever it corrects. */
export function categoryOf({ feeItem, sourceType, feeCategory }: { feeItem: string; sourceType: string; feeCategory?: FeeCategory | null }): FeeCategory {
  const category = feeCategory ?? categories.get(feeItem)
  if (category === undefined) throw new Error(`No statement has a column for the fee item "${feeItem}"`)
  return isAdjustment(sourceType) ? 'adjust' : category
}

/** Own revenue is what the provider earns; all else is collected for others. */
export const isPassThrough = (feeItem: string): boolean => !['serviceFee', 'extraService', 'tax'].includes(feeItem)

/** Kept when a statement is worked out anew from its costs. */
export const isAdjustment = (sourceType: string): boolean => sourceType === 'manual' || sourceType === 'carryOver'

/** Of earlier months by their nature: they are billed whenever they arrive. */
export const isSupplement = (feeItem: string): boolean => items.supplement.includes(feeItem)
