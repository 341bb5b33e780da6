import { sql } from 'kysely'
import type { Entity } from '../../schema/model.ts'
import { tableOf } from '../scope.ts'
import { noteWritten } from './seen.ts'
import type { Work } from './Work.ts'

/** `record`: the procedure's own copy, which gets the new reference and revision too. */
export interface Pointing {
  id: number
  at: number | null
  record?: { revision?: number }
}

/**
 * Makes many records refer to others in one statement, without history of their own because the record they point at
 * has it. Only those that pointed elsewhere count as changed.
 */
export async function pointAt(
  { context, db }: Work,
  entity: Entity,
  field: string,
  pairs: readonly Pointing[],
): Promise<void> {
  if (pairs.length === 0) return
  const column = sql.ref(field)
  const rows = pairs.map(({ id, at }) => ({ id, at }))
  const { rows: written } = await sql<{
    id: number
    revision: number
  }>`update ${tableOf(context, entity)} as target set ${column} = source.at, revision = target.revision + 1, "updatedAt" = ${context.now}::timestamp(0)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as source (id bigint, at bigint)
    where target.id = source.id and target.${column} is distinct from source.at
    returning target.id, target.revision`.execute(db)
  noteWritten(context, entity.name, written)
  const revisions = new Map(written.map(({ id, revision }) => [id, revision]))
  for (const { id, at, record } of pairs)
    if (record && revisions.has(id)) Object.assign(record, { revision: revisions.get(id), [field]: at })
}
