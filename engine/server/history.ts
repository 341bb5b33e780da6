import { sql } from 'kysely'
import type { Entity, Field, HistoryEntry, Label, RecordData, Value } from '../schema/model.ts'
import { seesWhole } from './access.ts'
import { userEntity } from './identity.ts'
import { idsOf, readReferences, referenceOf, type ReferenceValues } from './references.ts'
import type { Context, Db } from './runtime.ts'
import { changedFields, isEqual } from './stored.ts'
import { masked, textOf, withMaskedChanges } from './words.ts'

/** What a history row keeps: the revision it led to, and field → [before, after] in stored form. */
interface Change { revision: number; fields: Record<string, [Value, Value]> }

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

const unrecorded = { createdBy: 1, createdAt: 1, updatedBy: 1, updatedAt: 1 }

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
  const names = await referencesIn(context, db, entity, rows)
  const user = (userId: number | null) => userId === null ? null : { id: userId, name: names.get(userEntity)?.get(userId)?.name ?? '' }
  return {
    total: rows[0]?.total ?? 0,
    list: rows.map((row) => ({
      id: row.id, at: row.at, by: user(row.user_id), action: row.action, label: labelOf(entity, row.action),
      // In the order of the fields, which JSON in the database forgets. What left the catalog stays there, untold.
      changes: Object.values(entity.fields).filter(({ name }) => Object.hasOwn(row.changes.fields, name)).map((field) => {
        const [before, after] = row.changes.fields[field.name]
        const [old, next] = changeTexts(context, entity, field, before, after, names)
        return { field: field.name, label: field.label, old, new: next }
      }),
    })),
  }
}

/** Every record that these changes name, and who made them: one query for each entity. */
async function referencesIn(context: Context, db: Db, entity: Entity, rows: { user_id: number | null; changes: Change }[]): Promise<ReferenceValues> {
  const wanted = new Map<string, Set<number>>()
  const want = (name: string, ids: number[]) => {
    if (context.derived.catalog.entities[name]) wanted.set(name, new Set([...wanted.get(name) ?? [], ...ids]))
  }
  const collect = (owner: Entity, name: string, value: Value) => {
    const target = owner.fields[name] && context.derived.target(owner.fields[name])
    if (!target) return
    if (!target.rows) return want(target.entity.name, idsOf(value))
    for (const row of (value ?? []) as RecordData[]) for (const [cell, inner] of Object.entries(row)) collect(target.entity, cell, inner ?? null)
  }
  want(userEntity, rows.flatMap((row) => row.user_id ?? []))
  for (const { changes } of rows) for (const [name, pair] of Object.entries(changes.fields)) for (const value of pair) collect(entity, name, value)
  return readReferences(context, db, wanted)
}

function changeTexts(context: Context, entity: Entity, field: Field, before: Value, after: Value, names: ReferenceValues): [string, string] {
  const target = context.derived.target(field)
  if (target?.rows) {
    const { by } = target.rows
    // Only the rows that differ: who changed one of ten contacts is not shown nine others.
    const [first, second] = [before, after].map((value) => (value ?? []) as RecordData[])
    const only = (rows: RecordData[], others: RecordData[]) => rows.filter((row) => !others.some((other) => isEqual(cells(row), cells(other))))
    const cells = (row: RecordData) => ({ ...row, revision: null, updatedAt: null, updatedBy: null })
    const text = (rows: RecordData[]) => rows.map((row) => rowText(context, target.entity, row, by, names)).join('\n')
    return [text(only(first, second)), text(only(second, first))]
  }
  return [valueText(context, entity, field, before, names), valueText(context, entity, field, after, names)]
}

function rowText(context: Context, entity: Entity, row: RecordData, by: string, names: ReferenceValues): string {
  return Object.values(entity.fields).filter((field) => field.name !== by && !(field.name in unrecorded))
    .map((field) => valueText(context, entity, field, row[field.name] ?? null, names)).filter(Boolean).join(' / ')
}

export function valueText(context: Context, entity: Entity, field: Field, value: Value, names: ReferenceValues): string {
  if (context.derived.widget(field).protect) return '******'
  if (value === null) return ''
  const target = context.derived.target(field)
  if (target && !target.rows) return textOf(context, field, referenceOf(names, target.entity.name, value))
  const shown = seesWhole(context, entity, field) ? withMaskedChanges(context, entity, value) : masked(context, field, value)
  return typeof shown === 'string' && shown !== value ? shown : textOf(context, field, shown)
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
