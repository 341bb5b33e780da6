import type { Entity, RecordData } from '../../model/model.ts'
import { deletedTogether } from './deletion.ts'
import { applyEvents } from './effects.ts'
import { Refusal } from '../errors.ts'
import type { Context } from '../runtime.ts'
import { allows, lockRecord } from './save.ts'
import { apply } from './apply.ts'
import type { Change } from './Change.ts'
import type { Work } from './Work.ts'

/**
 * Deletes softly; refused while another record refers to it that is not deleted with it. @throws as a transition, and
 * inUse.
 */
export async function remove(work: Work, entity: Entity, id: number): Promise<void> {
  const { context, db } = work
  const old = await lockRecord(context, db, entity, id)
  if (!allows(context, entity, 'delete', old)) throw new Refusal('notAllowed')
  // One at a time: whatever refers to a record is deleted before it.
  for (const { entity: owner, record } of await deletedTogether(context, db, entity, old))
    await apply(work, [deletedChange(context, owner, record)])
}

/** The change made by a deletion: its effects run, but the fields that they set are not stored. */
export function deletedChange(context: Context, entity: Entity, old: RecordData, action = 'delete'): Change {
  const effects = applyEvents(context, entity, 'delete', { record: { ...old }, old, changed: [] })
  return { entity, record: { ...old }, old, action, effects, changed: [], deleted: true }
}
