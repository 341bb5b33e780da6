/**
 * A copy of everything: the tables of the schema `public`, and the files and the key, as one stream
 * of lines. The first character of a line gives its type:
 *
 *     H{…}             the header: the definitions of all tables
 *     T"customer"      the following rows belong to this table
 *     R[["1","a"],…]   rows: each value as PostgreSQL writes it, in the order of the header's columns
 *     F"files/1.png"   a file; its content follows
 *     D…               content, base64
 *     E{…}             the end, with totals. Without it the copy is incomplete.
 */
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Database } from './database.ts'
import { quote } from './quote.ts'
import type { FileStore } from '../files/FileStore.ts'

export const dumpFormat = 'formwork-backup-1'

export interface SequenceState {
  last: string
  called: boolean
}
export interface TableHeader {
  name: string
  /**
   * `definition`: everything after the name. `computed`: PostgreSQL fills it. `sequence`: the current value of its
   * identity.
   */
  columns: { name: string; type: string; definition: string; computed: boolean; sequence?: SequenceState }[]
  /** Foreign keys come last, when all tables are filled. */
  constraints: { name: string; definition: string; foreign: boolean }[]
  indexes: string[]
}
export interface DumpHeader {
  format: string
  at: string
  postgres: string
  tables: TableHeader[]
}
export interface DumpTotals {
  tables: number
  rows: number
  files: number
}

const rowsPerLine = 500

/** Writes a gzip stream of a consistent snapshot while the server runs; files stored during the dump may be in it. */
export async function dump(database: Database, files: FileStore, output: Writable): Promise<DumpTotals> {
  const totals: DumpTotals = { tables: 0, rows: 0, files: 0 }
  const client = await database.pool.connect()
  const all = async <T>(text: string, values?: unknown[]): Promise<T[]> =>
    (await client.query(text, values)).rows as T[]

  async function* lines() {
    const tables = await readTables(all)
    totals.tables = tables.length
    const header: DumpHeader = { format: dumpFormat, at: new Date().toISOString(), postgres: database.version, tables }
    yield `H${JSON.stringify(header)}\n`
    for (const { name, columns } of tables) {
      yield `T${JSON.stringify(name)}\n`
      const values = columns.filter((column) => !column.computed).map((column) => `${quote(column.name)}::text`)
      await client.query(`declare dump no scroll cursor for select to_json(array[${values.join(', ')}]::text[])::text as row
        from public.${quote(name)}${columns.some((column) => column.name === 'id') ? ' order by id' : ''}`)
      for (;;) {
        const rows = await all<{ row: string }>(`fetch ${rowsPerLine} from dump`)
        if (!rows.length) break
        totals.rows += rows.length
        yield `R[${rows.map(({ row }) => row).join(',')}]\n`
      }
      await client.query('close dump')
    }
    for await (const { name } of files.names()) {
      // It was removed after listing, so no record of the next copy will miss it.
      const pieces: AsyncIterable<Buffer> = (await files.read(name)) ?? Readable.from([])
      yield `F${JSON.stringify(name)}\n`
      totals.files++
      for await (const piece of pieces) yield `D${piece.toString('base64')}\n`
    }
    yield `E${JSON.stringify(totals)}\n`
  }

  const source = lines()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(
      'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0; set local datestyle = iso; set local search_path = public',
    )
    await pipeline(source, createGzip(), output)
    return totals
  } finally {
    // If the output fails, a query may still be running.
    await source.return()
    await client.query('rollback')
    client.release()
  }
}

interface ActualColumn {
  name: string
  type: string
  required: boolean
  identity: string
  generated: string
  value: string | null
  sequence: string | null
}
type All = <T>(text: string, values?: unknown[]) => Promise<T[]>

async function readTables(all: All): Promise<TableHeader[]> {
  const tables = await all<{ oid: number; name: string }>(`select oid::int8 as oid, relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`)
  // From here on, nobody changes their definitions.
  if (tables.length) await all(`lock table ${tables.map(({ name }) => quote(name)).join(', ')} in access share mode`)
  const headers: TableHeader[] = []
  for (const { oid, name } of tables) {
    const columns = await all<ActualColumn>(
      `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as required, attidentity as identity,
         attgenerated as generated, pg_get_expr(adbin, adrelid) as value, pg_get_serial_sequence(quote_ident($2), attname) as sequence
       from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
       where attrelid = $1 and attnum > 0 and not attisdropped order by attnum`,
      [oid, name],
    )
    const header: TableHeader = { name, columns: [], constraints: [], indexes: [] }
    for (const { name: column, type, required, identity, generated, value, sequence } of columns) {
      // A serial column becomes an identity, because its sequence is not copied by itself.
      const filled =
        identity || sequence
          ? ` generated ${identity === 'a' ? 'always' : 'by default'} as identity`
          : generated
            ? ` generated always as (${value}) stored`
            : value
              ? ` default ${value}`
              : ''
      const [state] = sequence
        ? await all<SequenceState>(`select last_value::text as last, is_called as called from ${sequence}`)
        : []
      header.columns.push({
        name: column,
        type,
        computed: Boolean(generated),
        definition: `${type}${filled}${required ? ' not null' : ''}`,
        sequence: state,
      })
    }
    // Not-null constraints ('n', from PostgreSQL 18) are in the columns.
    header.constraints = await all(
      `
      select conname as name, pg_get_constraintdef(oid) as definition, contype = 'f' as foreign from pg_constraint
      where conrelid = $1 and contype in ('p', 'u', 'c', 'x', 'f') order by contype = 'f', contype <> 'p', conname`,
      [oid],
    )
    const indexes = await all<{ definition: string }>(
      `
      select pg_get_indexdef(indexrelid) as definition from pg_index where indrelid = $1 and not exists (
        select from pg_constraint where conindid = indexrelid and conrelid = $1 and contype in ('p', 'u', 'x')) order by 1`,
      [oid],
    )
    header.indexes = indexes.map(({ definition }) => definition)
    headers.push(header)
  }
  return headers
}
