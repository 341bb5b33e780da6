import type { Effects, Entity, RecordData } from '../../model/model.ts'

/** What happens to one record in a work. */
export interface Change {
  entity: Entity
  /** The record as it will be; writing assigns its id, numbers and revision. */
  record: RecordData
  /** The stored record, locked; null for a new one. */
  old: RecordData | null
  /** Its action name in history. */
  action: string
  /** The effects of the change; fields that they set are already in the record. */
  effects: readonly Effects[]
  /** The fields changed before effects set any: `changed` in formulas. */
  changed: readonly string[]
  /**
   * Fields that count as changed even without a difference: secrets in clear text, and values that the user only sees
   * masked.
   */
  plain?: ReadonlySet<string>
  /** Raises the revision even if nothing differs, so that anyone who saw the record before is stale. */
  touched?: boolean
  deleted?: boolean
  /** A deleted record is restored. */
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
