import { sql } from 'kysely'
import type { Entity, Field, RecordData, SeenRevisions, Value } from '../../schema/model.ts'
import { idsOf } from '../references.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../scope.ts'
import { noteWritten } from './seen.ts'

const drawing = ({ fields }: Entity): Field[] => Object.values(fields).filter(({ draws }) => draws)

/** Entity → ids of the records that these draw on. */
function drawnOn(context: Context, entity: Entity, records: readonly RecordData[]): Map<Entity, Set<number>> {
  const drawn = new Map<Entity, Set<number>>()
  for (const field of drawing(entity)) {
    const target = context.derived.target(field)!.entity
    const ids = drawn.get(target) ?? drawn.set(target, new Set()).get(target)!
    for (const record of records) for (const id of idsOf(record[field.name] ?? null)) ids.add(id)
  }
  return drawn
}

/**
 * Records are written that draw on others (money on a receipt): these are no longer what anybody saw before, though
 * nobody edited them. They are taken first: two who write and refer to one of them at once would hold it together, and
 * each wait for the other to let go.
 */
export async function moveDrawn(
  context: Context,
  db: Db,
  entity: Entity,
  records: readonly (RecordData | null)[],
): Promise<void> {
  const known = records.filter((record) => record !== null)
  for (const [target, ids] of drawnOn(context, entity, known)) {
    if (ids.size === 0) continue
    const { rows } = await sql<{ id: number; revision: number }>`
      update ${tableOf(context, target)} as target set revision = target.revision + 1
      from (select id from ${tableOf(context, target)} where id = any(${[...ids]}::bigint[]) order by id for no key update) as held
      where target.id = held.id returning target.id, target.revision`.execute(db)
    noteWritten(context, target.name, rows)
  }
}

/** The same of records that are deleted by their ids. */
export async function moveDrawnOf(context: Context, db: Db, entity: Entity, ids: readonly number[]): Promise<void> {
  const fields = drawing(entity)
  if (fields.length === 0) return
  const { rows } = await sql<RecordData>`select ${sql.join(fields.map(({ name }) => sql.ref(name)))}
    from ${tableOf(context, entity)} where id = any(${ids}::bigint[])`.execute(db)
  await moveDrawn(context, db, entity, rows)
}

/** The revisions of what the values of a dialog, and their rows, draw on; undefined where they draw on nothing. */
export async function drawnFrom(
  context: Context,
  db: Db,
  entity: Entity,
  values: Record<string, Value>,
): Promise<SeenRevisions | undefined> {
  const drawn = [...drawnOn(context, entity, [values])]
  for (const [name, value] of Object.entries(values)) {
    const target = entity.fields[name] && context.derived.target(entity.fields[name])
    if (target?.rows) drawn.push(...drawnOn(context, target.entity, (value ?? []) as RecordData[]))
  }
  const seen: SeenRevisions = {}
  for (const [target, ids] of drawn) {
    if (ids.size === 0) continue
    const { rows } = await sql<{ id: number; revision: number }>`
      select id, revision from ${tableOf(context, target)} where id = any(${[...ids]}::bigint[])`.execute(db)
    seen[target.name] = { ...seen[target.name], ...Object.fromEntries(rows.map(({ id, revision }) => [id, revision])) }
  }
  return Object.keys(seen).length > 0 ? seen : undefined
}
