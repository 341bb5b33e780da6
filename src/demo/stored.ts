import { sql } from 'kysely'
import { recompute } from '../../engine/server/records/effects.ts'
import { main, readStored } from '../../engine/server/records/reading/read.ts'
import type { Context, Db } from '../../engine/server/runtime.ts'
import type { Condition } from '../../engine/server/identity/scope.ts'
import { canonicalRecord } from '../../engine/server/records/reading/stored.ts'
import { updateRecords } from '../../engine/server/records/write.ts'
import type { Entity, RecordData } from '../../engine/model/model.ts'

/** Sums include all records, whatever the user sees. */
export const asWhole = (context: Context): Context => ({ ...context, user: { ...context.user, dataScope: 'all' } })

export const entityOf = (context: Context, name: string): Entity => context.derived.catalog.entities[name]

export const column = (name: string) => sql.ref(`${main}.${name}`)
export const isLive: Condition = sql<boolean>`${column('deletedAt')} is null`
export const isAnyOf = (name: string, ids: readonly (number | null)[]): Condition =>
  sql<boolean>`${column(name)} = any(${ids.filter((id) => id !== null)}::bigint[])`

/** Records as they are kept, in canonical form, whatever the user may see, in the order of their ids. */
export async function readAll(
  context: Context,
  db: Db,
  name: string,
  conditions: readonly Condition[],
  fields?: readonly string[],
  lock = false,
): Promise<RecordData[]> {
  const entity = entityOf(context, name)
  const rows = await readStored(asWhole(context), db, entity, [isLive, ...conditions], {
    fields,
    order: column('id'),
    lock,
  })
  return rows.map((row) => canonicalRecord(context, entity, row))
}

/** Writes further changes of a record that was read or written before, its stored formulas too. */
export async function changeRecord(
  context: Context,
  db: Db,
  entity: Entity,
  record: RecordData,
  changes: RecordData,
): Promise<void> {
  const old = { ...record }
  Object.assign(record, changes)
  recompute(context, entity, record)
  await updateRecords(context, db, entity, [{ record, old }])
}
