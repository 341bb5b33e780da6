import { Decimal } from '../../../engine/expression/index.ts'
import type { Label, Outlook } from '../../../engine/model/model.ts'
import { groupThousands } from '../../../engine/widgets/decimal/decimal.ts'
import type { Currency } from '../../../engine/widgets/money/currencies.ts'
import { formatAmount } from '../../../engine/widgets/money/money.ts'

/** Texts that foresee a call. */

const both = (text: string): Label => ({ cn: text, en: text })

export const countText = (count: number): Label => both(groupThousands(String(count)))

/** An amount as lists show it. */
export const amountText = (amount: Decimal, currency?: Currency): Label =>
  both(formatAmount(amount.toFixed(), currency))

/** An amount before and after, and its change, if there is one. */
export const changeText = (before: Decimal, after: Decimal, currency?: Currency): Label => {
  const textOf = (amount: Decimal) => amountText(amount, currency).cn
  const difference = after.minus(before)
  if (difference.isZero()) return { cn: `${textOf(after)}（不变）`, en: `${textOf(after)} (unchanged)` }
  const [step, change] = [
    `${textOf(before)} → ${textOf(after)}`,
    `${difference.isNegative() ? '' : '+'}${textOf(difference)}`,
  ]
  return { cn: `${step}（${change}）`, en: `${step} (${change})` }
}

type OutlookList = Outlook['lists'][number]

/** The most that a list names; others are counted. */
const mostNamed = 50

export const outlookList = (label: Label, items: readonly OutlookList['items'][number][]): OutlookList => ({
  label,
  items: items.slice(0, mostNamed),
  more: Math.max(0, items.length - mostNamed),
})
