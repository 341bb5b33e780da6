import type { ActionPlan, CallRequest, RecordData, SeenRevisions, Value } from '../../model/model.ts'

/** The records of a call with the revisions that the user saw; in a batch each may fail separately. */
export function chosen(action: ActionPlan, entity: string, records: RecordData[]): CallRequest {
  if (action.on !== 'batch' && records.length === 1) return { id: records[0].id, revision: records[0].revision }
  if (records.length === 0) return {}
  const known = records.filter(({ revision }) => revision !== undefined)
  return {
    ids: records.map(({ id }) => id!),
    ...(known.length > 0 && {
      seen: { [entity]: Object.fromEntries(known.map(({ id, revision }) => [id!, revision!])) },
    }),
  }
}

/** What the user gave to a call: the values, and the revisions that its dialog was opened with. */
export interface Given {
  values?: Record<string, Value>
  seen?: SeenRevisions
}

/** A call and its preview send the same. */
export function callOf(
  action: ActionPlan,
  entity: string,
  records: RecordData[],
  { values, seen }: Given,
): CallRequest {
  const own = chosen(action, entity, records)
  const all = seen || own.seen ? { seen: { ...seen, ...own.seen } } : {}
  return { ...own, ...all, ...(values && { values }) }
}
