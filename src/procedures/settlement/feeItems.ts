/** The columns that billable items are summed in; tax and total are computed from them. */
export const feeCategories = [
  'wage',
  'social',
  'medical',
  'fund',
  'supplement',
  'otherBenefit',
  'serviceFee',
  'adjust',
] as const
export type FeeCategory = (typeof feeCategories)[number]

/** The company's own fee items; those of welfare come with its families. */
const own: Partial<Record<FeeCategory, readonly string[]>> = {
  wage: ['grossWage', 'severance', 'incomeTax'],
  supplement: ['backPayment', 'lateFee'],
  otherBenefit: ['disabilityFund', 'unionFee', 'commercialInsurance', 'checkup', 'welfareGoods'],
  serviceFee: ['serviceFee', 'extraService'],
  adjust: ['carryOver'],
}

/** Fee item → its total column; families may share a fee item, but each names the column as `source/item`. */
export type FeeItems = ReadonlyMap<string, FeeCategory>

/**
 * A family's declarations for settlement: the column of its items, and the fee item of each, a new one or one that
 * another family declares.
 */
export interface BilledFamily {
  sourceType: string
  settlement: { feeCategory: FeeCategory }
  items: readonly { feeItem: string | { value: string } }[]
}

const ofSource = (sourceType: string, feeItem: string): string => `${sourceType}/${feeItem}`

export const feeItemsOf = (families: readonly BilledFamily[]): FeeItems =>
  new Map([
    ...Object.entries(own).flatMap(([category, items]) =>
      items.map((item): [string, FeeCategory] => [item, category as FeeCategory]),
    ),
    ...families.flatMap(({ sourceType, settlement: { feeCategory }, items }) =>
      items.flatMap(({ feeItem }): [string, FeeCategory][] =>
        typeof feeItem === 'string'
          ? [[ofSource(sourceType, feeItem), feeCategory]]
          : [
              [feeItem.value, feeCategory],
              [ofSource(sourceType, feeItem.value), feeCategory],
            ],
      ),
    ),
  ])

/**
 * Items added by hand or carried over count as adjustments, whatever they correct.
 * @throws Error if no column is for the item
 */
export function categoryOf(
  { feeItem, sourceType }: { feeItem: string; sourceType: string },
  items: FeeItems,
): FeeCategory {
  const category = items.get(ofSource(sourceType, feeItem)) ?? items.get(feeItem)
  if (category === undefined) throw new Error(`No statement has a column for the fee item "${feeItem}"`)
  return isAdjustment(sourceType) ? 'adjust' : category
}

/** Own revenue is what the provider earns; everything else is collected for others. */
export const isPassThrough = (feeItem: string): boolean => !['serviceFee', 'extraService', 'tax'].includes(feeItem)

/** Kept when a statement is recomputed from its costs. */
export const isAdjustment = (sourceType: string): boolean => sourceType === 'manual' || sourceType === 'carryOver'
