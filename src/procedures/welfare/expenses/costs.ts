import { type Stored, textIn, type Values } from '../../../../engine/server/procedure.ts'
import { type Amount, decimal } from '../../money/amounts.ts'
import { rateName } from '../handling/amounts.ts'
import type { Family, LineName } from '../handling/family.ts'

type CostLine = Stored<'costLine'>

/** A line's cost for settlement: an item and its bearer. */
export type Cost = Pick<CostLine, 'feeItem' | 'party' | 'amount' | 'base' | 'rate'>

export const sourceTypeOf = ({ sourceType }: Family): CostLine['sourceType'] => sourceType
export const feeItemOf = ({ feeItem }: Family['items'][number]): CostLine['feeItem'] =>
  typeof feeItem === 'string' ? feeItem : feeItem.value
/** Identifies the costs of a line. */
export const sourceIdOf = ({ prefix }: Family, line: number): string => `${prefix}-${line}`

/**
 * The costs of a line: none if it is void; back-payments as such whatever their items, late fees by bearer.
 * @param inYuan what an amount of the line is in yuan
 */
export function costsOf(
  family: Family,
  line: Values<LineName>,
  inYuan: <A extends Amount>(amount: A) => A = (amount) => amount,
): Cost[] {
  if (line.stage === 'void') return []
  const isBackPayment = line.expenseType === 'supplement'
  const costs = family.items.flatMap((item): Cost[] =>
    (['Company', 'Personal'] as const).map((side) => ({
      feeItem: isBackPayment ? 'backPayment' : feeItemOf(item),
      party: side === 'Company' ? 'company' : 'personal',
      amount: inYuan(textIn(line, `${item.key}${side}`) ?? '0.00'),
      base: inYuan(textIn(line, `${item.key}Base`) ?? textIn(line, 'base')),
      rate: textIn(line, rateName(item.key, side === 'Company' ? 'company' : 'personal')),
    })),
  )
  const bearer = textIn(line, 'lateFeeBearer')
  const late: Cost[] =
    bearer === 'provider'
      ? []
      : [
          {
            feeItem: 'lateFee',
            party: bearer === 'person' ? 'personal' : 'company',
            amount: inYuan(textIn(line, 'lateFee') ?? '0.00'),
            base: null,
            rate: null,
          },
        ]
  return merged([...costs, ...late].filter(({ amount }) => !decimal(amount).isZero()))
}

/** One cost for each item and bearer: items that are paid back together become one. */
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
