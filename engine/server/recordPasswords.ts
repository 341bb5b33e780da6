import { sql } from 'kysely'
import type { RecordData } from '../schema/model.ts'
import { writeHistory } from './history.ts'
import type { Context, Db } from './runtime.ts'
import { tableOf } from './scope.ts'
import { updateRecord } from './write.ts'

/** The field of an entity that keeps a password, as a hash. @throws where it has none. */
function passwordField({ derived }: Context, name: string): string {
  const entity = derived.catalog.entities[name]
  const field = Object.values(entity.fields).find((one) => derived.widget(one).protect === 'hash')
  if (!field) throw new Error(`${entity.file}: there is no field for a password`)
  return field.name
}

/** Records that are read do not hold it. */
export async function hasPassword(context: Context, db: Db, name: string, id: number): Promise<boolean> {
  const { rows } = await sql`select 1 from ${tableOf(context, context.derived.catalog.entities[name])} where id = ${id} and ${sql.ref(passwordField(context, name))} is not null`.execute(db)
  return rows.length > 0
}

/** Gives a record a password in clear text: its hash is written, and history tells that it was, and by whom. */
export async function keepPassword(context: Context, db: Db, name: string, record: RecordData, password: string): Promise<void> {
  const entity = context.derived.catalog.entities[name]
  const field = passwordField(context, name)
  const old = { ...record }
  record[field] = password
  await updateRecord(context, db, entity, record, old, new Set([field]))
  // Nothing that reads the record after this is to meet the text.
  record[field] = old[field] ?? null
  await writeHistory(context, db, entity, 'resetPassword', record, old, [field])
}
