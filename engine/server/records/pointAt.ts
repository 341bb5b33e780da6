import { sql } from 'kysely'
import type { Entity } from '../../schema/model.ts'
import { tableOf } from '../scope.ts'
import { noteWritten } from './seen.ts'
import type { Work } from './Work.ts'

/**
 * Makes many records refer to others in one statement, without history of their own because the record they point at
 * has it. Only those that pointed elsewhere count as changed.
 */
export async function pointAt(
  { context, db }: Work,
  entity: Entity,
  field: string,
  pairs: readonly { id: number; at: number | null }[],
): Promise<void> {
  if (pairs.length === 0) return
  const column = sql.ref(field)
  const { rows } = await sql<{
    id: number
    revision: number
  }>`update ${tableOf(context, entity)} as target set ${column} = source.at, revision = target.revision + 1, "updatedAt" = ${context.now}::timestamp(0)
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as source (id bigint, at bigint)
    where target.id = source.id and target.${column} is distinct from source.at returning target.id, target.revision`.execute(
    db,
  )
  noteWritten(context, entity.name, rows)
}
