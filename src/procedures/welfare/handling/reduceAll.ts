import type { CallResult, Outlook } from '../../../../engine/model/model.ts'
import { procedure, Refusal, textIn, type Values } from '../../../../engine/server/procedure.ts'
import { decimal, total } from '../../money/amounts.ts'
import { amountText, countText } from '../../money/outlook.ts'
import { familyOf, reductionOf, type EnrolmentName, type ReductionName } from './family.ts'

// Many reductions at once from the ledger: a ticket each, as if created one by one.

/** The most that are named; others are counted. */
const mostNamed = 50

/**
 * A reduction of each of these enrolments, for one reason and with one last month. Extra fields that differ from person
 * to person are to be completed. People who cannot be removed are named, and do not block the others.
 */
export const reduceWelfareEnrolments = procedure<EnrolmentName>(async (work, { entity, records, values }) => {
  const people = await work.byId(
    'person',
    records.map(({ person }) => person),
    { fields: ['name', 'leaveDate'] },
  )
  const personOf = ({ person }: { person: number | null }) => people.get(person!)
  const set: Values<ReductionName> = { source: 'ledger' }
  const made = await work.createEach<ReductionName>(
    reductionOf(familyOf(work, entity)),
    records.map((record): Values<ReductionName> => ({
      person: record.person!,
      reductionReason: textIn(values, 'reductionReason'),
      lastMonth: textIn(values, 'endMonth'),
      leaveDate: personOf(record)?.leaveDate ?? null,
    })),
    { set },
  )
  const failed = records.flatMap((record, index): CallResult['failed'] => {
    const refusal = made[index]
    if (!(refusal instanceof Refusal)) return []
    const reasons = refusal.problems?.map(({ message }) => message) ?? [refusal.text]
    const message = [...new Set(reasons.map((reason) => reason[work.language]))].join(' ')
    return [{ id: record.id, name: personOf(record)?.name, message }]
  })
  return { succeeded: records.length - failed.length, failed }
})

/** Foresees that: how many, their monthly payments, and who cannot be removed. */
export const foreseeWelfareReductions = procedure<EnrolmentName>(async (_, { records, act }) => {
  const { failed } = await act()
  const taken = records.filter(({ id }) => !failed.some((each) => each.id === id))
  return {
    facts: [
      { label: { cn: '将生成减员任务', en: 'Reductions to be created' }, value: countText(taken.length) },
      {
        label: { cn: '月缴合计', en: 'Total contributions per month' },
        value: amountText(total(taken.map((enrolment) => decimal(textIn(enrolment, 'total'))))),
      },
      { label: { cn: '不生成', en: 'Not created' }, value: countText(failed.length) },
    ],
    lists: [
      {
        label: { cn: '不能减员的人员', en: 'Employees who cannot be removed' },
        items: failed
          .slice(0, mostNamed)
          .map(({ id, name = String(id), message }) => ({ name, about: { cn: message, en: message } })),
        more: Math.max(0, failed.length - mostNamed),
      },
    ],
  } satisfies Outlook & Record<string, unknown>
})
