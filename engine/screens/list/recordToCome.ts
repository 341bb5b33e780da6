import { dependencies } from '../../expression/index.ts'
import type { ActionPlan, EntityPlan, RecordData } from '../../model/model.ts'

/** What is known of a record before it is added below `owner`: the values that it would look up there. */
export function recordToCome({ fields }: EntityPlan, by: string, owner: RecordData): RecordData {
  const lookups = Object.values(fields).flatMap(({ name, computed }) =>
    computed?.kind === 'lookup' && computed.by === by && owner[computed.field] !== undefined
      ? [[name, owner[computed.field]]]
      : [],
  )
  return Object.fromEntries([[by, owner.id], ...lookups])
}

/** Whether adding it is already known to be refused. */
export const isRefused = (
  { shownWhen }: ActionPlan,
  toCome: RecordData,
  holds: (condition: string | undefined, record: RecordData) => boolean,
): boolean =>
  shownWhen !== undefined &&
  dependencies(shownWhen).every((name) => Object.hasOwn(toCome, name)) &&
  !holds(shownWhen, toCome)
