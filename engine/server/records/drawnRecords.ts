import { sql } from 'kysely'
import type { Entity, Field, RecordData, SeenRevisions, Value } from '../../model/model.ts'
import { idsOf } from './reading/references.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { byName, type Lock } from './lockTogether.ts'
import { isRecord } from './reading/canonical.ts'
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
  return new Map([...drawn].filter(([, ids]) => ids.size > 0).toSorted(([a], [b]) => byName(a, b)))
}

/** The records that these draw on, directly or through their rows: one lock for each statement of `raiseDrawnRevisions`. */
export function drawnLocks(context: Context, entity: Entity, records: readonly (RecordData | null)[]): Lock[] {
  const known = records.filter(isRecord)
  const own = [...drawnOn(context, entity, known)].map(([target, ids]): Lock => ({ entity: target, ids, weak: true }))
  const ofRows = Object.values(entity.fields).flatMap((field) => {
    const target = context.derived.target(field)
    if (!target?.rows) return []
    const rows = known.flatMap((record) => (record[field.name] ?? []) as RecordData[])
    return rows.length > 0 ? drawnLocks(context, target.entity, rows) : []
  })
  return [...own, ...ofRows]
}

/**
 * Raises the revision of the records that these draw on (money on a receipt), so that calls based on an older view are
 * stale, though nobody edited them. It must come before the write: two writers referring to the same record would both
 * hold a shared lock on it, and deadlock.
 */
export async function raiseDrawnRevisions(
  context: Context,
  db: Db,
  entity: Entity,
  records: readonly (RecordData | null)[],
): Promise<void> {
  const known = records.filter((record) => record !== null)
  for (const [target, ids] of drawnOn(context, entity, known)) {
    const { rows } = await sql<{ id: number; revision: number }>`
      update ${tableOf(context, target)} as target set revision = target.revision + 1
      from (select id from ${tableOf(context, target)} where id = any(${[...ids]}::bigint[]) order by id for no key update) as held
      where target.id = held.id returning target.id, target.revision`.execute(db)
    noteWritten(context, target.name, rows)
  }
}

/** The same for records about to be deleted. */
export async function raiseDrawnRevisionsOf(
  context: Context,
  db: Db,
  entity: Entity,
  ids: readonly number[],
): Promise<void> {
  const fields = drawing(entity)
  if (fields.length === 0) return
  const { rows } = await sql<RecordData>`select ${sql.join(fields.map(({ name }) => sql.ref(name)))}
    from ${tableOf(context, entity)} where id = any(${ids}::bigint[])`.execute(db)
  await raiseDrawnRevisions(context, db, entity, rows)
}

/** The revisions of what a dialog's values and rows draw on; undefined if they draw on nothing. */
export async function drawnRevisions(
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
    const { rows } = await sql<{ id: number; revision: number }>`
      select id, revision from ${tableOf(context, target)} where id = any(${[...ids]}::bigint[])`.execute(db)
    seen[target.name] = { ...seen[target.name], ...Object.fromEntries(rows.map(({ id, revision }) => [id, revision])) }
  }
  return Object.keys(seen).length > 0 ? seen : undefined
}
