import { type OpenValues, procedure, type ProcedureWork } from '../../../../engine/server/procedure.ts'
import { refuseCounted } from '../expenses/yearOrder.ts'
import { renewLines } from '../expenses/renew.ts'
import { isOpen } from '../expenses/summaries.ts'
import { groupedBy } from '../groupedBy.ts'
import { enrolmentOf, expenseLineOf, expenseSummaryOf, familyOf, type Enrolment, type Family } from './family.ts'

/** A person's entry for a month. */
interface Entry {
  person: number
  month: string
}

/**
 * Recomputes existing expenses that depend on the entries of a month.
 * @throws Refusal notAllowed if they are locked or were paid later as back-payments.
 */
export const writeMonthInputs = procedure(async (work, { entity, records, before }) => {
  const family = familyOf(work, entity)
  const entries: readonly OpenValues[] = [...records, ...before.filter((entry) => entry !== null)]
  const personMonths = entries.map(({ person, month }): Entry => ({ person: Number(person), month: String(month) }))
  const persons = await work.byId(
    'person',
    personMonths.map(({ person }) => person),
    { fields: ['customer'] },
  )
  await work.changeAll(
    entity,
    records.map((record, index) => ({
      record,
      values: { customer: persons.get(personMonths[index].person)?.customer ?? null },
    })),
  )
  for (const [month, own] of groupedBy(personMonths, ({ month }) => month)) await follow(work, family, month, own)
})

async function follow(work: ProcedureWork, family: Family, month: string, entries: readonly Entry[]): Promise<void> {
  const person = [...new Set(entries.map((entry) => entry.person))]
  const enrolments = await work.read(enrolmentOf(family), {
    where: { person, status: { not: 'opening' }, startMonth: { between: [null, month] } },
  })
  const summaries = await work.read(expenseSummaryOf(family), {
    where: { account: enrolments.map(({ account }) => account), feeMonth: month },
    fields: ['account', 'customer', 'status'],
  })
  const summaryOf = ({ account, customer }: Enrolment) =>
    summaries.find((summary) => summary.account === account && summary.customer === customer)
  const lines = await work.read(expenseLineOf(family), {
    where: { person, belongMonth: month, stage: ['open', 'locked'] },
    lock: true,
  })
  const fixed = lines.some(({ expenseType, stage }) => stage === 'locked' || expenseType === 'supplement')
  const isLocked = (enrolment: Enrolment) => {
    const summary = summaryOf(enrolment)
    return summary !== undefined && !isOpen(summary) && month <= (enrolment.endMonth ?? '9999-12')
  }
  if (fixed || enrolments.some(isLocked))
    work.refuseCall({
      cn: `${month}的费用已锁定或已补缴，不能再修改录入`,
      en: `The expenses of ${month} are locked or covered by a back-payment, so the entry can no longer be changed`,
    })
  await refuseCounted(work, family, lines)
  await renewLines(
    work,
    family,
    month,
    enrolments.filter((enrolment) => summaryOf(enrolment) !== undefined),
  )
}
