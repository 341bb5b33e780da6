import { sql } from 'kysely'
import type { Entity, RecordData, Value } from '../../model/model.ts'
import { durationOf } from './durationOf.ts'
import { type StoredChanges, unrecorded } from './reading/changes.ts'
import { ownChanges } from './reading/formerChanges.ts'
import type { Context, Db } from '../runtime.ts'
import { changedFields } from './reading/canonical.ts'
import { byEntity, type Change } from './Change.ts'
import { nameOf } from './nameOf.ts'
import type { Work } from './Work.ts'

/**
 * A row of history: the revisions before and after, several revisions apart if a procedure continued the same save, and
 * field → [before, after] in stored form.
 */
interface StoredChange {
  from?: number
  revision: number
  fields: StoredChanges
}

/** The action of a record created by another change: its values are in the record, not in history. */
export const appendedAction = 'append'

/** In the transaction of the write itself. A record without changes gets an entry too, because a user acted on it. */
export async function recordHistory({ context, db }: Work, changes: readonly Change[]): Promise<void> {
  for (const [entity, group] of byEntity(changes)) await writeHistories(context, db, entity, group)
}

/** A PostgreSQL value can only contain so much JSON. */
const mostRows = 20_000

/** The same for many writes at once. */
export async function writeHistories(
  context: Context,
  db: Db,
  entity: Entity,
  writes: readonly Pick<Change, 'action' | 'record' | 'old' | 'plain'>[],
): Promise<void> {
  if (writes.length === 0) return
  const rows = writes.map(({ action, record, old, plain }) => ({
    action,
    record_id: record.id,
    label: nameOf(context, entity, record),
    changes:
      action === appendedAction
        ? { from: 0, revision: 1, fields: {} }
        : changeOf(context, entity, record, old, plain ?? []),
  }))
  const { ip = null, client = null } = context.origin ?? {}
  const work = await workId(context, db)
  for (let start = 0; start < rows.length; start += mostRows) {
    const batch = JSON.stringify(rows.slice(start, start + mostRows))
    await sql`insert into system_history (entity, area, record_id, label, action, user_id, at, changes, ip, client, duration, work, act)
      select ${entity.name}, ${entity.area}, record_id, label, action, ${context.user.id || null}::bigint, ${context.now}::timestamp(0), changes, ${ip}, ${client}, ${durationOf(context)}::integer, ${work}::bigint, ${context.act?.first ?? null}::bigint
      from jsonb_to_recordset(${batch}::jsonb) as source (record_id bigint, label text, action text, changes jsonb)`.execute(
      db,
    )
  }
}

/** The id of the current work, created by its first write; null outside a work. */
async function workId(context: Context, db: Db): Promise<number | null> {
  const { work } = context
  if (!work) return null
  if (work.id === undefined) {
    const {
      rows: [{ id }],
    } = await sql<{ id: number }>`insert into system_work (cause, user_id, at, ip, client, act)
      values (${work.cause}, ${context.user.id || null}, ${context.now}, ${context.origin?.ip ?? null}, ${context.origin?.client ?? null}, ${context.act?.first ?? null}) returning id`.execute(
      db,
    )
    work.id = id
  }
  return work.id
}

function changeOf(
  context: Context,
  entity: Entity,
  record: RecordData,
  old: RecordData | null,
  plain: Iterable<string>,
): StoredChange {
  const fields: StoredChange['fields'] = {}
  for (const name of new Set([...changedFields(entity, old, record), ...plain])) {
    const field = entity.fields[name]
    if ((field.computed && field.computed.kind !== 'formula') || name in unrecorded) continue
    // History records that a secret changed, but not the secret.
    fields[name] = context.derived.widget(field).protect ? [null, null] : [old?.[name] ?? null, record[name] ?? null]
  }
  return { from: old?.revision ?? 0, revision: record.revision ?? 1, fields }
}

const mostSteps = 50

/**
 * Field → its value before the first change after `revision`, up to `current`. Undefined if a step in between has no
 * entry, so that the changes are unknown, or one that is not for this user, because the record had another owner; or
 * if they are too many to be read.
 */
export async function changedSince(
  context: Context,
  db: Db,
  entity: Entity,
  { id, revision, current }: { id: number; revision: number; current: number },
): Promise<{ fields: Record<string, Value>; by: number | null; at: string } | undefined> {
  const own = ownChanges(context, entity, 'h')
  const isOwn = own ? sql`(${own.theirs} and not ${own.arrived})` : sql`true`
  const { rows } = await sql<{ changes: StoredChange; user_id: number | null; at: string; own: boolean }>`
    select changes, user_id, at, ${isOwn} as own from system_history as h
    where entity = ${entity.name} and record_id = ${id} and (changes->>'revision')::integer > ${revision}
    order by id limit ${mostSteps + 1}`.execute(db)
  if (rows.length > mostSteps) return undefined
  if (rows.some((row) => !row.own)) return undefined
  let reached = revision
  for (const {
    changes: { from, revision: to },
  } of rows) {
    if ((from ?? to - 1) > reached) return undefined
    reached = to
  }
  if (reached < current) return undefined
  const fields: Record<string, Value> = {}
  for (const { changes } of rows) {
    for (const [name, [before]] of Object.entries(changes.fields))
      if (!Object.hasOwn(fields, name)) fields[name] = before
  }
  return { fields, by: rows[rows.length - 1].user_id, at: rows[rows.length - 1].at }
}
