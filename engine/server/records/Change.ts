import type { Effects, Entity, RecordData } from '../../schema/model.ts'

/** What becomes of one record in a work. */
export interface Change {
  entity: Entity
  /** As it is to be; it gets its id, its numbers and its revision. */
  record: RecordData
  /** As it is stored, locked; null for a new one. */
  old: RecordData | null
  /** What history calls it. */
  action: string
  /** What follows it; what these set is in the record already. */
  effects: readonly Effects[]
  /** The fields that were changed before anything was set: what formulas see as `changed`. */
  changed: readonly string[]
  /** The fields that hold a new secret in clear text. */
  plain?: ReadonlySet<string>
  /** It counts as written also where nothing differs: whoever saw it before this has seen an older one. */
  touched?: boolean
  deleted?: boolean
}

/** Entity → its changes, each in the order given. */
export function byEntity<T extends { entity: Entity }>(changes: readonly T[]): Map<Entity, T[]> {
  const groups = new Map<Entity, T[]>()
  for (const change of changes) {
    const group = groups.get(change.entity)
    if (group) group.push(change)
    else groups.set(change.entity, [change])
  }
  return groups
}
