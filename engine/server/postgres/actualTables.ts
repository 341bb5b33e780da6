import { sql, type Kysely } from 'kysely'
import type { Tables } from '../db.ts'

interface ActualColumn {
  table: string
  name: string
  type: string
  required: boolean
}
export interface ActualIndex {
  table: string
  name: string
  columns: string[]
  unique: boolean
  definition: string
}
export interface ActualReference {
  table: string
  name: string
  column: string
  target: string
}
export type Actual = Awaited<ReturnType<typeof readActual>>

/** Bytes from which building an index would block writers for too long. */
const largeTable = 32 * 1024 * 1024

/**
 * What the database has.
 * @param except tables of which only the name is read
 */
export async function readActual(kysely: Kysely<Tables>, except: readonly string[] = []) {
  const isRead = (table: string) => sql<boolean>`not ${sql.ref(table)}.relname = any(${[...except]}::name[])`
  const tables = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`.execute(kysely)
  const columns = new Map<string, Map<string, ActualColumn>>()
  const rows = await sql<ActualColumn>`
    select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      and ${isRead('c')}
    order by c.relname, a.attnum`.execute(kysely)
  for (const row of rows.rows)
    columns.set(row.table, (columns.get(row.table) ?? new Map<string, ActualColumn>()).set(row.name, row))
  const indexes = await sql<ActualIndex>`
    select t.relname as "table", i.relname as name, x.indisunique as "unique", pg_get_indexdef(i.oid) as definition,
      array(select a.attname::text from unnest(x.indkey::int2[]) with ordinality as k(number, place)
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number order by k.place) as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relnamespace = 'public'::regnamespace and not x.indisprimary and x.indisvalid
      and ${isRead('t')}`.execute(kysely)
  const references = await sql<ActualReference>`
    select t.relname as "table", c.conname as name, a.attname as "column", f.relname as target
    from pg_constraint c join pg_class f on f.oid = c.confrelid join pg_class t on t.oid = c.conrelid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = c.conkey[1]
    where t.relnamespace = 'public'::regnamespace and c.contype = 'f' and ${isRead('t')}`.execute(kysely)
  const large = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > ${largeTable}`.execute(
    kysely,
  )
  return {
    tables: new Set(tables.rows.map(({ name }) => name)),
    columns,
    indexes: indexes.rows,
    references: references.rows,
    large: new Set(large.rows.map(({ name }) => name)),
  }
}
