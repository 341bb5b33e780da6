import { sql } from 'kysely'
import { checkRules } from '../../expression/verdict.ts'
import type { Entity, Label, RecordData, Value } from '../../model/model.ts'
import { main } from './reading/columnOf.ts'
import { readStored } from './reading/read.ts'
import { journalsOf, referredAmong } from './referred.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { canonicalRecord } from './reading/canonical.ts'
import { verdictContext } from './accept.ts'
import { apply } from './apply.ts'
import type { Lock } from './lockTogether.ts'
import { byEntity, type Change } from './Change.ts'
import type { Work } from './Work.ts'

/** Works that are undone together, completely. */
export interface Taken {
  works: readonly number[]
  /** Entries of history that belong to no work, because they were written before works were recorded. */
  entries?: readonly number[]
  /** Causes whose works do not count as changes by another user: the same act, and its undo so far. */
  own: readonly string[]
  /** Entities that only log the act itself. */
  except: readonly string[]
}

/** A record before and after these works. */
export interface Written {
  entity: Entity
  id: number
  label: string | null
  /** Deleted by them, and not by anyone since. */
  deleted: boolean
  made: boolean
  /** Field → its value before. */
  was: RecordData
  /** Another user has since changed what they wrote, or a record that they created; viewing does not count. */
  touched: boolean
  /** The last entry of history that they wrote. */
  last: number
}

const action = 'undoImport'

/** Everything that these works and entries wrote, by entity. */
export async function writtenBy(context: Context, db: Db, taken: Taken): Promise<Written[]> {
  const { works, entries = [], own, except } = taken
  if (works.length + entries.length === 0) return []
  const { rows } = await sql<{
    entity: string
    id: number
    label: string | null
    from: number
    last: number
    steps: (Record<string, [Value, Value]> | null)[]
    later: string[] | null
  }>`
    with written as (
      select entity, record_id, (array_agg(label order by id desc))[1] as label, max(id) as last,
        min(coalesce((changes->>'from')::bigint, (changes->>'revision')::bigint - 1)) as first,
        jsonb_agg(changes->'fields' order by id desc) as steps
      from system_history where (work = any(${works}::bigint[]) or id = any(${entries}::bigint[]))
        and entity <> all(${except}::text[]) and changes ? 'revision'
      group by entity, record_id)
    select entity, record_id as id, label, first as "from", last, steps, (
      select array_agg(distinct coalesce(name, '')) from system_history as h left join system_work as w on w.id = h.work
        left join lateral jsonb_object_keys(h.changes->'fields') as name on true
      where h.entity = written.entity and h.record_id = written.record_id and h.id > written.last
        and h.changes ? 'revision' and not h.changes ? 'aside'
        and (w.cause is null or w.cause <> all(${own}::text[]))) as later
    from written order by entity, record_id`.execute(db)
  const changedLater = new Set<Written>()
  const found = rows.flatMap(({ entity: name, id, label, from, last, steps, later }): Written[] => {
    const entity = context.derived.catalog.entities[name]
    if (!entity) return []
    const was: RecordData = {}
    for (const step of steps) {
      for (const [field, [before]] of Object.entries(step ?? {})) {
        // History contains no secrets, so none is restored.
        const known = entity.fields[field]
        if (known && !context.derived.widget(known).protect) was[field] = before
      }
    }
    const made = from === 0
    const touched = later !== null && (made || later.some((field) => Object.hasOwn(was, field)))
    const change = { entity, id, label, made, was, touched, last, deleted: false }
    if (later !== null) changedLater.add(change)
    return [change]
  })
  for (const [entity, group] of byEntity(found)) {
    const { rows: gone } = await sql<{ id: number }>`select id from ${tableOf(context, entity)}
      where id = any(${group.map(({ id }) => id)}::bigint[]) and "deletedAt" is not null`.execute(db)
    const deleted = new Set(gone.map(({ id }) => id))
    for (const written of group) {
      written.deleted = deleted.has(written.id)
      written.touched ||= written.deleted && changedLater.has(written)
    }
  }
  return found
}

