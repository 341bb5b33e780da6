import { sql } from 'kysely'
import type { Entity, Field, RecordData, Value } from '../../../model/model.ts'
import { isWritable } from '../../../expression/verdict.ts'
import { demandAny } from '../../identity/access.ts'
import { Refusal } from '../../errors.ts'
import { declaredConditions } from './filters.ts'
import { findSql } from './findSql.ts'
import { ComputedFields } from './ComputedFields.ts'
import { logSensitive } from '../logOperation.ts'
import { main } from './columnOf.ts'
import { present, readStored } from './read.ts'
import { allOf, visibleConditions } from './visibleConditions.ts'
import { idsOf } from './references.ts'
import type { Context, Db } from '../../runtime.ts'
import { tableOf } from '../../identity/scope.ts'
import { canonicalValue } from './canonical.ts'

type Lookup = Field & { computed: Extract<Field['computed'], { kind: 'lookup' }> }

const lookupsOf = (entity: Entity): Lookup[] =>
  Object.values(entity.fields).filter((field): field is Lookup => field.computed?.kind === 'lookup')

/**
 * The looked-up values of the records that these refer to: one query for each reference, however many records.
 * References that a record omits are left out.
 */
export async function lookUp(
  context: Context,
  db: Db,
  entity: Entity,
  records: readonly RecordData[],
): Promise<RecordData[]> {
  const found = records.map((): RecordData => ({}))
  await findByValue(context, db, entity, records, found)
  const lookups = lookupsOf(entity)
  for (const by of new Set(lookups.map(({ computed }) => computed.by))) {
    const wanted = lookups.filter(({ computed }) => computed.by === by)
    // A record found by a value is treated like one that the record refers to.
    const pointing = records
      .map((record, index) => ({ ...record, ...found[index] }))
      .flatMap((record, index) =>
        Object.hasOwn(record, by)
          ? [{ index, id: idsOf(canonicalValue(context, entity.fields[by], record[by]))[0] }]
          : [],
      )
    if (pointing.length === 0) continue
    const target = context.derived.target(entity.fields[by])!.entity
    const fields = new ComputedFields(context, target, { alias: main, conditions: declaredConditions, scoped: false })
    const columns = [...new Set(wanted.map(({ computed }) => computed.field))].map(
      (name) => sql`${fields.read(name)} as ${sql.ref(name)}`,
    )
    const { rows } = await sql<
      Record<string, Value> & { id: number }
    >`select ${sql.ref(`${main}.id`)} as id, ${sql.join(columns)} from ${tableOf(context, target)} as ${sql.ref(main)} ${fields.joins}
      where ${sql.ref(`${main}.id`)} = any(${pointing.flatMap(({ id }) => id ?? [])}::bigint[])`.execute(db)
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const { index, id } of pointing) {
      const row = id === undefined ? undefined : byId.get(id)
      for (const field of wanted)
        found[index][field.name] = canonicalValue(context, field, row?.[field.computed.field] ?? null)
    }
  }
  return found
}

/** The records found by a value of these. */
async function findByValue(
  context: Context,
  db: Db,
  entity: Entity,
  records: readonly RecordData[],
  found: RecordData[],
): Promise<void> {
  for (const field of Object.values(entity.fields)) {
    const { computed } = field
    if (computed?.kind !== 'find') continue
    const by = entity.fields[computed.by]
    const saying = records.flatMap((record, index) =>
      Object.hasOwn(record, by.name) ? [{ index, value: canonicalValue(context, by, record[by.name]) }] : [],
    )
    const values = [
      ...new Set(saying.flatMap(({ value }) => (value === null || typeof value === 'object' ? [] : [String(value)]))),
    ]
    const type = sql.raw(context.derived.columns[entity.name][by.name])
    const { rows } =
      values.length === 0
        ? { rows: [] }
        : await sql<{ value: string; id: number | null }>`
      select value, ${findSql(context, computed, sql`value::${type}`)} as id from unnest(${values}::text[]) as given (value)`.execute(
            db,
          )
    const ids = new Map(rows.map(({ value, id }) => [value, id]))
    for (const { index, value } of saying) found[index][field.name] = ids.get(String(value)) ?? null
  }
}

/**
 * Initial values of new records, in client form: the fields copied from the record that they refer to, if the user sees
 * it.
 */
export async function copied(
  context: Context,
  db: Db,
  entity: Entity,
  records: readonly RecordData[],
): Promise<Record<string, Value>[]> {
  const { copies } = entity
  if (!copies) return records.map(() => ({}))
  const ids = records.map((record) => idsOf(canonicalValue(context, entity.fields[copies.by], record[copies.by]))[0])
  const wanted = ids.filter((id) => id !== undefined)
  if (wanted.length === 0) return records.map(() => ({}))
  const fields = copies.fields
    .map((name) => entity.fields[name])
    .filter((field) => isWritable(field, context.derived.widgets))
  const target = context.derived.target(entity.fields[copies.by])!.entity
  const rows = await readStored(
    context,
    db,
    target,
    [sql<boolean>`${sql.ref(`${main}.id`)} = any(${wanted}::bigint[])`, ...visibleConditions(context, target)],
    { fields: copies.fields },
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const from = id === undefined ? undefined : byId.get(id)
    return from === undefined
      ? {}
      : Object.fromEntries(
          fields.flatMap((field): [string, Value][] => {
            const value = from[field.name] ?? null
            return value === null ? [] : [[field.name, withoutIds(context, field, value)]]
          }),
        )
  })
}

/** Rows become new ones. */
function withoutIds(context: Context, field: Field, value: Value): Value {
  const target = context.derived.target(field)
  if (!target?.rows || !Array.isArray(value)) return value
  const {
    entity,
    rows: { by },
  } = target
  const own = Object.values(entity.fields).filter(
    (each) => each.name !== by && isWritable(each, context.derived.widgets),
  )
  return (value as RecordData[]).map((row) =>
    Object.fromEntries(own.map((each) => [each.name, withoutIds(context, each, row[each.name] ?? null)])),
  )
}

/**
 * The same for an unsaved form: as the user may see it, of a record that they may choose.
 * @throws Refusal permission, unknownField.
 */
export async function readLookups(context: Context, entity: Entity, by: string, id: number): Promise<RecordData> {
  demandAny(context.user, [entity.permissions.create, entity.permissions.update])
  const wanted = lookupsOf(entity).filter(({ computed }) => computed.by === by)
  if (wanted.length === 0 && entity.copies?.by !== by)
    throw new Refusal('unknownField', { parameters: { entity: entity.label, field: by } })
  const db = context.runtime.database.kysely
  const target = context.derived.target(entity.fields[by])!.entity
  const { rows } = await sql`select 1 from ${tableOf(context, target)} as ${sql.ref(main)}
    where ${allOf([sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`, ...visibleConditions(context, target)])}`.execute(db)
  const given = { [by]: rows.length > 0 ? id : null }
  const [copies] = await copied(context, db, entity, [given])
  const values = { ...(await lookUp(context, db, entity, [given]))[0], ...copies }
  const [shown] = await present(context, db, entity, [values])
  // The record looked up is the one that is viewed.
  await logSensitive(context, entity, shown, { entity: target, id })
  return shown
}
