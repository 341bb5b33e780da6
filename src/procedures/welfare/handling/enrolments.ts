import { sql } from 'kysely'
import { accept } from '../../../../engine/server/accept.ts'
import { recompute } from '../../../../engine/server/records/effects.ts'
import { invalid, Refusal } from '../../../../engine/server/errors.ts'
import { writeHistories } from '../../../../engine/server/records/history.ts'
import type { Context, Db } from '../../../../engine/server/runtime.ts'
import { insertRecords } from '../../../../engine/server/records/write.ts'
import type { RecordData, Value } from '../../../../engine/schema/model.ts'
import { changeRecord, column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { enrolmentOf, type Family } from './family.ts'

/** The enrolments of these persons that have not ended, by person. */
export async function presentEnrolments(
  context: Context,
  db: Db,
  family: Family,
  persons: readonly number[],
): Promise<Map<number, RecordData>> {
  const found = await readAll(context, db, enrolmentOf(family), [
    isAnyOf('person', persons),
    sql<boolean>`${column('status')} <> 'stopped'`,
  ])
  return new Map(found.map((enrolment) => [enrolment.person as number, enrolment]))
}

/**
 * Those of the persons whom records are about, by person.
 * @throws Refusal invalid where one of them is not enrolled.
 */
export async function demandEnrolled(
  context: Context,
  db: Db,
  family: Family,
  records: readonly RecordData[],
): Promise<(record: RecordData) => RecordData> {
  const found = await presentEnrolments(
    context,
    db,
    family,
    records.map(({ person }) => person as number),
  )
  if (records.some(({ person }) => found.get(person as number)?.status !== 'enrolled')) {
    throw invalid([
      { field: 'person', code: 'enrolment', message: { cn: '该人员未参保', en: 'The person is not enrolled' } },
    ])
  }
  return ({ person }) => found.get(person as number)!
}

/** Changes an enrolment, with its history. @throws Refusal notAllowed where it is in none of these states. */
export async function changeEnrolment(
  context: Context,
  db: Db,
  family: Family,
  id: Value | undefined,
  states: readonly string[],
  changes: (enrolment: RecordData) => Record<string, Value>,
): Promise<RecordData> {
  const entity = entityOf(context, enrolmentOf(family))
  const [found] = await readAll(context, db, entity.name, [isAnyOf('id', [id as number])], undefined, true)
  if (!found || !states.includes(String(found.status)))
    throw new Refusal('notAllowed', { text: { cn: '该人员的参保状态已变化', en: 'The enrolment has changed since' } })
  const old = { ...found }
  await changeRecord(context, db, entity, found, changes(found) as RecordData)
  await writeHistories(context, db, entity, [{ action: 'update', record: found, old }])
  return old
}

/** A ticket that the system makes of what it knows. @throws Refusal notAllowed where the person has an open one. */
export async function makeTicket(
  context: Context,
  db: Db,
  name: string,
  values: Record<string, Value>,
): Promise<RecordData> {
  const entity = entityOf(context, name)
  const [open] = await readAll(
    context,
    db,
    name,
    [
      isAnyOf('person', [values.person as number]),
      sql<boolean>`${column('status')} in ('pending', 'processing', 'returned', 'failed')`,
    ],
    ['ticketNo'],
  )
  if (open)
    throw new Refusal('notAllowed', {
      text: {
        cn: `该人员有办理中的任务${String(open.ticketNo)}`,
        en: `The person has a ticket in process: ${String(open.ticketNo)}`,
      },
    })
  const record: RecordData = { ...accept(context, entity, {}, null).record, ...values, status: 'pending' }
  recompute(context, entity, record)
  await insertRecords(context, db, entity, [record])
  await writeHistories(context, db, entity, [{ action: 'create', record, old: null }])
  return record
}
