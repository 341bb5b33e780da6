import type { Entity, RecordData } from '../../schema/model.ts'
import { isUnchanged } from '../stored.ts'
import { apply } from './apply.ts'
import { keyOf, type Work } from './Work.ts'
import { updateRecords } from './write.ts'

interface Further {
  record: RecordData
  old: RecordData
}

/**
 * What a procedure makes of records, with its history. Of a record that is just being written history tells once, when
 * all is done to it, so that this only goes on with it. What nobody named and changes nothing is not told.
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
  const told = (action === 'update' ? differing : pairs).filter((pair) => !isOpen(pair))
  await apply(
    work,
    told.map(({ record, old }) => ({ entity, record, old, action, effects: [], changed: [] })),
  )
}
