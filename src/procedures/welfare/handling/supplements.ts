import { invalid } from '../../../../engine/server/errors.ts'
import { writeHistory } from '../../../../engine/server/records/history.ts'
import type { Context, Db, Procedure } from '../../../../engine/server/runtime.ts'
import { canonicalRecord, changedFields } from '../../../../engine/server/stored.ts'
import { insertRecords, softDelete } from '../../../../engine/server/records/write.ts'
import type { RecordData, Value } from '../../../../engine/schema/model.ts'
import { decimal, money, total, type Amount } from '../../settlement/amounts.ts'
import { changeRecord, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { dropTicketLines, writeTicketLines } from '../expenses/ticketLines.ts'
import { backPaid, problemsOf, type Asked } from './backPaid.ts'
import { familyOf, supplementMonthOf, type Family } from './family.ts'
import { askedFor, linesOf } from './supplementLines.ts'

/**
 * What the form takes of the person: months, items, base, what they come to month by month, and the late fee as of the
 * next day of payment.
 */
export const suggestWelfareSupplement: Procedure = async ({ context, db, entity, values, form }) => {
  const given = values as RecordData
  if (typeof given.person !== 'number') return { values: {} }
  const family = familyOf(context, entity)
  const typed = new Set(form!.typed)
  // Of another person other items, bases and rates are proposed, but what was typed stays.
  const isNew = typed.has('person')
  const kept = isNew
    ? Object.fromEntries(Object.entries(given).filter(([name]) => typed.has(name) || name === 'supplementType'))
    : given
  const {
    values: found,
    rows,
    lateFee,
  } = backPaid((await askedFor(context, db, family, [given]))(given), kept as RecordData)
  const all: Record<string, Value> = {
    ...found,
    monthly: rows as unknown as Value,
    ...(family.supplement?.lateFee === 'daily' && { lateFee }),
  }
  return { values: Object.fromEntries(Object.entries(all).filter(([name]) => !typed.has(name))) }
}

/**
 * A new or changed back-payment has its months with it. The late fee stays where somebody entered another than was
 * worked out.
 * @throws Refusal invalid.
 */
export const writeWelfareSupplement: Procedure = async ({ context, db, entity, records, before }) => {
  const family = familyOf(context, entity)
  const askedOf = await askedFor(context, db, family, records)
  for (const [index, record] of records.entries()) {
    const old = before?.[index]
    const isEntered = !isSame(record.lateFee, old ? old.lateFee : null)
    await work(context, db, entity, record, askedOf(record), isEntered)
  }
}

const isSame = (one: Value | undefined, other: Value | undefined): boolean =>
  (one ?? null) === null || (other ?? null) === null
    ? (one ?? null) === (other ?? null)
    : decimal(one as Amount).equals(decimal(other as Amount))

async function work(
  context: Context,
  db: Db,
  entity: string,
  record: RecordData,
  asked: Asked,
  keepsLateFee: boolean,
): Promise<void> {
  const { family } = asked.fitting
  const { values, rows, lateFee } = backPaid(asked, record)
  const problems = problemsOf(asked, { ...record, ...values } as RecordData)
  if (problems.length > 0) throw invalid(problems)
  const isDaily = family.supplement?.lateFee === 'daily'
  await changeRecord(context, db, entityOf(context, entity), record, {
    ...values,
    ...(isDaily && !keepsLateFee && { lateFee }),
  } as RecordData)
  const monthly = entityOf(context, supplementMonthOf(family))
  const former = await readAll(context, db, monthly.name, [isAnyOf('supplement', [record.id!])], undefined, true)
  // What comes to the same stays as it is.
  const isSameRow = (old: RecordData, row: object) =>
    changedFields(monthly, old, canonicalRecord(context, monthly, { ...old, ...row })).length === 0
  if (former.length === rows.length && former.every((old, index) => isSameRow(old, rows[index]))) return
  await softDelete(
    context,
    db,
    monthly,
    former.map(({ id }) => id!),
  )
  await insertRecords(
    context,
    db,
    monthly,
    rows.map((row) => ({ ...row, supplement: record.id! })),
  )
}

/** The late fee as of today, whatever was entered. */
export const recalculateWelfareLateFee: Procedure = async ({ context, db, entity, records }) => {
  const askedOf = await askedFor(context, db, familyOf(context, entity), records)
  for (const record of records) {
    const old = { ...record }
    await work(context, db, entity, record, askedOf(record), false)
    await writeHistory(context, db, entityOf(context, entity), 'recalculate', record, old)
  }
}

/**
 * It is handled today: so late is each month, unless a late fee of the bureau's was entered. Each month is a line in
 * the month of handling.
 */
export const succeedWelfareSupplement: Procedure = async ({ context, db, entity, records, before }) => {
  const family = familyOf(context, entity)
  const askedOf = await askedFor(context, db, family, records, context.now.slice(0, 10))
  for (const [index, record] of records.entries()) {
    const estimated = money(
      total((await monthsOf(context, db, family, record)).map(({ lateFee }) => decimal(lateFee as Amount))),
    )
    const isEntered = !isSame(record.lateFee, before?.[index]?.lateFee) || !isSame(record.lateFee, estimated)
    const asked = askedOf(record)
    await work(context, db, entity, record, asked, isEntered)
    await writeTicketLines(
      context,
      db,
      family,
      linesOf(family, record, await monthsOf(context, db, family, record), asked.enrolment),
    )
  }
}

/** As before it was handled. @throws Refusal notAllowed where a line of it is locked. */
export const revokeWelfareSupplement: Procedure = async ({ context, db, entity, records }) => {
  for (const { ticketNo } of records) await dropTicketLines(context, db, familyOf(context, entity), String(ticketNo))
}

const monthsOf = (context: Context, db: Db, family: Family, { id }: RecordData): Promise<RecordData[]> =>
  readAll(context, db, supplementMonthOf(family), [isAnyOf('supplement', [id!])])
