import { dependencies } from '../../expression/index.ts'
import type { ActionPlan, EntityPlan, RecordData } from '../../model/model.ts'

/** As much as is known of a record that would be added below `owner`: what it looks up there. */
export function recordToCome({ fields }: EntityPlan, by: string, owner: RecordData): RecordData {
  const lookups = Object.values(fields).flatMap(({ name, computed }) =>
    computed?.kind === 'lookup' && computed.by === by && owner[computed.field] !== undefined
      ? [[name, owner[computed.field]]]
      : [],
  )
  return Object.fromEntries([[by, owner.id], ...lookups])
}

/** May it not be added, by what is known of it? */
export const isRefused = (
  { shownWhen }: ActionPlan,
  toCome: RecordData,
  holds: (condition: string | undefined, record: RecordData) => boolean,
): boolean =>
  shownWhen !== undefined &&
  dependencies(shownWhen).every((name) => Object.hasOwn(toCome, name)) &&
  !holds(shownWhen, toCome)
