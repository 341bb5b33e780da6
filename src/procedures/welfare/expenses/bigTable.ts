import { sql } from 'kysely'
import { recompute } from '../../../../engine/server/records/effects.ts'
import { Refusal } from '../../../../engine/server/errors.ts'
import type { Context, Db, Procedure } from '../../../../engine/server/runtime.ts'
import { updateRecords } from '../../../../engine/server/records/write.ts'
import type { Foreseen, Label, RecordData } from '../../../../engine/schema/model.ts'
import { changeRecord, column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { expenseLineOf, expenseSummaryOf, familyOf, type Family } from '../handling/family.ts'
import { deliver } from './deliver.ts'
import { isOpen, summariesFor } from './summaries.ts'

/**
 * A line that only the bureau's table has: its person, where there is one with that number, and the summary that it
 * belongs to.
 * @throws Refusal notAllowed.
 */
export const placeExpenses: Procedure = async ({ context, db, entity, records }) => {
  const family = familyOf(context, entity)
  const people = await readAll(
    context,
    db,
    'person',
    [sql<boolean>`${column('idNumber')} = any(${records.map(({ idNumber }) => String(idNumber))}::text[])`],
    ['idNumber', 'customer', 'serviceContract', 'supportStaff'],
  )
  const accounts = await readAll(
    context,
    db,
    'policyAccount',
    [
      isAnyOf(
        'id',
        records.map(({ account }) => account as number),
      ),
    ],
    ['customer', 'city', 'policy'],
  )
  const placed = records.map((line) => {
    const person = people.find(({ idNumber }) => idNumber === line.idNumber)
    const account = accounts.find(({ id }) => id === line.account)!
    return {
      line,
      person,
      account,
      key: {
        feeMonth: String(line.feeMonth),
        account: line.account as number,
        customer: (person?.customer ?? account.customer ?? null) as number | null,
        city: account.city as string | null,
      },
    }
  })
  const summaryOf = await summariesFor(
    context,
    db,
    family,
    placed.map(({ key }) => key),
  )
  for (const { line, person, account, key } of placed) {
    const summary = summaryOf(key)
    if (!isOpen(summary))
      throw new Refusal('notAllowed', {
        text: { cn: `${key.feeMonth}已锁定，不能导入`, en: `${key.feeMonth} is locked` },
      })
    await changeRecord(context, db, entityOf(context, entity), line, {
      summary: summary.id!,
      customer: key.customer,
      city: key.city,
      policy: account.policy,
      person: person?.id ?? null,
      serviceContract: person?.serviceContract ?? null,
      supportStaff: person?.supportStaff ?? null,
    })
  }
}

/**
 * Rows of back-payments that no line answers. Whoever the system does not know at all becomes a line of its own; whom
 * it knows has no such back-payment: the months that there are, are told.
 */
export const foreseeBackPayments: Procedure = async ({ context, db, entity, records, before }) => {
  const unanswered = records.filter((_, index) => !before?.[index])
  if (unanswered.length === 0) return { rows: records.map(() => ({})) }
  const numbers = unanswered.map(({ idNumber }) => String(idNumber))
  const known = new Set(
    (
      await readAll(
        context,
        db,
        'person',
        [sql<boolean>`${column('idNumber')} = any(${numbers}::text[])`],
        ['idNumber'],
      )
    ).map(({ idNumber }) => idNumber),
  )
  const lines = await readAll(
    context,
    db,
    expenseLineOf(familyOf(context, entity)),
    [
      isAnyOf(
        'account',
        unanswered.map(({ account }) => account as number),
      ),
      sql<boolean>`(${column('idNumber')} = any(${numbers}::text[]) and ${column('expenseType')} = 'supplement' and ${column('stage')} <> 'void')`,
    ],
    ['account', 'idNumber', 'feeMonth', 'belongMonth', 'sourceNo'],
  )
  const rows = records.map((record, index): Foreseen => {
    if (before?.[index] || !known.has(record.idNumber)) return {}
    const there = lines.filter(
      ({ account, idNumber, feeMonth }) =>
        account === record.account && idNumber === record.idNumber && feeMonth === record.feeMonth,
    )
    return { problems: [{ field: 'belongMonth', code: 'backPayment', message: noBackPayment(there) }] }
  })
  return { rows }
}

function noBackPayment(lines: readonly RecordData[]): Label {
  const periods = [...new Set(lines.map(({ sourceNo }) => sourceNo))].map((ticket) =>
    lines
      .filter(({ sourceNo }) => sourceNo === ticket)
      .map(({ belongMonth }) => String(belongMonth))
      .sort(),
  )
  const said = (between: string) =>
    periods.map((months) => (months.length === 1 ? months[0] : `${months[0]}${between}${months.at(-1)}`))
  return {
    cn: `未找到对应的补缴记录${periods.length > 0 ? `：该人员的补缴为${said('至').join('、')}` : ''}`,
    en: `No matching back-payment${periods.length > 0 ? `: the person's is of ${said(' to ').join(', ')}` : ''}`,
  }
}

/**
 * Lines of the same accounts and months that a table of this kind is about: with a table of their own for
 * back-payments, those apart.
 */
async function beside(context: Context, db: Db, family: Family, lines: readonly RecordData[]): Promise<RecordData[]> {
  const pairs = [...new Set(lines.map(({ account, feeMonth }) => `${String(account)} ${String(feeMonth)}`))]
  const isSupplement = lines.some(({ expenseType }) => expenseType === 'supplement')
  const found = await readAll(
    context,
    db,
    expenseLineOf(family),
    [
      isAnyOf(
        'account',
        lines.map(({ account }) => account as number),
      ),
      sql<boolean>`(${column('feeMonth')} = any(${lines.map(({ feeMonth }) => String(feeMonth))}::text[]) and ${column('stage')} = 'open')`,
    ],
    undefined,
    true,
  )
  const isMeant = ({ expenseType }: RecordData) =>
    !family.expense.masks.includes(2) || (expenseType === 'supplement') === isSupplement
  return found.filter((line) => pairs.includes(`${String(line.account)} ${String(line.feeMonth)}`) && isMeant(line))
}

const nothing = ({ items, base, supplement }: Family): RecordData => ({
  actualTotal: null,
  ...(base.mode === 'shared' && { actualBase: null }),
  ...(supplement?.lateFee === 'daily' && { actualLateFee: null }),
  ...Object.fromEntries(
    items.flatMap(({ key, hasCompany, hasPersonal }) =>
      [
        ...(base.mode === 'perItem' ? [`${key}ActualBase`] : []),
        ...(hasCompany ? [`${key}ActualCompany`] : []),
        ...(hasPersonal ? [`${key}ActualPersonal`] : []),
      ].map((name) => [name, null]),
    ),
  ),
})

/**
 * After a table of the bureau was read in: what it does not have is missing, and figures of a table before it are gone.
 * After it was undone: nothing is compared with it any more.
 */
export const reconcileExpenses: Procedure = async ({ context, db, entity, records, before: undone }) => {
  const before = undone as RecordData[] | undefined
  const family = familyOf(context, entity)
  const lineEntity = entityOf(context, entity)
  const read = new Set(before ? [] : records.map(({ id }) => id!))
  const others = (await beside(context, db, family, before ?? records)).filter(({ id }) => !read.has(id!))
  const tickets = new Set(before ? [] : records.flatMap(({ supplement }) => supplement ?? []))
  const changed = others.map((old) => ({
    old,
    record: {
      ...old,
      ...nothing(family),
      ...(tickets.has(old.supplement ?? null) ? contained(family, old) : absence(old, before !== undefined)),
    } as RecordData,
  }))
  for (const { record } of changed) recompute(context, lineEntity, record)
  await updateRecords(context, db, lineEntity, changed)
  await deliver(
    context,
    db,
    family,
    changed.flatMap(({ record }) => (record.stage === 'void' ? [record] : [])),
  )
  await noteTable(context, db, family, [...records, ...(before ?? []), ...others], {
    isSupplement: (before ?? records).some(({ expenseType }) => expenseType === 'supplement'),
    isUndone: before !== undefined,
  })
}

/**
 * The table has the months of a back-payment in one row, at the first of them: the others are as they are due, what
 * differs stands at the first.
 */
const contained = ({ items, supplement }: Family, line: RecordData): RecordData => ({
  ...Object.fromEntries(
    items.flatMap(({ key, hasCompany, hasPersonal }) =>
      [...(hasCompany ? ['Company'] : []), ...(hasPersonal ? ['Personal'] : [])].map((side) => [
        `${key}Actual${side}`,
        line[`${key}${side}`] ?? null,
      ]),
    ),
  ),
  ...(supplement?.lateFee === 'daily' && { actualLateFee: line.lateFee ?? null }),
  actualTotal: line.total ?? null,
  reconcileStatus: 'matched',
})

/** What a line that the table does not have becomes. */
function absence({ reconcileStatus, adjustReason, enrolment, sourceNo }: RecordData, isUndone: boolean): RecordData {
  if (isUndone)
    return reconcileStatus === 'accepted' || (adjustReason ?? null) !== null ? {} : { reconcileStatus: 'unchecked' }
  if ((enrolment ?? null) === null && (sourceNo ?? null) === null) return { stage: 'void' }
  // The bureau has taken nothing of it.
  return { reconcileStatus: 'missing', actualTotal: '0.00' }
}

async function noteTable(
  context: Context,
  db: Db,
  family: Family,
  lines: readonly RecordData[],
  { isSupplement, isUndone }: { isSupplement: boolean; isUndone: boolean },
): Promise<void> {
  const entity = entityOf(context, expenseSummaryOf(family))
  const field = isSupplement && family.expense.masks.includes(2) ? 'bigTableSupplementAt' : 'bigTableAt'
  const summaries = await readAll(
    context,
    db,
    entity.name,
    [
      isAnyOf('id', [...new Set(lines.map(({ summary }) => (summary ?? null) as number | null))]),
      sql<boolean>`${column('status')} in ('open', 'reconciling')`,
    ],
    [field, 'status'],
    true,
  )
  for (const summary of summaries)
    await changeRecord(context, db, entity, summary, { [field]: isUndone ? null : context.now, status: 'reconciling' })
}
