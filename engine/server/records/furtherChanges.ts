import type { Entity, RecordData } from '../../model/model.ts'
import { isUnchanged } from './reading/canonical.ts'
import { apply } from './apply.ts'
import { keyOf, type Work } from './Work.ts'
import { updateRecords } from './write.ts'

interface Further {
  record: RecordData
  old: RecordData
}

/**
 * Writes what a procedure changes, with history. A record that is already being written gets its history from that
 * write, so this only adds to it. A change without an action name that alters nothing is not recorded.
 */
export async function changeFurther(
  work: Work,
  entity: Entity,
  pairs: readonly Further[],
  action: string,
): Promise<void> {
  const { context, db } = work
  const differing = pairs.filter(({ record, old }) => !isUnchanged(entity, old, record))
  const isOpen = ({ record }: Further) => context.work?.open?.has(keyOf(entity, record)) ?? false
  await updateRecords(context, db, entity, differing.filter(isOpen))
  const recorded = (action === 'update' ? differing : pairs).filter((pair) => !isOpen(pair))
  await apply(
    work,
    recorded.map(({ record, old }) => ({ entity, record, old, action, effects: [], changed: [] })),
  )
}
