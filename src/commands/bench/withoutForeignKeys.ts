import { quote } from '../../../engine/server/postgres/quote.ts'

type Read = <T>(text: string, values?: unknown[]) => Promise<T[]>

/**
 * Runs `work`, which adds or deletes many rows of these tables, without foreign keys, and checks them all once
 * afterwards. The tables' owner may do this.
 */
export async function withoutForeignKeys(read: Read, tables: string[], work: () => Promise<void>): Promise<void> {
  const keys = await read<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[]))`,
    [tables.map(quote)],
  )
  for (const { table, name } of keys) await read(`alter table ${table} drop constraint ${quote(name)}`)
  await work()
  for (const { table, name, definition } of keys)
    await read(`alter table ${table} add constraint ${quote(name)} ${definition}`)
}
