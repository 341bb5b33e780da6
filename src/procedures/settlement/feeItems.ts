/** The columns that billable items add up in; tax and total are worked out of them. */
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

/** Fee items that are the company's own; those of welfare come with its families. */
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
 * What a family says of settlement: the column of its items, and the fee item of each, a new one or one that another
 * brings.
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
 * What is added by hand or carried over counts as an adjustment, whatever it corrects.
 * @throws Error where no column is for the item
 */
export function categoryOf(
  { feeItem, sourceType }: { feeItem: string; sourceType: string },
  items: FeeItems,
): FeeCategory {
  const category = items.get(ofSource(sourceType, feeItem)) ?? items.get(feeItem)
  if (category === undefined) throw new Error(`No statement has a column for the fee item "${feeItem}"`)
  return isAdjustment(sourceType) ? 'adjust' : category
}

/** Own revenue is what the provider earns; all else is collected for others. */
export const isPassThrough = (feeItem: string): boolean => !['serviceFee', 'extraService', 'tax'].includes(feeItem)

/** Kept when a statement is worked out anew from its costs. */
export const isAdjustment = (sourceType: string): boolean => sourceType === 'manual' || sourceType === 'carryOver'
