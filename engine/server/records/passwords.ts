import { sql } from 'kysely'
import type { RecordData } from '../../model/model.ts'
import { recordHistory } from './history.ts'
import { hashPassword, md5 } from '../identity/passwords.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'

/** The field of an entity that stores a password, as a hash. @throws if it has none. */
function passwordField({ derived }: Context, name: string): string {
  const entity = derived.catalog.entities[name]
  const field = Object.values(entity.fields).find((each) => derived.widget(each).protect === 'hash')
  if (!field) throw new Error(`${entity.file}: there is no field for a password`)
  return field.name
}

/** Records as read do not contain it. */
export async function hasPassword(context: Context, db: Db, name: string, id: number): Promise<boolean> {
  const { rows } =
    await sql`select 1 from ${tableOf(context, context.derived.catalog.entities[name])} where id = ${id} and ${sql.ref(passwordField(context, name))} is not null`.execute(
      db,
    )
  return rows.length > 0
}

/**
 * Stores the hash of a record's password, given in clear text. The rest of the record stays the same, its revision
 * included.
 */
export async function keepPassword(
  context: Context,
  db: Db,
  name: string,
  id: number,
  password: string,
): Promise<void> {
  const field = sql.ref(passwordField(context, name))
  await sql`update ${tableOf(context, context.derived.catalog.entities[name])} set ${field} = ${await hashPassword(md5(password))} where id = ${id}`.execute(
    db,
  )
}

/** Records in the history that a password was changed, and by whom. */
export function recordPasswordChange(context: Context, db: Db, name: string, record: RecordData): Promise<void> {
  const entity = context.derived.catalog.entities[name]
  const plain = new Set([passwordField(context, name)])
  const change = { entity, record, old: record, action: 'resetPassword', effects: [], changed: [], plain }
  return recordHistory({ context, db }, [change])
}
