import type { Label, Outlook } from '../../../../engine/model/model.ts'
import { type OpenValues, procedure } from '../../../../engine/server/procedure.ts'
import { decimal, total } from '../../money/amounts.ts'
import { amountText, countText, outlookList } from '../../money/outlook.ts'
import { groupedBy } from '../groupedBy.ts'
import { adjustmentOf, baseChangeOf, type BaseChangeName, familyOf } from './family.ts'

type OutlookResult = Outlook & Record<string, unknown>

/** Foresees a yearly collection: how many people get a row, of which customers, and who has one already. */
export const foreseeBaseChangeStart = procedure<BaseChangeName>(async (work, { entity, values, act }) => {
  const name = baseChangeOf(familyOf(work, entity))
  const { year, city = null, customer = null } = values
  const where = { year: year!, ...(city !== null && { city }), ...(customer !== null && { customer }) }
  const read = () => work.read(name, { where, fields: ['customer'], seen: true })
  const before = new Set((await read()).map(({ id }) => id))
  await act()
  const made = (await read()).filter(({ id }) => !before.has(id))
  const customers = await work.byId(
    'customer',
    made.flatMap((row) => row.customer ?? []),
  )
  const perCustomer = [...groupedBy(made, (row) => row.customer)]
    .map(([id, rows]) => ({ name: customers.get(id!)?.name ?? '', count: rows.length }))
    .toSorted((a, b) => b.count - a.count)
  return {
    facts: [
      { label: { cn: '将生成申报记录', en: 'Rows to be created' }, value: countText(made.length) },
      { label: { cn: '客户', en: 'Customers' }, value: countText(perCustomer.length) },
      { label: { cn: '本年度已有记录', en: 'Existing rows of the year' }, value: countText(before.size) },
    ],
    lists: [
      outlookList(
        { cn: '将生成', en: 'To be created' },
        perCustomer.map((each) => ({ name: each.name, about: countText(each.count) })),
      ),
    ],
  } satisfies OutlookResult
})

/** Foresees the adjustments of a yearly collection: for how many people, how much a month, and who needs none. */
export const foreseeWelfareAdjustments = procedure<BaseChangeName>(async (work, { entity, records, act }) => {
  const family = familyOf(work, entity)
  const { currency } = family
  await act()
  const where: OpenValues = { baseChange: records.map(({ id }) => id), status: 'pending' }
  const made = await work.read(adjustmentOf(family), { where })
  const amounts = made.map(({ personName, companyDiff, personalDiff }) => ({
    name: personName ?? '',
    company: decimal(companyDiff),
    personal: decimal(personalDiff),
  }))
  const sumOf = (label: Label, side: 'company' | 'personal') => ({
    label,
    value: amountText(total(amounts.map((amount) => amount[side])), currency),
  })
  return {
    facts: [
      { label: { cn: '将生成调整任务', en: 'Adjustments to be created' }, value: countText(made.length) },
      { label: { cn: '无变化', en: 'Unchanged' }, value: countText(records.length - made.length) },
      sumOf({ cn: '单位每月增减', en: 'Change for the company per month' }, 'company'),
      sumOf({ cn: '个人每月增减', en: 'Change for employees per month' }, 'personal'),
    ],
    lists: [
      outlookList(
        { cn: '每月增减（单位 + 个人）', en: 'Change per month (company + employee)' },
        amounts
          .map(({ name, company, personal }) => ({ name, sum: company.plus(personal) }))
          .toSorted((a, b) => b.sum.abs().comparedTo(a.sum.abs()))
          .map(({ name, sum }) => ({ name, about: amountText(sum, currency) })),
      ),
    ],
  } satisfies OutlookResult
})
