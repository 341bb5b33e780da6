import type { Effects, Entity, RecordData } from '../../model/model.ts'

/** What happens to one record in a work. */
export interface Change {
  entity: Entity
  /** The record as it will be; writing gives it its id, numbers and revision. */
  record: RecordData
  /** The stored record, locked; null for a new one. */
  old: RecordData | null
  /** The action's name in the history. */
  action: string
  /** What follows the change; fields that these set are in the record already. */
  effects: readonly Effects[]
  /** The fields changed before effects set any: `changed` in formulas. */
  changed: readonly string[]
  /** Fields that count as changed even where nothing differs: secrets in clear text, and what the user sees only masked. */
  plain?: ReadonlySet<string>
  /** Raises the revision even if nothing differs, so that anyone who saw the record before is stale. */
  touched?: boolean
  deleted?: boolean
  /** It was deleted, and is there again. */
  restored?: boolean
}

/** Entity → its changes, in the order given. */
export function byEntity<T extends { entity: Entity }>(changes: readonly T[]): Map<Entity, T[]> {
  const groups = new Map<Entity, T[]>()
  for (const change of changes) {
    const group = groups.get(change.entity)
    if (group) group.push(change)
    else groups.set(change.entity, [change])
  }
  return groups
}
