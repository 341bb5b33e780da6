import { procedure } from '../../../engine/server/procedure.ts'
import { countText } from '../money/outlook.ts'
import { documentsOutlook } from './documentsOutlook.ts'
import { contractTitle } from './generateBudgets.ts'

/**
 * Foresees generating budgets: how many are new, how many drafts are replaced, of which customers, how much, and which
 * contracts get none, and why.
 */
export const foreseeBudgets = procedure<'budget'>(async (work, { values, act }) => {
  const { month, customers } = values
  const where = { month: month!, ...(customers && { customer: customers }) }
  const before = new Set((await work.read('budget', { where, fields: ['stage'] })).map(({ id }) => id))
  const { failed } = await act()
  const drafts = await work.read('budget', {
    where: { ...where, stage: 'drafted' },
    fields: ['contract', 'customer', 'totalAmount', 'headcount'],
    seen: true,
  })
  const contracts = await work.byId(
    'contract',
    drafts.map(({ contract }) => contract),
  )
  const without = new Set(failed.map(({ name }) => name))
  const made = drafts
    .map((draft) => ({ ...draft, contract: contracts.get(draft.contract)! }))
    // A draft without basis keeps its former figures.
    .filter(({ contract }) => !without.has(contractTitle(contract)))
  const replaced = made.filter(({ id }) => before.has(id)).length
  return documentsOutlook(
    [
      { label: { cn: '将新建预算', en: 'Budgets to be created' }, value: countText(made.length - replaced) },
      { label: { cn: '将重算草稿', en: 'Drafts to be replaced' }, value: countText(replaced) },
    ],
    made.map(({ contract, ...rest }) => ({ ...rest, customerName: contract.customerName })),
    { facts: { cn: '不生成', en: 'Without a budget' }, failed },
  )
})
