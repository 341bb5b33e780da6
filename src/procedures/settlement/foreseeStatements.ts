import type { Outlook } from '../../../engine/model/model.ts'
import { procedure } from '../../../engine/server/procedure.ts'
import { amountText, countText } from '../money/outlook.ts'
import { decimal, total } from '../money/amounts.ts'

/** The most that are named; others are counted. */
const mostNamed = 50

/** Foresees generating statements: how many, of which customers, how much, and which contracts get none, and why. */
export const foreseeStatements = procedure<'statement'>(async (work, { values, act }) => {
  const where = { billMonth: values.billMonth! }
  const before = new Set((await work.read('statement', { where, fields: ['stage'] })).map(({ id }) => id))
  const { failed } = await act()
  const fields = ['customer', 'customerName', 'totalAmount', 'headcount'] as const
  const made = (await work.read('statement', { where, fields })).filter(({ id }) => !before.has(id))
  const amounts = made
    .map(({ customerName, totalAmount }) => ({ name: customerName ?? '', amount: decimal(totalAmount) }))
    .toSorted((a, b) => b.amount.comparedTo(a.amount))
  return {
    facts: [
      { label: { cn: '将生成对账单', en: 'Statements to be made' }, value: countText(made.length) },
      { label: { cn: '客户', en: 'Customers' }, value: countText(new Set(made.map(({ customer }) => customer)).size) },
      { label: { cn: '合计金额', en: 'Total' }, value: amountText(total(amounts.map(({ amount }) => amount))) },
      {
        label: { cn: '服务人数', en: 'Headcount' },
        value: countText(made.reduce((sum, { headcount }) => sum + Number(headcount ?? 0), 0)),
      },
      { label: { cn: '不生成', en: 'Without a statement' }, value: countText(failed.length) },
    ],
    lists: [
      {
        label: { cn: '将生成', en: 'To be made' },
        items: amounts.slice(0, mostNamed).map(({ name, amount }) => ({ name, about: amountText(amount) })),
        more: Math.max(0, amounts.length - mostNamed),
      },
      {
        label: { cn: '不生成的合同', en: 'Contracts without a statement' },
        items: failed
          .slice(0, mostNamed)
          .map(({ id, name = String(id), message }) => ({ name, about: { cn: message, en: message } })),
        more: Math.max(0, failed.length - mostNamed),
      },
    ],
  } satisfies Outlook & Record<string, unknown>
})