/** Everything that these works wrote, to be locked at once. */
export async function locksOf(
  { derived }: Context,
  db: Db,
  works: readonly number[],
  except: readonly string[],
): Promise<Lock[]> {
  const { rows } = await sql<{ entity: string; ids: number[] }>`
    select entity, array_agg(distinct record_id) as ids from system_history
    where work = any(${works}::bigint[]) and entity <> all(${except}::text[]) and changes ? 'revision' group by entity`.execute(
    db,
  )
  return rows.flatMap(({ entity, ids }) => {
    const known = derived.catalog.entities[entity]
    return known ? [{ entity: known, ids: ids.map(Number) }] : []
  })
}

/**
 * Those that a user has changed or used since, so that the works cannot be undone.
 * @param going what else is undone, by entity
 */
export async function heldAmong(
  context: Context,
  db: Db,
  written: readonly Written[],
  going = new Map<string, Set<number>>(),
): Promise<Written[]> {
  for (const { entity, id } of written) {
    if (!going.has(entity.name)) going.set(entity.name, new Set())
    going.get(entity.name)!.add(id)
  }
  const held = written.filter(({ touched }) => touched)
  for (const [entity, group] of byEntity(written.filter(({ made, deleted }) => made && !deleted))) {
    const ids = group.map(({ id }) => id)
    const used = new Set(await referredAmong(context, db, entity, ids, going))
    held.push(...group.filter(({ id, touched }) => used.has(id) && !touched))
  }
  return held
}

/** Those that their entity's guards keep from being undone, each with the message. */
export async function guardedAmong(work: Work, written: readonly Written[]): Promise<{ id: number; message: Label }[]> {
  const found: { id: number; message: Label }[] = []
  for (const [entity, group] of byEntity(written.filter(({ deleted }) => !deleted))) {
    const guards = entity.undo?.guards ?? []
    if (guards.length === 0) continue
    const ids = group.map(({ id }) => id)
    for (const record of await stored(work, entity, 'id', ids, { lock: false })) {
      const [broken] = checkRules(entity, guards, record, verdictContext(work.context, record))
      if (broken) found.push({ id: record.id!, message: broken.message })
    }
  }
  return found
}

/** Deletes what the works created, restores what they changed, and brings back what they deleted, without effects. */
export async function takeBack(work: Work, written: readonly Written[]): Promise<void> {
  const changes: Change[] = []
  const noted = new Set<string>()
  for (const [entity, group] of byEntity(written)) {
    const byId = new Map(group.map((each) => [each.id, each]))
    const current = await stored(work, entity, 'id', [...byId.keys()])
    for (const old of current) {
      const { made, deleted, was } = byId.get(old.id!)!
      if (made && deleted) continue
      if (made) changes.push(gone(entity, old, noted))
      else changes.push({ ...unchanged(entity, old), record: { ...old, ...was }, restored: deleted })
    }
  }
  // Log entries about deleted records are deleted too.
  for (const [entity, group] of byEntity(changes.filter(({ deleted }) => deleted))) {
    const ids = group.map(({ record }) => record.id!)
    for (const { entity: journal, field } of journalsOf(work.context, entity)) {
      const about = await stored(work, journal, field.name, ids, { living: true })
      changes.push(
        ...about.filter((old) => !noted.has(`${journal.name} ${old.id}`)).map((old) => gone(journal, old, noted)),
      )
    }
  }
  await apply(work, changes)
}

async function stored(
  { context, db }: Work,
  entity: Entity,
  by: string,
  ids: readonly number[],
  { living = false, lock = true } = {},
): Promise<RecordData[]> {
  const conditions = [
    sql<boolean>`${sql.ref(`${main}.${by}`)} = any(${ids}::bigint[])`,
    ...(living ? [sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`] : []),
  ]
  const found = await readStored(context, db, entity, conditions, {
    order: sql.ref(`${main}.id`),
    lock,
    rows: true,
  })
  return found.map((record) => canonicalRecord(context, entity, record))
}

const unchanged = (entity: Entity, old: RecordData): Change => ({
  entity,
  record: { ...old },
  old,
  action,
  effects: [],
  changed: [],
})

function gone(entity: Entity, old: RecordData, noted: Set<string>): Change {
  noted.add(`${entity.name} ${old.id}`)
  return { ...unchanged(entity, old), deleted: true }
}
