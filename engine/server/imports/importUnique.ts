import { sql } from 'kysely'
import type { Entity, Field, Value } from '../../schema/model.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../scope.ts'
import { hasUniqueItems, uniqueItemTable } from '../uniqueItems.ts'
import { valueText } from './importCells.ts'

/** A value that a row would write and that no other record may have. */
export interface Wanted<T> {
  of: T
  field: Field
  value: Value
  within?: Value
  id?: number
}

/** Those that another record has already: one query for each field. */
export async function takenValues<T>(
  context: Context,
  db: Db,
  entity: Entity,
  wanted: readonly Wanted<T>[],
): Promise<Wanted<T>[]> {
  const fields = new Map<string, Wanted<T>[]>()
  for (const one of wanted) fields.set(one.field.name, [...(fields.get(one.field.name) ?? []), one])
  const taken: Wanted<T>[] = []
  for (const group of fields.values()) {
    const { field } = group[0]
    taken.push(
      ...(hasUniqueItems(context, entity, field)
        ? await takenItems(db, entity, group)
        : await takenBy(context, db, entity, group)),
    )
  }
  return taken
}

async function takenBy<T>(context: Context, db: Db, entity: Entity, group: readonly Wanted<T>[]): Promise<Wanted<T>[]> {
  const { field } = group[0]
  const type = sql.raw(context.derived.columns[entity.name][field.name])
  const within = field.uniqueWithin === undefined ? sql`null` : sql`to_jsonb(${sql.ref(field.uniqueWithin)})`
  const { rows } = await sql<{ id: number; value: Value; within: Value }>`
    select id, to_jsonb(${sql.ref(field.name)}) as value, ${within} as within from ${tableOf(context, entity)}
    where ${sql.ref(field.name)} = any(${group.map(({ value }) => value)}::${type}[]) and "deletedAt" is null`.execute(
    db,
  )
  return group.filter((one) =>
    rows.some(
      (row) =>
        row.id !== one.id &&
        valueText(row.value) === valueText(one.value) &&
        (field.uniqueWithin === undefined || valueText(row.within) === valueText(one.within)),
    ),
  )
}

async function takenItems<T>(db: Db, entity: Entity, group: readonly Wanted<T>[]): Promise<Wanted<T>[]> {
  const itemsOf = ({ value }: Wanted<T>) => (Array.isArray(value) ? value.map(String) : [])
  const { rows } = await sql<{
    item: string
    record_id: number
  }>`select item, record_id from ${sql.table(uniqueItemTable)}
    where entity = ${entity.name} and field = ${group[0].field.name} and item = any(${group.flatMap(itemsOf)}::text[])`.execute(
    db,
  )
  const holders = new Map(rows.map((row) => [row.item, row.record_id]))
  return group.filter((one) => itemsOf(one).some((item) => holders.has(item) && holders.get(item) !== one.id))
}
