import { sql } from 'kysely'
import type { Entity, RecordData } from '../../model/model.ts'
import { main } from './reading/columnOf.ts'
import { allOf, visibleConditions } from './reading/visibleConditions.ts'
import { idsOf } from './reading/references.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { canonicalValue } from './reading/canonical.ts'
import { writtenValues, type Proposed } from './writtenValues.ts'

/**
 * The values that refer to records which the user may see, rows included. Options are not checked, because a form keeps
 * values that are disabled by now. One query for each entity, however many rows.
 */
export async function onlyVisible(context: Context, db: Db, entity: Entity, values: RecordData): Promise<RecordData> {
  const kept = structuredClone(values)
  const referring = writtenValues(context, { entity, record: kept, old: null }).flatMap(({ field, value, record }) => {
    const target = context.derived.target(field)?.entity
    return target ? [{ field, value, record, target }] : []
  })
  for (const target of new Set(referring.map((each) => each.target))) {
    const group = referring.filter((each) => each.target === target)
    const visible = await visibleIds(
      context,
      db,
      target,
      group.flatMap(({ value }) => idsOf(value)),
    )
    for (const { field, value, record } of group) {
      const stay = idsOf(value).filter((id) => visible.has(id))
      record[field.name] = Array.isArray(value) ? stay : (stay.at(0) ?? null)
    }
  }
  return kept
}

/**
 * The records without new references that the user may not see, if something is looked up through them. One query for
 * each entity referred to.
 */
export async function withoutHidden(
  context: Context,
  db: Db,
  entity: Entity,
  records: readonly Pick<Proposed, 'record' | 'old'>[],
): Promise<RecordData[]> {
  const fields = lookedThrough(context, entity)
  if (fields.length === 0) return records.map(({ record }) => record)
  const shown = records.map(({ record }) => ({ ...record }))
  const added = records.flatMap(({ record, old }, index) =>
    fields.flatMap(({ field, target }) => {
      if (!Object.hasOwn(record, field.name)) return []
      const value = canonicalValue(context, field, record[field.name])
      const before = new Set(idsOf(old?.[field.name]))
      const ids = idsOf(value).filter((id) => !before.has(id))
      return ids.length === 0 ? [] : [{ field, value, before, ids, target, shown: shown[index] }]
    }),
  )
  for (const target of new Set(added.map((each) => each.target))) {
    const group = added.filter((each) => each.target === target)
    const ids = [...new Set(group.flatMap((each) => each.ids))].filter(Number.isSafeInteger)
    const visible = await visibleIds(context, db, target, ids)
    for (const { field, value, before, shown: record } of group) {
      const seen = idsOf(value).filter((id) => before.has(id) || visible.has(id))
      record[field.name] = Array.isArray(value) ? seen : (seen[0] ?? null)
    }
  }
  return shown
}

/** The references through which something is looked up. */
export function lookedThrough({ derived }: Pick<Context, 'derived'>, entity: Entity) {
  const looked = new Set(
    Object.values(entity.fields).flatMap(({ computed }) => (computed?.kind === 'lookup' ? [computed.by] : [])),
  )
  return Object.values(entity.fields).flatMap((field) => {
    const target = derived.target(field)?.entity
    return target && looked.has(field.name) && !field.computed ? [{ field, target }] : []
  })
}

/** Those of the ids whose records exist and are visible to the user. */
export async function visibleIds(
  context: Context,
  db: Db,
  entity: Entity,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const conditions = [
    sql<boolean>`${sql.ref(`${main}.id`)} = any(${[...ids]}::bigint[])`,
    ...visibleConditions(context, entity),
  ]
  const { rows } = await sql<{
    id: number
  }>`select ${sql.ref(`${main}.id`)} as id from ${tableOf(context, entity)} as ${sql.ref(main)} where ${allOf(conditions)}`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}
