import { fieldInRows } from '../../../model/model.ts'
import { textIn } from '../../../model/language.ts'
import type { ByType, ChangeText, Entity, Field, Label, RecordData, Value } from '../../../model/model.ts'
import { logEntityField } from '../../../schema/language/log.ts'
import { hidden } from '../../../expression/worded.ts'
import { fill } from '../../errors.ts'
import { idsOf, readReferences, referenceOf, type ReferenceValues } from './references.ts'
import type { Context, Db } from '../../runtime.ts'
import { equalityKey, isRecord } from './canonical.ts'
import { textSeen } from './words.ts'

/** Field → [before, after], in stored form. */
export type StoredChanges = Record<string, [Value, Value]>

/** Fields of every record that are not shown in its history. */
export const unrecorded = { createdBy: 1, createdAt: 1, updatedBy: 1, updatedAt: 1 }

export const holdsChanges = ({ derived }: Pick<Context, 'derived'>, field: Field): boolean =>
  derived.widget(field).changes?.(field.options) ?? false

/** The entity whose changes a record contains: its own, or that of the record it is about. */
export const changedEntity = ({ derived }: Pick<Context, 'derived'>, entity: Entity): Entity =>
  entity.scope && 'via' in entity.scope ? derived.target(entity.fields[entity.scope.via[0]])!.entity : entity

/** The entity that each log entry is about, if it still exists. */
export const loggedEntity = ({ derived }: Pick<Context, 'derived'>, record: RecordData): Entity | undefined =>
  derived.catalog.entities[String(record[logEntityField])]

/**
 * Each of these changes as this user may read it, in the request's language: one query for each entity that they refer
 * to, however many changes.
 */
export async function changeTexts(
  context: Context,
  db: Db,
  entity: Entity,
  changes: readonly StoredChanges[],
): Promise<ChangeText[][]> {
  const names = await readReferences(context, db, namedIn(context, entity, changes))
  return changes.map((change) => textsOf(context, entity, change, names))
}

/**
 * In field order, which JSON in the database does not preserve. Fields removed from the catalog stay stored but are not
 * shown; nor is the fact that changes were stored.
 */
const textsOf = (context: Context, entity: Entity, changes: StoredChanges, names: ReferenceValues): ChangeText[] =>
  Object.values(entity.fields)
    .filter((field) => Object.hasOwn(changes, field.name) && !holdsChanges(context, field))
    .map((field) => {
      const [old, next] = pairTexts(context, entity, field, ...changes[field.name], names)
      return { field: field.name, label: field.label, old, new: next }
    })

/** Every record that these changes refer to. */
function namedIn(context: Context, entity: Entity, changes: readonly StoredChanges[]): Map<string, Set<number>> {
  const wanted = new Map<string, Set<number>>()
  const collect = (owner: Entity, name: string, value: Value) => {
    const target = owner.fields[name] && context.derived.target(owner.fields[name])
    if (!target) return
    if (!target.rows) {
      const ids = wanted.get(target.entity.name) ?? wanted.set(target.entity.name, new Set()).get(target.entity.name)!
      for (const id of idsOf(value)) ids.add(id)
      return
    }
    for (const row of (value ?? []) as RecordData[])
      for (const [cell, inner] of Object.entries(row)) collect(target.entity, cell, inner ?? null)
  }
  for (const change of changes)
    for (const [name, pair] of Object.entries(change)) for (const value of pair) collect(entity, name, value)
  return wanted
}

/** A field's value as stored changes; empty if it is something else. */
export const storedChanges = (value: Value): StoredChanges =>
  Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).filter(([, pair]) => Array.isArray(pair) && pair.length === 2),
  ) as StoredChanges

/** The most rows that one change describes: nobody reads more, and a page has many changes. */
const mostRows = 50
const further: Label = { cn: '另有{n}行', en: 'and {n} more {n|row|rows}' }

function pairTexts(
  context: Context,
  entity: Entity,
  field: Field,
  before: Value,
  after: Value,
  names: ReferenceValues,
): [string, string] {
  const target = context.derived.target(field)
  if (target?.rows) {
    const { by, byType } = target.rows
    // Only rows that differ: a change of one contact of ten does not show the other nine.
    const [first, second] = [before, after].map((value) => (value ?? []) as RecordData[])
    const keys = [first, second].map((rows) =>
      rows.map((row) => equalityKey({ ...row, revision: null, updatedAt: null, updatedBy: null })),
    )
    const only = (rows: RecordData[], own: number) => {
      const others = new Set(keys[1 - own])
      return rows.filter((_, index) => !others.has(keys[own][index]))
    }
    const text = (rows: RecordData[]) => {
      const shown = rows.slice(0, mostRows).map((row) => rowText(context, target.entity, row, { by, byType, names }))
      const more = rows.length - mostRows
      return [...shown, ...(more > 0 ? [textIn(fill(further, { n: more }), context.language)] : [])].join('\n')
    }
    return [text(only(first, 0)), text(only(second, 1))]
  }
  return [valueText(context, entity, field, before, names), valueText(context, entity, field, after, names)]
}

function rowText(
  context: Context,
  entity: Entity,
  row: RecordData,
  { by, byType, names }: { by: string; byType?: ByType; names: ReferenceValues },
): string {
  return Object.values(entity.fields)
    .filter((field) => field.name !== by && !(field.name in unrecorded))
    .map((field) => valueText(context, entity, fieldInRows(field, byType), row[field.name] ?? null, names))
    .filter(Boolean)
    .join(' / ')
}

function valueText(context: Context, entity: Entity, field: Field, value: Value, names: ReferenceValues): string {
  if (context.derived.widget(field).protect) return hidden
  if (value === null) return ''
  const target = context.derived.target(field)
  const shown = target && !target.rows ? referenceOf(names, target.entity.name, value) : value
  return textSeen(context, entity, field, shown)
}
