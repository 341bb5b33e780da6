import { sql } from 'kysely'
import { recompute } from '../../../../engine/server/records/effects.ts'
import { Refusal } from '../../../../engine/server/errors.ts'
import type { Context, Db } from '../../../../engine/server/runtime.ts'
import { insertRecords, softDelete } from '../../../../engine/server/records/write.ts'
import type { RecordData } from '../../../../engine/schema/model.ts'
import { column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { enrolmentOf, expenseLineOf, expenseSummaryOf, type Family } from '../handling/family.ts'
import { deliver } from './deliver.ts'
import { newLine, renewLines } from './renew.ts'
import { dropEmpty, isOpen, summariesFor } from './summaries.ts'

/** A line that a ticket makes: whose it is, the months, and per item what it comes to, as fields of the line. */
export interface LineDraft extends RecordData {
  person: number
  customer: number | null
  account: number
  city: string | null
  feeMonth: string
  belongMonth: string
  expenseType: 'supplement' | 'difference' | 'refund'
  sourceNo: string
}

/**
 * Makes lines of tickets in the months in which they were handled.
 * @throws Refusal notAllowed where such a month is locked.
 */
export async function writeTicketLines(
  context: Context,
  db: Db,
  family: Family,
  drafts: readonly LineDraft[],
): Promise<RecordData[]> {
  if (drafts.length === 0) return []
  const entity = entityOf(context, expenseLineOf(family))
  const people = new Map(
    (
      await readAll(
        context,
        db,
        'person',
        [
          isAnyOf(
            'id',
            drafts.map(({ person }) => person),
          ),
        ],
        ['name', 'idNumber'],
      )
    ).map((person) => [person.id!, person]),
  )
  const summaryOf = await summariesFor(context, db, family, drafts)
  const lines = drafts.map((draft): RecordData => {
    const summary = summaryOf(draft)
    if (!isOpen(summary))
      throw new Refusal('notAllowed', {
        text: { cn: `${draft.feeMonth}的费用已锁定`, en: `The expenses of ${draft.feeMonth} are locked` },
      })
    const { name, idNumber } = people.get(draft.person)!
    const record: RecordData = { ...newLine(family), ...draft, personName: name, idNumber, summary: summary.id! }
    recompute(context, entity, record)
    return record
  })
  await insertRecords(context, db, entity, lines)
  await deliver(context, db, family, lines)
  return lines
}

/** Lines that a ticket has made go again. @throws Refusal notAllowed where one of them is locked. */
export async function dropTicketLines(context: Context, db: Db, family: Family, sourceNo: string): Promise<void> {
  const lines = await readAll(
    context,
    db,
    expenseLineOf(family),
    [sql<boolean>`${column('sourceNo')} = ${sourceNo}`],
    undefined,
    true,
  )
  if (lines.some(({ stage }) => stage === 'locked'))
    throw new Refusal('notAllowed', {
      text: { cn: '已生成的费用已锁定，不能撤回', en: 'The lines that it made are locked' },
    })
  await deliver(
    context,
    db,
    family,
    lines.map((line) => ({ ...line, stage: 'void' })),
  )
  await softDelete(
    context,
    db,
    entityOf(context, expenseLineOf(family)),
    lines.map(({ id }) => id!),
  )
  await dropEmpty(context, db, family, [...new Set(lines.map(({ summary }) => summary as number))])
}

/** Lines of these persons by the months that they belong to, in the order of those; void ones are none. */
export async function linesFrom(
  context: Context,
  db: Db,
  family: Family,
  {
    persons,
    from,
    to = '9999-12',
    stages = ['open', 'locked'],
  }: { persons: readonly number[]; from: string; to?: string; stages?: readonly string[] },
): Promise<RecordData[]> {
  const lines = await readAll(
    context,
    db,
    expenseLineOf(family),
    [
      isAnyOf('person', persons),
      sql<boolean>`(${column('belongMonth')} between ${from} and ${to} and ${column('stage')} = any(${stages}::text[]))`,
    ],
    undefined,
    true,
  )
  return lines.sort((a, b) =>
    String(a.belongMonth) < String(b.belongMonth)
      ? -1
      : String(a.belongMonth) > String(b.belongMonth)
        ? 1
        : a.id! - b.id!,
  )
}

/**
 * The normal lines of these enrolments follow what they say now, in every month that is open: where they have a line,
 * and where one of their account is asked for already.
 */
export async function recomputeOpen(
  context: Context,
  db: Db,
  family: Family,
  enrolmentIds: readonly number[],
): Promise<void> {
  const enrolments = await readAll(context, db, enrolmentOf(family), [isAnyOf('id', enrolmentIds)])
  const lines = await readAll(
    context,
    db,
    expenseLineOf(family),
    [
      isAnyOf('enrolment', enrolmentIds),
      sql<boolean>`(${column('stage')} = 'open' and ${column('expenseType')} = 'normal')`,
    ],
    ['feeMonth', 'enrolment'],
  )
  const summaries = await readAll(
    context,
    db,
    expenseSummaryOf(family),
    [
      isAnyOf(
        'account',
        enrolments.map(({ account }) => account as number),
      ),
      sql<boolean>`${column('status')} in ('open', 'reconciling')`,
    ],
    ['feeMonth', 'account'],
  )
  const monthsOf = ({ id, account }: RecordData) =>
    [
      ...lines.filter(({ enrolment }) => enrolment === id),
      ...summaries.filter((summary) => summary.account === account),
    ].map(({ feeMonth }) => String(feeMonth))
  const months = new Map(enrolments.map((enrolment) => [enrolment.id, new Set(monthsOf(enrolment))]))
  for (const feeMonth of [...new Set([...months.values()].flatMap((own) => [...own]))].sort()) {
    await renewLines(
      context,
      db,
      family,
      feeMonth,
      enrolments.filter(({ id }) => months.get(id)!.has(feeMonth)),
    )
  }
}

/** @throws Refusal notAllowed where a line of the enrolment is locked. */
export async function refuseLocked(
  context: Context,
  db: Db,
  family: Family,
  enrolmentIds: readonly number[],
): Promise<void> {
  const locked = await readAll(
    context,
    db,
    expenseLineOf(family),
    [isAnyOf('enrolment', enrolmentIds), sql<boolean>`${column('stage')} = 'locked'`],
    ['stage'],
  )
  if (locked.length > 0)
    throw new Refusal('notAllowed', {
      text: { cn: '已生成的费用已锁定，不能撤回', en: 'The lines that it made are locked' },
    })
}
