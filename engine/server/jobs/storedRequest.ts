import type { CallRequest, Entity, Value } from '../../model/model.ts'
import { actionOf } from '../../model/operations.ts'
import { runsOnAll } from '../records/actOn.ts'
import { calledOf } from '../records/call.ts'
import { isSave } from './callSteps.ts'
import type { JobInput } from './Job.ts'

/** What a job needs of its request. The rest, which the call itself would ignore as well, would be kept for nothing. */
export function storedRequest(entity: Entity, operation: string, request: CallRequest): JobInput['request'] {
  const { id, ids, revision, values, thorough, cell }: JobInput['request'] = request
  return { id, ids, revision, values: values && takenOf(entity, actionOf(operation), values), thorough, cell }
}

function takenOf(entity: Entity, name: string, values: Record<string, Value>): Record<string, Value> | undefined {
  if (name === 'delete') return undefined
  if (isSave(name)) return values
  const called = calledOf(entity, name)
  // All others refuse values that their form does not have.
  if ('to' in called || !runsOnAll(called)) return values
  const given = called.form.flatMap(({ field }) => (Object.hasOwn(values, field) ? [[field, values[field]]] : []))
  return Object.fromEntries(given)
}
