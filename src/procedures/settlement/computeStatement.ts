import type { Decimal } from '../../../engine/expression/index.ts'
import { decimal, money, round2, spread, total } from '../money/amounts.ts'
import { categoryOf, feeCategories, isAdjustment, isPassThrough, type FeeCategory, type FeeItems } from './feeItems.ts'
import { billableAmong } from './fees.ts'
import { isAdded, taxable, taxOn, type TaxTerms } from './tax.ts'
import type { StatementItem } from './StatementItem.ts'

export type ComputedItem = StatementItem & { feeCategory: FeeCategory; billable: boolean; passThrough: boolean }

export type FeeColumn = `${FeeCategory | 'tax' | 'total'}Amount`
export type FeeAmounts = Record<FeeColumn, string>
export interface ComputedLine {
  lineType: 'person' | 'company' | 'adjustment'
  person: number | null
  items: ComputedItem[]
  amounts: FeeAmounts
  memoPersonal: string
  /** Of a person with costs, whether they are outside their term. */
  outsideTerm: boolean
}
export interface ComputedStatement {
  lines: ComputedLine[]
  headcount: number
  amounts: FeeAmounts & { passThroughAmount: string; ownAmount: string }
}

export const feeColumns: readonly FeeColumn[] = [
  ...feeCategories.map((category) => `${category}Amount` as const),
  'taxAmount',
  'totalAmount',
]

interface Sums {
  columns: Record<FeeCategory, Decimal>
  passThrough: Decimal
  own: Decimal
  taxable: Decimal
  memo: Decimal
}

/**
 * All items of a statement → its lines and totals. A line for each person with costs, in order of first occurrence, one
 * for costs of the company, then adjustments of people without a line. Tax is computed once for the total and
 * distributed over the lines.
 * @throws Error if the lines do not add up to the total
 */
export function computeStatement(
  items: readonly StatementItem[],
  terms: TaxTerms,
  feeItems: FeeItems,
): ComputedStatement {
  const isBillable = billableAmong(items.filter(({ sourceType }) => !isAdjustment(sourceType)))
  const billed = items.map((item): ComputedItem => ({
    ...item,
    feeCategory: categoryOf(item, feeItems),
    passThrough: item.passThrough ?? isPassThrough(item.feeItem),
    billable: isAdjustment(item.sourceType) || isBillable(item),
  }))
  const groups = grouped(billed)
  const sums = groups.map(({ items }) => sumsOf(items, terms))
  const [passThrough, own] = [total(sums.map((sum) => sum.passThrough)), total(sums.map((sum) => sum.own))]
  const tax = taxOn(taxable(terms, { passThrough, own }), terms)
  const taxes = spread(
    tax,
    sums.map((sum) => sum.taxable),
  )
  const lines = groups.map((group, index): ComputedLine => ({
    ...group,
    amounts: amountsOf(sums[index], taxes[index], terms),
    memoPersonal: money(sums[index].memo),
    outsideTerm: group.items.some(({ outsideTerm }) => outsideTerm),
  }))

  const amounts = Object.fromEntries(
    feeColumns.map((column) => [column, money(total(lines.map((line) => decimal(line.amounts[column]))))]),
  ) as FeeAmounts
  const owed = passThrough.plus(own).plus(isAdded(terms) ? tax : 0)
  if (!decimal(amounts.totalAmount).equals(round2(owed)))
    throw new Error(`The lines add up to ${amounts.totalAmount}, the statement to ${money(owed)}`)
  return {
    lines,
    headcount: lines.filter(({ lineType }) => lineType === 'person').length,
    amounts: { ...amounts, passThroughAmount: money(passThrough), ownAmount: money(own) },
  }
}

function grouped(items: readonly ComputedItem[]): Pick<ComputedLine, 'lineType' | 'person' | 'items'>[] {
  const withCosts = new Set(items.filter(({ sourceType }) => !isAdjustment(sourceType)).map(({ person }) => person))
  const groups = new Map<string, Pick<ComputedLine, 'lineType' | 'person' | 'items'>>()
  for (const item of items) {
    const { person, sourceType } = item
    const lineType =
      person !== null && withCosts.has(person) ? 'person' : isAdjustment(sourceType) ? 'adjustment' : 'company'
    const key = `${lineType} ${String(person)}`
    const group = groups.get(key)
    if (group) group.items.push(item)
    else groups.set(key, { lineType, person, items: [item] })
  }
  const order = ['person', 'company', 'adjustment']
  return [...groups.values()].sort((a, b) => order.indexOf(a.lineType) - order.indexOf(b.lineType))
}

function sumsOf(items: readonly ComputedItem[], terms: TaxTerms): Sums {
  const billable = items.filter((item) => item.billable)
  const sumOf = (some: readonly ComputedItem[]) => total(some.map(({ amount }) => decimal(amount)))
  const passThrough = sumOf(billable.filter((item) => item.passThrough))
  const own = sumOf(billable.filter((item) => !item.passThrough))
  return {
    columns: Object.fromEntries(
      feeCategories.map((category) => [category, sumOf(billable.filter((item) => item.feeCategory === category))]),
    ) as Record<FeeCategory, Decimal>,
    passThrough,
    own,
    taxable: taxable(terms, { passThrough, own }),
    memo: sumOf(items.filter((item) => !item.billable && item.party === 'personal')),
  }
}

function amountsOf({ columns }: Sums, tax: Decimal, terms: TaxTerms): FeeAmounts {
  const sum = total(Object.values(columns))
  return {
    ...Object.fromEntries(feeCategories.map((category) => [`${category}Amount`, money(columns[category])])),
    taxAmount: money(tax),
    totalAmount: money(isAdded(terms) ? sum.plus(tax) : sum),
  } as FeeAmounts
}
