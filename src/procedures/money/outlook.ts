import { Decimal } from '../../../engine/expression/index.ts'
import type { Label } from '../../../engine/model/model.ts'
import { groupThousands } from '../../../engine/widgets/decimal/decimal.ts'
import { currencySymbol } from '../../../engine/widgets/money/money.ts'

/** Texts that foresee a call. */

const both = (text: string): Label => ({ cn: text, en: text })

export const countText = (count: number): Label => both(groupThousands(String(count)))

/** An amount with its cents, as lists show it. */
export const amountText = (amount: Decimal): Label =>
  both(
    `${amount.isNegative() && !amount.isZero() ? '-' : ''}${currencySymbol}${groupThousands(amount.abs().toFixed(2))}`,
  )

/** An amount before and after, and its change. */
export const changeText = (before: Decimal, after: Decimal): Label => {
  const difference = after.minus(before)
  const sign = difference.isNegative() ? '' : '+'
  return both(`${amountText(before).cn} → ${amountText(after).cn}（${sign}${amountText(difference).cn}）`)
}
