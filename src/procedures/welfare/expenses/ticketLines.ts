import type { ProcedureWork, Stored, Values } from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import {
  enrolmentOf,
  expenseLineOf,
  expenseSummaryOf,
  type AdditionName,
  type AdjustmentName,
  type Family,
  type Line,
  type LineName,
  type ReductionName,
  type BackPaymentName,
} from '../handling/family.ts'
import { withColleagues } from '../handling/headcounts.ts'
import { adoptLines } from './adoptLines.ts'
import { laterMonthChanges } from './laterMonthChanges.ts'
import { deliver } from './deliver.ts'
import { followLines } from './undeductedContributions.ts'
import { followYear, newLine, renewMonth } from './renew.ts'
import { dropEmpty, isOpen, openSummary, summariesFor, type SummaryKey } from './summaries.ts'
import { beginWhole } from './wholeMonths.ts'

/** A line that a ticket creates: its person, its months, and the amounts per item, as fields of the line. */
export type LineDraft = Values<LineName> &
  SummaryKey & {
    person: number
    belongMonth: string
    expenseType: 'supplement' | 'difference' | 'refund'
    sourceNo: string
  }

/**
 * Creates lines of tickets in the months in which they were handled.
 * @throws Refusal notAllowed if such a month is locked.
 */
export async function writeTicketLines(
  work: ProcedureWork,
  family: Family,
  drafts: readonly LineDraft[],
): Promise<void> {
  if (drafts.length === 0) return
  const people = await work.byId(
    'person',
    drafts.map(({ person }) => person),
    { fields: ['name', 'idNumber'] },
  )
  await beginWhole(work, family, drafts)
  const summaryOf = await summariesFor(work, family, drafts)
  const lines = drafts.map((draft): Values<LineName> => {
    const summary = summaryOf(draft)
    if (!isOpen(summary))
      work.refuseCall({ cn: `${draft.feeMonth}的费用已锁定`, en: `The expenses of ${draft.feeMonth} are locked` })
    const { name, idNumber } = people.get(draft.person)!
    return { ...newLine(family), ...draft, personName: name, idNumber, summary: summary.id }
  })
  await deliver(work, family, await work.insert(expenseLineOf(family), lines))
  await followYear(work, family, drafts)
}

const lockedText = { cn: '已生成的费用已锁定，不能撤回', en: 'The lines it generated are locked' }

/**
 * Removes the lines that tickets have created.
 * @throws Refusal notAllowed if one of them is locked, or a month that was locked since depends on them.
 */
export async function dropTicketLines(
  work: ProcedureWork,
  family: Family,
  tickets: readonly Stored<AdditionName | AdjustmentName | ReductionName | BackPaymentName>[],
): Promise<void> {
  const name = expenseLineOf(family)
  const sourceNo = tickets.map(({ ticketNo }) => ticketNo)
  const lines = await work.read(name, { where: { sourceNo }, lock: true })
  if (lines.some(({ stage }) => stage === 'locked')) work.refuseCall(lockedText)
  const [counted] = await laterMonthChanges(work, family, lines, { goes: true })
  if (counted) {
    const month = counted.line.belongMonth
    work.refuseCall({
      cn: `${month}的费用已锁定，并计入了本年累计，请先取消确认`,
      en: `The locked expenses of ${month} depend on the lines of this ticket: undo their confirmation first`,
    })
  }
  await deliver(
    work,
    family,
    lines.map((line) => ({ ...line, stage: 'void' })),
  )
  await work.delete(name, lines)
  await followLines(work, lines)
  await followYear(work, family, lines)
  await dropEmpty(work, family, [...new Set(lines.map(({ summary }) => summary))])
}

interface LineQuery {
  persons: readonly number[]
  from: string
  to?: string
  stages?: readonly Stored<LineName>['stage'][]
}

/** Lines of these persons by the months that they belong to, in month order, without void ones. */
export const linesFrom = (
  work: ProcedureWork,
  family: Family,
  { persons, from, to = '9999-12', stages = ['open', 'locked'] }: LineQuery,
): Promise<Line[]> =>
  work.read(expenseLineOf(family), {
    where: { person: persons, belongMonth: { between: [from, to] }, stage: stages },
    order: 'belongMonth',
    lock: true,
  })

/**
 * Updates the normal lines of these enrolments in every open month: where they have a line, and where one of their
 * account already has lines.
 */
export async function recomputeOpen(
  work: ProcedureWork,
  family: Family,
  enrolmentIds: readonly (number | null)[],
): Promise<void> {
  const ids = await withColleagues(
    work,
    family,
    enrolmentIds.filter((id) => id !== null),
  )
  const enrolments = await work.read(enrolmentOf(family), { where: { id: ids } })
  await adoptLines(work, family, enrolments)
  const lines = await work.groups(expenseLineOf(family), {
    where: { enrolment: ids, stage: 'open', expenseType: 'normal' },
    by: ['enrolment', 'feeMonth'],
  })
  const summaries = await work.groups(expenseSummaryOf(family), {
    where: { account: enrolments.map(({ account }) => account), status: openSummary },
    by: ['account', 'feeMonth'],
  })
  const own = groupedBy(lines, ({ by }) => by.enrolment)
  const byAccount = groupedBy(summaries, ({ by }) => by.account)
  const months = new Map(
    enrolments.map(({ id, account }) => [
      id,
      new Set([...(own.get(id) ?? []), ...(byAccount.get(account) ?? [])].map(({ by }) => by.feeMonth)),
    ]),
  )
  for (const feeMonth of [...new Set([...months.values()].flatMap((each) => [...each]))].sort()) {
    const affected = enrolments.filter(({ id }) => months.get(id)!.has(feeMonth))
    await beginWhole(
      work,
      family,
      affected.map(({ account, customer, city }) => ({ feeMonth, account: account!, customer, city })),
    )
    await renewMonth(work, family, feeMonth, affected)
  }
}

/** @throws Refusal notAllowed if a line of the enrolment is locked. */
export async function refuseLocked(
  work: ProcedureWork,
  family: Family,
  enrolmentIds: readonly number[],
): Promise<void> {
  const where = { enrolment: enrolmentIds, stage: 'locked' } as const
  if (await work.first(expenseLineOf(family), { where, fields: ['stage'] })) work.refuseCall(lockedText)
}
