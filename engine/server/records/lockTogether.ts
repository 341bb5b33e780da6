import { sql } from 'kysely'
import type { Entity } from '../../model/model.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'

/** Records of one entity to lock. */
export interface Lock {
  entity: Entity
  ids: Iterable<number>
  /** Records that refer to them may be written meanwhile. */
  weak?: boolean
}

/** The order in which every work takes its locks. */
export const byName = (entity: Entity, other: Entity): number =>
  entity.name < other.name ? -1 : entity.name > other.name ? 1 : 0

/**
 * Locks what is known at the start, by entity name and then by id, so that two works that need the same records cannot
 * deadlock.
 */
export async function lockTogether(context: Context, db: Db, locks: readonly Lock[]): Promise<void> {
  const together = new Map<Entity, { ids: Set<number>; weak: boolean }>()
  for (const { entity, ids, weak = false } of locks) {
    const known = together.get(entity)
    together.set(entity, { ids: new Set([...(known?.ids ?? []), ...ids]), weak: weak && (known?.weak ?? true) })
  }
  for (const [entity, { ids, weak }] of [...together].toSorted(([a], [b]) => byName(a, b))) {
    const strength = weak ? sql`for no key update` : sql`for update`
    await sql`select 1 from ${tableOf(context, entity)} where id = any(${[...ids]}::bigint[]) order by id ${strength}`.execute(
      db,
    )
  }
}
