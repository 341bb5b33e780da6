import { sql } from 'kysely'
import type { Entity, Value } from '../../model/model.ts'
import { tableOf } from '../identity/scope.ts'
import { writeHistories } from './history.ts'
import { noteWritten } from './seen.ts'
import { keyOf, type Work } from './Work.ts'

/** `record`: the procedure's own copy, which gets the new reference and revision too. */
export interface Pointing {
  id: number
  at: number | null
  record?: { revision?: number }
}

/**
 * Makes many records refer to others in two statements, however many they are. Only those that pointed elsewhere count
 * as changed. Rows have no history of their own, and a record that is being written gets its entry from that write.
 */
export async function setReferences(
  { context, db }: Work,
  entity: Entity,
  field: string,
  pairs: readonly Pointing[],
): Promise<void> {
  if (pairs.length === 0) return
  const [table, column] = [tableOf(context, entity), sql.ref(field)]
  const given = pairs.map(({ id, at }) => ({ id, at }))
  const isStored = context.derived.columns[entity.name][entity.display] !== undefined
  const name = isStored ? sql`target.${sql.ref(entity.display)}` : sql`null`
  // Locked in one order, so that two works on the same records cannot deadlock.
  const { rows: written } = await sql<Written>`
    with given as (select id, at from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as source (id bigint, at bigint)),
      held as materialized (select target.id, given.at, target.${column} as was from ${table} as target join given using (id)
        where target.${column} is distinct from given.at order by target.id for update of target)
    update ${table} as target set ${column} = held.at, revision = target.revision + 1, "updatedAt" = ${context.now}::timestamp(0)
    from held where target.id = held.id
    returning target.id, target.revision, held.at, held.was, ${name} as name`.execute(db)
  noteWritten(context, entity.name, written)
  const revisions = new Map(written.map(({ id, revision }) => [id, revision]))
  for (const { id, at, record } of pairs)
    if (record && revisions.has(id)) Object.assign(record, { revision: revisions.get(id), [field]: at })
  if (entity.rowOf) return
  await writeHistories(
    context,
    db,
    entity,
    written
      .filter(({ id }) => !context.work?.open?.has(keyOf(entity, { id })))
      .map(({ id, revision, at, was, name: called }) => ({
        action: 'update',
        record: { id, revision, [entity.display]: called, [field]: at },
        old: { id, revision: revision - 1, [entity.display]: called, [field]: was },
      })),
  )
}

interface Written {
  id: number
  revision: number
  at: number | null
  was: number | null
  name: Value
}
