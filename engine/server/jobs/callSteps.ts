import { textIn } from '../../model/language.ts'
import type { CallRequest, Entity } from '../../model/model.ts'
import { actionOf } from '../../model/operations.ts'
import { demand } from '../identity/access.ts'
import { calledOf, permissionOf } from '../records/call.ts'
import { save } from '../records/records.ts'
import { attemptWithin, type Work } from '../records/Work.ts'
import type { Derived } from '../derived.ts'
import { Refusal } from '../errors.ts'
import type { CallPart, Context } from '../runtime.ts'
import { added, carryOut, stepsOf } from './carryOut.ts'
import { foreseeWithin } from './foresee.ts'
import type { Job, Outcome } from './Job.ts'

export const isSave = (operation: string): operation is 'create' | 'update' =>
  operation === 'create' || operation === 'update'
/** Whether it only shows what the operation would lead to. */
export const isForeseen = (operation: string) => operation.endsWith('/foresee')

/** Whether the job's operation still exists, because schema files may have changed since. */
export function isKnown(
  { catalog, operations }: Derived,
  { entity: name, operation }: Pick<Job, 'entity' | 'operation'>,
): boolean {
  const entity = Object.hasOwn(catalog.entities, name) ? catalog.entities[name] : undefined
  return entity !== undefined && operations.has(`POST ${entity.endpoint}/${operation}`)
}

/** The permission that a job's operation takes. */
export const permissionFor = (entity: Entity, operation: string): string =>
  isSave(operation) ? entity.permissions[operation] : permissionOf(entity, actionOf(operation))

/** Whether an effect that is declared as long follows the save of these fields, or the deletion. */
const isFollowedLong = ({ saves }: Entity, name: string, values: object): boolean =>
  saves.some(
    ({ job, on, changed }) => job && on === name && (!changed || changed.some((field) => Object.hasOwn(values, field))),
  )

/** Whether it may take long: a call on several records, or declared so. */
export function isLong(entity: Entity, operation: string, { ids = [], values = {} }: CallRequest): boolean {
  const name = actionOf(operation)
  if (isFollowedLong(entity, name, values)) return true
  if (isSave(name)) return false
  if (name !== 'delete' && (calledOf(entity, name).job ?? false) !== false) return true
  return !isForeseen(operation) && ids.length > 1
}

/** Splits a call into steps. @throws Refusal if the whole call is invalid. */
export async function divide(
  work: Work,
  entity: Entity,
  operation: string,
  request: CallRequest,
): Promise<{ steps: number; parts?: CallPart[] }> {
  return isForeseen(operation) || isSave(operation) ? { steps: 1 } : stepsOf(work, entity, operation, request)
}

/** Runs the next step of a job. @throws Refusal as `carryOut`, and if the user lost the permission. */
export async function workStep(work: Work, entity: Entity, job: Job): Promise<Outcome> {
  const { operation, input } = job
  const { request } = input
  demand(work.context.user, permissionFor(entity, operation))
  if (isForeseen(operation)) return { result: { ...(await foreseeWithin(work, entity, actionOf(operation), request)) } }
  if (isSave(operation))
    return { result: { ...(await attemptWithin(work, () => save(work, entity, operation, request))) } }
  return carryOut(work, entity, job)
}

/** A step that failed for a reason other than a refusal. */
export function failStep(job: Job, refusal: Refusal): Outcome {
  const { input, place, operation, outcome } = job
  const { request, parts } = input
  if (isForeseen(operation) || (request.ids === undefined && !parts)) throw refusal
  const part = parts?.[place]
  const named = { id: part?.id ?? request.ids?.[place] ?? place + 1, name: part?.name }
  const failed = [{ ...named, message: textIn(refusal.text, job.language) }]
  return { result: added(outcome.result, { succeeded: 0, failed }) }
}

/** The revisions that the user saw, updated if a step has changed records that are still to come. */
export const seenAfter = ({ seen: before }: Job, { seen: now }: Context) =>
  now && JSON.stringify([...now.revisions]) !== JSON.stringify([...(before?.revisions ?? [])]) ? now : undefined
