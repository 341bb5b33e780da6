import { recompute } from '../../engine/server/records/effects.ts'
import type { Context, Db } from '../../engine/server/runtime.ts'
import { updateRecords } from '../../engine/server/records/write.ts'
import type { Entity, RecordData } from '../../engine/model/model.ts'

export const entityOf = (context: Context, name: string): Entity => context.derived.catalog.entities[name]

/** Writes further changes of a record that was read or written before, including its stored formulas. */
export async function changeRecord(
  context: Context,
  db: Db,
  entity: Entity,
  record: RecordData,
  changes: RecordData,
): Promise<void> {
  const old = { ...record }
  Object.assign(record, changes)
  recompute(context, entity, record)
  await updateRecords(context, db, entity, [{ record, old }])
}
