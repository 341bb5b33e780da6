import { sql } from 'kysely'
import { loggedOperations } from '../schema/log.ts'
import type { Entity, HistoryEntry, Label, RecordData, Value } from '../schema/model.ts'
import { changeTexts, type StoredChanges, unrecorded } from './changes.ts'
import { userEntity } from './identity.ts'
import { readReferences } from './references.ts'
import type { Context, Db } from './runtime.ts'
import { changedFields } from './stored.ts'
import { textOf } from './words.ts'

/**
 * What a history row keeps: the revisions it led from and to, several apart where a procedure went on with the same
 * save, and field → [before, after] in stored form.
 */
interface Change {
  from?: number
  revision: number
  fields: StoredChanges
}

/** In the transaction of the write itself. A record without changes is written too: somebody did something. */
export const writeHistory = (
  context: Context,
  db: Db,
  entity: Entity,
  action: string,
  record: RecordData,
  old: RecordData | null,
  plain: Iterable<string> = [],
): Promise<void> => writeHistories(context, db, entity, [{ action, record, old }], plain)

/** The same for many writes at once. */
export async function writeHistories(
  context: Context,
  db: Db,
  entity: Entity,
  writes: readonly { action: string; record: RecordData; old: RecordData | null }[],
  plain: Iterable<string> = [],
): Promise<void> {
  if (writes.length === 0) return
  const rows = writes.map(({ action, record, old }) => ({
    action,
    record_id: record.id,
    label: nameOf(context, entity, record),
    changes: changeOf(context, entity, record, old, plain),
  }))
  const { ip = null, client = null } = context.origin ?? {}
  await sql`insert into system_history (entity, area, record_id, label, action, user_id, at, changes, ip, client)
    select ${entity.name}, ${entity.area}, record_id, label, action, ${context.user.id || null}::bigint, ${context.now}::timestamp(0), changes, ${ip}, ${client}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as source (record_id bigint, label text, action text, changes jsonb)`.execute(
    db,
  )
}

/** What the record was called then, for a log that outlives it; nothing where not everybody may know. */
export function nameOf(context: Context, entity: Entity, record: RecordData): string | null {
  const field = entity.fields[entity.display]
  const isOpen =
    !entity.single && !field.sensitive && !context.derived.widget(field).protect && !context.derived.target(field)
  return (isOpen && textOf({ ...context, language: 'cn' }, field, record[field.name])) || null
}

function changeOf(
  context: Context,
  entity: Entity,
  record: RecordData,
  old: RecordData | null,
  plain: Iterable<string>,
): Change {
  const fields: Change['fields'] = {}
  for (const name of new Set([...changedFields(entity, old, record), ...plain])) {
    const field = entity.fields[name]
    if ((field.computed && field.computed.kind !== 'formula') || name in unrecorded) continue
    // That a secret changed is recorded; the secret is not.
    fields[name] = context.derived.widget(field).protect ? [null, null] : [old?.[name] ?? null, record[name] ?? null]
  }
  return { from: old?.revision ?? 0, revision: record.revision ?? 1, fields }
}

function labelOf(entity: Entity, action: string): Label {
  const transition = entity.states.map((machine) => machine.transitions[action]).find(Boolean)
  return transition?.label ?? entity.actions[action]?.label ?? loggedOperations[action] ?? { cn: action, en: action }
}

/** The newest first. The record itself must have been found visible. */
export async function readHistory(
  context: Context,
  db: Db,
  entity: Entity,
  id: number,
  page: number,
  size: number,
): Promise<{ list: HistoryEntry[]; total: number }> {
  const { rows } = await sql<{
    id: number
    action: string
    user_id: number | null
    at: string
    changes: Change
    total: number
  }>`
    select id, action, user_id, at, changes, count(*) over () as total from system_history
    where entity = ${entity.name} and record_id = ${id} and changes->>'aside' is null order by id desc limit ${size} offset ${(page - 1) * size}`.execute(
    db,
  )
  const users = new Set(rows.flatMap((row) => row.user_id ?? []))
  const names = await readReferences(
    context,
    db,
    new Map(context.derived.catalog.entities[userEntity] ? [[userEntity, users]] : []),
  )
  const user = (userId: number | null) =>
    userId === null ? null : { id: userId, name: names.get(userEntity)?.get(userId)?.name ?? '' }
  const changes = await changeTexts(
    context,
    db,
    entity,
    rows.map((row) => row.changes.fields),
  )
  return {
    total: rows[0]?.total ?? 0,
    list: rows.map((row, index) => ({
      id: row.id,
      at: row.at,
      by: user(row.user_id),
      action: row.action,
      label: labelOf(entity, row.action),
      changes: changes[index],
    })),
  }
}

/**
 * Field → what it was before the first change after `revision`, up to `current`.
 * Undefined where not every step in between left a trace, so that nobody can say what was changed.
 */
export async function changedSince(
  db: Db,
  entity: Entity,
  id: number,
  revision: number,
  current: number,
): Promise<{ fields: Record<string, Value>; by: number | null; at: string } | undefined> {
  const { rows } = await sql<{ changes: Change; user_id: number | null; at: string }>`
    select changes, user_id, at from system_history
    where entity = ${entity.name} and record_id = ${id} and (changes->>'revision')::integer > ${revision} order by id`.execute(
    db,
  )
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
