import type { CallRequest, Entity, EntityAction } from '../../model/model.ts'
import { Refusal } from '../errors.ts'
import type { Context } from '../runtime.ts'

/** The most records that one call takes. */
const mostRecords = 1000

/** @throws Refusal request. */
export function requestedIds({ id, ids }: CallRequest): number[] {
  const all = [...new Set(ids ?? (id === undefined ? [] : [id]))]
  if (all.length === 0 || all.length > mostRecords)
    throw new Refusal('request', { parameters: { detail: `id, ids (1–${mostRecords})` } })
  return all
}

/** Empty if a screen offers the action without a record. @throws Refusal request. */
export function requestedIdsFor(
  context: Context,
  entity: Entity,
  { name }: EntityAction,
  request: CallRequest,
): number[] {
  const isAlone = request.id === undefined && request.ids === undefined
  return isAlone && context.derived.alone.has(`${entity.endpoint}/${name}`) ? [] : requestedIds(request)
}
