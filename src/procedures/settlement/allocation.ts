import { Decimal } from '../../../engine/expression/index.ts'
import type { Label } from '../../../engine/model/model.ts'

/** Received money, and its remainder. */
export interface Fund {
  id: number
  rest: Decimal
}
/** An outstanding amount, and when it is due. */
export interface Debt {
  id: number
  outstanding: Decimal
  dueDate: string | null
}
/** How much of a fund goes to a debt, of which `before` was outstanding; `writeOff` of the debt is waived. */
export interface Allocation {
  fund: number
  debt: number
  before: Decimal
  amount: Decimal
  writeOff: Decimal
}

/** Oldest due date first; debts without a due date come last, and equal ones in creation order. */
export const byDueDate = (debt: Debt, other: Debt): number =>
  debt.dueDate === other.dueDate
    ? debt.id - other.id
    : debt.dueDate === null
      ? 1
      : other.dueDate === null
        ? -1
        : debt.dueDate < other.dueDate
          ? -1
          : 1

/**
 * Pays the debts, oldest due date first, from the funds in order. If the last of the money leaves a remainder within
 * the tolerance, it is written off.
 */
export function allocate(funds: readonly Fund[], debts: readonly Debt[], tolerance: Decimal): Allocation[] {
  const left = funds.filter(({ rest }) => rest.gt(0)).map((fund) => ({ ...fund }))
  const allocations: Allocation[] = []
  for (const debt of debts.filter(({ outstanding }) => outstanding.gt(0)).toSorted(byDueDate)) {
    let { outstanding } = debt
    while (outstanding.gt(0) && left.length > 0) {
      const [fund] = left
      const amount = Decimal.min(fund.rest, outstanding)
      allocations.push({ fund: fund.id, debt: debt.id, before: outstanding, amount, writeOff: new Decimal(0) })
      outstanding = outstanding.minus(amount)
      fund.rest = fund.rest.minus(amount)
      if (fund.rest.isZero()) left.shift()
    }
    const last = allocations.at(-1)
    if (last?.debt === debt.id && outstanding.gt(0) && outstanding.lte(tolerance)) last.writeOff = outstanding
    if (left.length === 0) break
  }
  return allocations
}

/** A match as entered, and the amounts available at its time. */
export interface Match {
  amount: Decimal
  writeOff: Decimal
  rest: Decimal
  outstanding: Decimal
  tolerance: Decimal
}

/** Why this amount cannot be matched, and the field at fault; undefined if it can. */
export function refusedMatch({
  amount,
  writeOff,
  rest,
  outstanding,
  tolerance,
}: Match): { field: 'amount' | 'writeOffAmount'; message: Label } | undefined {
  if (amount.lte(0))
    return { field: 'amount', message: { cn: '核销金额必须大于0', en: 'The matched amount must be above 0' } }
  if (amount.gt(rest))
    return {
      field: 'amount',
      message: {
        cn: `核销金额不能超过到账未核销金额${rest.toFixed(2)}`,
        en: `Only ${rest.toFixed(2)} of the receipt is left`,
      },
    }
  if (amount.gt(outstanding)) {
    return {
      field: 'amount',
      message: {
        cn: `核销金额不能超过账单未收金额${outstanding.toFixed(2)}`,
        en: `Only ${outstanding.toFixed(2)} of the statement is outstanding`,
      },
    }
  }
  if (writeOff.lt(0) || writeOff.gt(tolerance)) {
    return {
      field: 'writeOffAmount',
      message: {
        cn: `尾差金额不能超过${tolerance.toFixed(2)}`,
        en: `At most ${tolerance.toFixed(2)} can be written off`,
      },
    }
  }
  if (writeOff.gt(0) && !amount.plus(writeOff).equals(outstanding)) {
    return {
      field: 'writeOffAmount',
      message: {
        cn: '有尾差时，核销金额与尾差之和应等于未收金额',
        en: 'The matched amount and the difference must add up to the outstanding amount',
      },
    }
  }
  return undefined
}
