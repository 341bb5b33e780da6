import { sql } from 'kysely'
import type { Entity, HistoryEntry, Label, RecordData, Value } from '../schema/model.ts'
import { changeTexts, type StoredChanges, unrecorded } from './changes.ts'
import { userEntity } from './identity.ts'
import { readReferences } from './references.ts'
import type { Context, Db } from './runtime.ts'
import { changedFields } from './stored.ts'

/** What a history row keeps: the revision it led to, and field → [before, after] in stored form. */
interface Change { revision: number; fields: StoredChanges }

/** In the transaction of the write itself. A record without changes is written too: somebody did something. */
export async function writeHistory(
  context: Context, db: Db, entity: Entity, action: string, record: RecordData, old: RecordData | null, plain: Iterable<string> = [],
): Promise<void> {
  const fields: Change['fields'] = {}
  for (const name of new Set([...changedFields(entity, old, record), ...plain])) {
    const field = entity.fields[name]
    if (field.computed?.kind === 'aggregate' || name in unrecorded) continue
    // That a secret changed is recorded; the secret is not.
    fields[name] = context.derived.widget(field).protect ? [null, null] : [old?.[name] ?? null, record[name] ?? null]
  }
  const change: Change = { revision: record.revision ?? 1, fields }
  await sql`insert into system_history (entity, record_id, action, user_id, at, changes)
    values (${entity.name}, ${record.id}, ${action}, ${context.user.id || null}, ${context.now}, ${JSON.stringify(change)}::jsonb)`.execute(db)
}

const standardActions: Record<string, Label> = {
  create: { cn: '新增', en: 'Create' }, update: { cn: '修改', en: 'Edit' }, delete: { cn: '删除', en: 'Delete' },
  restore: { cn: '恢复', en: 'Restore' }, import: { cn: '导入', en: 'Import' },
}

function labelOf(entity: Entity, action: string): Label {
  const transition = entity.states.map((machine) => machine.transitions[action]).find(Boolean)
  return transition?.label ?? entity.actions[action]?.label ?? standardActions[action] ?? { cn: action, en: action }
}

/** The newest first. The record itself must have been found visible. */
export async function readHistory(context: Context, db: Db, entity: Entity, id: number, page: number, size: number): Promise<{ list: HistoryEntry[]; total: number }> {
  const { rows } = await sql<{ id: number; action: string; user_id: number | null; at: string; changes: Change; total: number }>`
    select id, action, user_id, at, changes, count(*) over () as total from system_history
    where entity = ${entity.name} and record_id = ${id} order by id desc limit ${size} offset ${(page - 1) * size}`.execute(db)
  const users = new Set(rows.flatMap((row) => row.user_id ?? []))
  const names = await readReferences(context, db, new Map(context.derived.catalog.entities[userEntity] ? [[userEntity, users]] : []))
  const user = (userId: number | null) => userId === null ? null : { id: userId, name: names.get(userEntity)?.get(userId)?.name ?? '' }
  const changes = await changeTexts(context, db, entity, rows.map((row) => row.changes.fields))
  return {
    total: rows[0]?.total ?? 0,
    list: rows.map((row, index) => ({ id: row.id, at: row.at, by: user(row.user_id), action: row.action, label: labelOf(entity, row.action), changes: changes[index] })),
  }
}

/**
 * Field → what it was before the first change after `revision`, up to `current`.
 * Undefined where not every step in between left a trace, so that nobody can say what was changed.
 */
export async function changedSince(
  db: Db, entity: Entity, id: number, revision: number, current: number,
): Promise<{ fields: Record<string, Value>; by: number | null; at: string } | undefined> {
  const { rows } = await sql<{ changes: Change; user_id: number | null; at: string }>`
    select changes, user_id, at from system_history
    where entity = ${entity.name} and record_id = ${id} and (changes->>'revision')::integer > ${revision} order by id`.execute(db)
  if (rows.length < current - revision) return undefined
  const fields: Record<string, Value> = {}
  for (const { changes } of rows) {
    for (const [name, [before]] of Object.entries(changes.fields)) if (!Object.hasOwn(fields, name)) fields[name] = before
  }
  return { fields, by: rows[rows.length - 1].user_id, at: rows[rows.length - 1].at }
}
