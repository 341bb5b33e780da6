import type { Label, Outlook } from '../../../engine/model/model.ts'
import { amountText, countText, outlookList } from '../money/outlook.ts'
import { decimal, total } from '../money/amounts.ts'

export interface MadeDocument {
  customer: number
  customerName: string | null
  totalAmount: string | null
  headcount: number | null
}

/** Summarises documents for customers: which customers, how much, and which contracts get none and why. */
export function documentsOutlook(
  counts: Outlook['facts'],
  made: readonly MadeDocument[],
  none: { facts: Label; failed: readonly { id: number; name?: string; message: string }[] },
): Outlook & Record<string, unknown> {
  const amounts = made
    .map(({ customerName, totalAmount }) => ({ name: customerName ?? '', amount: decimal(totalAmount) }))
    .toSorted((a, b) => b.amount.comparedTo(a.amount))
  return {
    facts: [
      ...counts,
      { label: { cn: '客户', en: 'Customers' }, value: countText(new Set(made.map(({ customer }) => customer)).size) },
      { label: { cn: '合计金额', en: 'Total' }, value: amountText(total(amounts.map(({ amount }) => amount))) },
      {
        label: { cn: '服务人数', en: 'Headcount' },
        value: countText(made.reduce((sum, { headcount }) => sum + (headcount ?? 0), 0)),
      },
      { label: none.facts, value: countText(none.failed.length) },
    ],
    lists: [
      outlookList(
        { cn: '将生成', en: 'To be created' },
        amounts.map(({ name, amount }) => ({ name, about: amountText(amount) })),
      ),
      outlookList(
        { cn: '不生成的合同', en: 'Contracts left out' },
        none.failed.map(({ id, name = String(id), message }) => ({ name, about: { cn: message, en: message } })),
      ),
    ],
  }
}
