import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Entity, Field, RecordData, TablePlan, Value } from '../../model/model.ts'
import { literal, quote } from './quote.ts'
import type { Db, Tables } from '../db.ts'
import type { Derived } from '../derived.ts'

/**
 * Which record has which item of a list with unique items: its key also holds under simultaneous writes, which no index
 * on a list does. It is written with the records, in their transaction.
 */
export const uniqueItemTable = 'system_unique_item'

const create = [
  `create table if not exists ${uniqueItemTable} (entity text not null, field text not null, item text not null, record_id bigint not null,
    primary key (entity, field, item))`,
  `create index if not exists ${uniqueItemTable}_record on ${uniqueItemTable} (entity, record_id)`,
]

// ─── The table ───────────────────────────────────────────────────────────────────────────────────────────────────────────

interface ItemChanges {
  create: string[]
  fill: string[]
  lossy: { column: string; sql: string; rows: number }[]
}

/**
 * The changes needed to track the unique items of a table.
 * @param before column → its current name and type; new columns are missing
 * @param exists whether the table of items already exists
 */
export async function planUniqueItems(
  kysely: Kysely<Tables>,
  table: TablePlan,
  before: ReadonlyMap<string, { name: string; type: string }>,
  exists: boolean,
): Promise<ItemChanges> {
  const changes: ItemChanges = { create: [], fill: [], lossy: [] }
  const columns = table.unique.filter(({ items }) => items).map(({ columns: [column] }) => column)
  const count = async (from: string) =>
    Number((await sql<{ n: number }>`select count(*) as n from ${sql.raw(from)}`.execute(kysely)).rows[0].n)
  if (columns.length > 0 && !exists) changes.create.push(...create)
  const others = `entity = ${literal(table.name)} and field <> all(array[${columns.map(literal).join(', ')}]::text[])`
  if (exists && (await count(`${uniqueItemTable} where ${others}`)) > 0)
    changes.fill.push(`delete from ${uniqueItemTable} where ${others}`)
  for (const column of columns) {
    const old = before.get(column)
    if (!old) continue
    const kept = `select record_id, item from ${uniqueItemTable} where entity = ${literal(table.name)} and field = ${literal(column)}`
    const now = itemsIn(table.name, old.name, old.type)
    const differing = exists ? `((${now}) except (${kept})) union all ((${kept}) except (${now}))` : now
    if ((await count(`(${differing}) as r`)) === 0) continue
    const fill = [
      // Nobody writes in between; writers wait.
      `lock table ${quote(table.name)} in share row exclusive mode`,
      `delete from ${uniqueItemTable} where entity = ${literal(table.name)} and field = ${literal(column)}`,
      `insert into ${uniqueItemTable} (entity, field, record_id, item) select ${literal(table.name)}, ${literal(column)}, record_id, item
        from (${itemsIn(table.name, column, table.columns.find(({ name }) => name === column)!.type)}) as r`,
    ]
    const rows = await count(
      `(select count(*) over (partition by item) as alike from (${now}) as i) as r where alike > 1`,
    )
    if (rows > 0) changes.lossy.push({ column, sql: fill.join(';\n    '), rows })
    else changes.fill.push(...fill)
  }
  return changes
}

function itemsIn(table: string, column: string, type: string): string {
  const list = `r.${quote(column)}`
  const items =
    type === 'jsonb'
      ? `jsonb_array_elements_text(case jsonb_typeof(${list}) when 'array' then ${list} else '[]' end)`
      : `unnest(${list})`
  return `select distinct r.id as record_id, item::text as item from ${quote(table)} as r cross join lateral ${items} as item where r."deletedAt" is null`
}

interface OfCatalog {
  derived: Derived
}

// ─── Its records ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export function hasUniqueItems({ derived }: OfCatalog, entity: Entity, field: Field): boolean {
  return derived.catalog.tables[entity.name].unique.some(({ columns, items }) => items && columns[0] === field.name)
}

const itemsOf = (value: Value | undefined): string[] =>
  Array.isArray(value) ? [...new Set(value.map(String))].sort() : []

/**
 * Item → the record that has it, for those of these items that are taken.
 * @param among only the records with these ids are checked
 */
export async function itemHolders(
  db: Db,
  entity: Entity,
  field: Field,
  items: readonly string[],
  among?: RawBuilder<unknown>,
): Promise<Map<string, number>> {
  const { rows } = await sql<{
    item: string
    record_id: number
  }>`select item, record_id from ${sql.table(uniqueItemTable)}
    where entity = ${entity.name} and field = ${field.name} and item = any(${[...new Set(items)]}::text[])
      and ${among ? sql`record_id in (${among})` : sql`true`}`.execute(db)
  return new Map(rows.map(({ item, record_id: id }) => [item, id]))
}

/**
 * Takes the items of these records, and releases those that they no longer have.
 * @param pairs each record with its former state, null for a new one
 * @returns the field and item that another record has: then all of this must be rolled back.
 */
export async function holdItems(
  context: OfCatalog,
  db: Db,
  entity: Entity,
  pairs: readonly { record: RecordData; old: RecordData | null }[],
): Promise<{ field: Field; item: string } | undefined> {
  const fields = Object.values(entity.fields).filter((field) => hasUniqueItems(context, entity, field))
  for (const field of fields) {
    const wanted: HeldItem[] = []
    const gone: HeldItem[] = []
    for (const { record, old } of pairs) {
      if (record[field.name] === undefined) continue
      const [former, now] = [itemsOf(old?.[field.name]), itemsOf(record[field.name])]
      wanted.push(...now.filter((item) => !former.includes(item)).map((item) => ({ id: record.id!, item })))
      gone.push(...former.filter((item) => !now.includes(item)).map((item) => ({ id: record.id!, item })))
    }
    if (gone.length > 0) {
      await sql`delete from ${sql.table(uniqueItemTable)} as held using ${unnested(gone)} as gone (id, item)
        where entity = ${entity.name} and field = ${field.name} and held.record_id = gone.id and held.item = gone.item`.execute(
        db,
      )
    }
    if (wanted.length === 0) continue
    // In one order, so that two transactions that want the same items rarely wait for each other.
    wanted.sort((a, b) => (a.item < b.item ? -1 : 1))
    const { rows } = await sql<{
      item: string
      record_id: number
    }>`insert into ${sql.table(uniqueItemTable)} (entity, field, record_id, item)
      select ${entity.name}, ${field.name}, id, item from ${unnested(wanted)} as wanted (id, item)
      on conflict do nothing returning item, record_id`.execute(db)
    const got = new Set(rows.map((row) => `${row.record_id} ${row.item}`))
    const taken = wanted.find(({ id, item }) => !got.has(`${id} ${item}`))
    if (taken) return { field, item: taken.item }
  }
  return undefined
}

interface HeldItem {
  id: number
  item: string
}

const unnested = (items: readonly HeldItem[]) =>
  sql`unnest(${items.map(({ id }) => id)}::bigint[], ${items.map(({ item }) => item)}::text[])`

/** Deleted records block no items. */
export async function releaseItems(context: OfCatalog, db: Db, entity: Entity, ids: number[]): Promise<void> {
  if (!Object.values(entity.fields).some((field) => hasUniqueItems(context, entity, field))) return
  await sql`delete from ${sql.table(uniqueItemTable)} where entity = ${entity.name} and record_id = any(${ids}::bigint[])`.execute(
    db,
  )
}
