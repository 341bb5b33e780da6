import { sql } from 'kysely'
import type { Entity } from '../schema/model.ts'
import type { Context, Db } from './runtime.ts'
import { tableOf } from './scope.ts'
import { recordColumns } from './tables.ts'

/** Records that only the system adds, seen by whoever sees the one they tell about: they are part of it. */
const isJournal = ({ scope, allow }: Entity, field: string): boolean =>
  scope !== undefined && 'via' in scope && scope.via === field && !allow.create && !allow.update && !allow.delete

/** Does a living record point at this one? Its own rows and journals do not count. One query for each field that could. */
export async function referred(context: Context, db: Db, entity: Entity, id: number): Promise<boolean> {
  for (const { entity: other, field, many } of context.derived.incoming[entity.name]) {
    if (other.rowOf?.entity === entity.name && other.rowOf.by === field.name || isJournal(other, field.name)) continue
    // That somebody made or changed a record does not keep them: deleted users keep their names.
    if (field.name in recordColumns || context.derived.columns[other.name][field.name] === undefined) continue
    const column = sql.ref(`r.${field.name}`)
    const { rows } = await sql`select 1 from ${tableOf(context, other)} as r where r."deletedAt" is null
      and ${many ? sql`${id} = any(${column})` : sql`${column} = ${id}`} limit 1`.execute(db)
    if (rows.length > 0) return true
  }
  return false
}
