import { procedure } from '../../../engine/server/procedure.ts'
import { countText } from '../money/outlook.ts'
import { documentsOutlook } from './documentsOutlook.ts'

/** Foresees generating statements: how many, of which customers, how much, and which contracts get none, and why. */
export const foreseeStatements = procedure<'statement'>(async (work, { values, act }) => {
  // Others may generate statements meanwhile.
  const where = { billMonth: values.billMonth!, createdBy: work.user! }
  const before = new Set((await work.read('statement', { where, fields: ['stage'] })).map(({ id }) => id))
  const { failed } = await act()
  const fields = ['customer', 'customerName', 'totalAmount', 'headcount'] as const
  const made = (await work.read('statement', { where, fields, seen: true })).filter(({ id }) => !before.has(id))
  return documentsOutlook(
    [{ label: { cn: '将生成对账单', en: 'Statements to be created' }, value: countText(made.length) }],
    made,
    { facts: { cn: '不生成', en: 'Without a statement' }, failed },
  )
})
