import { sql } from 'kysely'
import { textIn } from '../../model/language.ts'
import type { CallRequest, CallResult, Entity } from '../../model/model.ts'
import { actionOf } from '../../model/operations.ts'
import { demand } from '../identity/access.ts'
import { callAtOnce, calledOf, oneByOne, partsOf, permissionOf } from '../records/call.ts'
import { chosen } from '../records/chosen.ts'
import { foreseeWithin } from '../records/foresee.ts'
import { nameOf } from '../records/nameOf.ts'
import { main, readStored, visibleConditions } from '../records/reading/read.ts'
import { canonicalRecord, isEqual } from '../records/reading/canonical.ts'
import { save } from '../records/records.ts'
import { addTallies, withSentence } from '../records/tally.ts'
import { attemptWithin, type Work } from '../records/Work.ts'
import type { Derived } from '../derived.ts'
import { Refusal } from '../errors.ts'
import type { CallPart, Context } from '../runtime.ts'
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
  if (isForeseen(operation) || isSave(operation)) return { steps: 1 }
  if (oneByOne(work.context, entity, operation, request)) return { steps: chosen(request).length }
  const action = entity.actions[operation]
  if (typeof action.job !== 'string') return { steps: 1 }
  const parts = await partsOf(work, entity, action, request)
  // An empty call still reports why there is nothing to do.
  return parts.length > 0 ? { steps: parts.length, parts } : { steps: 1 }
}

/**
 * Runs the next step of a job. A refusal is that of a record or part, but for a job without parts it is the whole
 * job's. @throws Refusal then, and if the user lost the permission.
 */
export async function workStep(work: Work, entity: Entity, job: Job): Promise<Outcome> {
  const { operation, asked, place } = job
  const { request, parts } = asked
  demand(work.context.user, permissionFor(entity, operation))
  const run = (act: () => Promise<CallResult | void>) =>
    attemptWithin(work, async () => (await act()) ?? { succeeded: 1, failed: [] })
  if (isForeseen(operation)) return { result: { ...(await foreseeWithin(work, entity, actionOf(operation), request)) } }
  if (isSave(operation))
    return { result: { ...(await attemptWithin(work, () => save(work, entity, operation, request))) } }
  const apart = oneByOne(work.context, entity, operation, request)
  if (apart) {
    const id = chosen(request)[place]
    const result = await refusedAs({ id }, request.ids !== undefined, work, entity, () =>
      run(() => apart.act(work, id, place)),
    )
    return { result: added(job.outcome.result, result) }
  }
  const part = parts?.[place]
  const values = { ...request.values, ...part?.values }
  const result = await refusedAs(
    { id: part?.id ?? place + 1, ...(part?.name !== undefined && { name: part.name }) },
    part !== undefined,
    work,
    entity,
    () => run(() => callAtOnce(work, entity, operation, { ...request, values })),
  )
  return { result: added(job.outcome.result, result) }
}

/** A step that failed for a reason other than a refusal. */
export function failStep(job: Job, refusal: Refusal): Outcome {
  const { asked, place, operation, outcome } = job
  const { request, parts } = asked
  if (isForeseen(operation) || (request.ids === undefined && !parts)) throw refusal
  const part = parts?.[place]
  const named = { id: part?.id ?? request.ids?.[place] ?? place + 1, name: part?.name }
  const failed = [{ ...named, message: textIn(refusal.text, job.language) }]
  return { result: added(outcome.result, { succeeded: 0, failed }) }
}

async function refusedAs(
  named: { id: number; name?: string },
  isOneOfMany: boolean,
  work: Work,
  entity: Entity,
  act: () => Promise<CallResult>,
): Promise<CallResult> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal) || !isOneOfMany) throw error
    const name = named.name ?? (await nameIn(work, entity, named.id))
    return {
      succeeded: 0,
      failed: [{ id: named.id, ...(name !== null && { name }), message: textIn(error.text, work.context.language) }],
    }
  }
}

/** A record's name, for users who may see it. */
async function nameIn({ context, db }: Work, entity: Entity, id: number): Promise<string | null> {
  const where = [sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`, ...visibleConditions(context, entity)]
  const [stored] = await readStored(context, db, entity, where)
  return stored ? nameOf(context, entity, canonicalRecord(context, entity, stored)) : null
}

type Result = Record<string, unknown>

/** Combines the outcomes of the steps. A message is kept only if all steps have the same; counts add up. */
function added(former: Result | undefined, result: CallResult): Result {
  const before = (former ?? { succeeded: 0, failed: [], told: result.told }) as unknown as CallResult
  const lists = Object.fromEntries(
    (['files', 'passwords'] as const).flatMap((name) => {
      const all = [...(before[name] ?? []), ...(result[name] ?? [])]
      return all.length > 0 ? [[name, all]] : []
    }),
  )
  const tally = addTallies(before.tally, result.tally)
  const { told: _told, ...all } = { ...before, ...result, ...lists }
  return withSentence({
    ...all,
    ...(result.told && isEqual(before.told, result.told) && { told: result.told }),
    ...(tally.length > 0 && { tally }),
    succeeded: before.succeeded + result.succeeded,
    failed: [...before.failed, ...result.failed],
  })
}

/** The revisions that the user saw, updated if a step has changed records that are still to come. */
export const seenAfter = ({ seen: before }: Job, { seen: now }: Context) =>
  now && JSON.stringify([...now.revisions]) !== JSON.stringify([...(before?.revisions ?? [])]) ? now : undefined
