import type { RecordData, Value } from '../../../../engine/schema/model.ts'
import { decimal, type Amount } from '../../settlement/amounts.ts'
import type { Family } from '../handling/family.ts'

/** What settlement is told of a line: an item and who bears it. */
export interface Cost {
  feeItem: string
  party: 'company' | 'personal'
  amount: string
  base: Value
  rate: Value
}

export const sourceTypeOf = ({ sourceType }: Family): string => sourceType
export const feeItemOf = ({ feeItem }: Family['items'][number]): string =>
  typeof feeItem === 'string' ? feeItem : feeItem.value
/** By this the costs of a line are found. */
export const sourceIdOf = ({ prefix }: Family, line: number): string => `${prefix}-${line}`

/**
 * What a line costs: nothing where it is void; back-payments as such whatever their items, late fees to whom they are
 * borne by.
 */
export function costsOf(family: Family, line: RecordData): Cost[] {
  if (line.stage === 'void') return []
  const isSupplement = line.expenseType === 'supplement'
  const costs = family.items.flatMap((item): Cost[] =>
    (['Company', 'Personal'] as const).map((side) => ({
      feeItem: isSupplement ? 'backPayment' : feeItemOf(item),
      party: side === 'Company' ? 'company' : 'personal',
      amount: String(line[`${item.key}${side}`] ?? '0.00'),
      base: line[`${item.key}Base`] ?? line.base ?? null,
      rate: line[`${item.key}${side}Rate`] ?? null,
    })),
  )
  const late: Cost[] =
    line.lateFeeBearer === 'provider'
      ? []
      : [
          {
            feeItem: 'lateFee',
            party: line.lateFeeBearer === 'person' ? 'personal' : 'company',
            amount: String(line.lateFee ?? '0.00'),
            base: null,
            rate: null,
          },
        ]
  return merged([...costs, ...late].filter(({ amount }) => !decimal(amount as Amount).isZero()))
}

/** One cost for each item and bearer: items that are paid back together are one. */
function merged(costs: readonly Cost[]): Cost[] {
  const found = new Map<string, Cost>()
  for (const cost of costs) {
    const key = `${cost.feeItem} ${cost.party}`
    const before = found.get(key)
    found.set(
      key,
      before
        ? { ...before, amount: decimal(before.amount).plus(decimal(cost.amount)).toFixed(2), base: null, rate: null }
        : cost,
    )
  }
  return [...found.values()]
}
