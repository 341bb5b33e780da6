import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { CallRequest, Entity, FieldProblem, JobProgress, Label } from '../../model/model.ts'
import { demand } from '../identity/access.ts'
import { type ErrorName, Refusal } from '../errors.ts'
import { seeing } from '../records/seen.ts'
import { inWork, type Work } from '../records/Work.ts'
import type { Context } from '../runtime.ts'
import { divide, isForeseen, isKnown, isSave, permissionFor } from './callSteps.ts'
import { addJob, followedJobs, type FollowedJob } from './Job.ts'
import { jobPauses } from './jobPauses.ts'
import { labelOf } from './labelOf.ts'
import { storedRequest } from './storedRequest.ts'

export type Progress = Omit<JobProgress, 'refusal'> & { refusal?: Refusal }

/** How long a call waits for its own job. */
const patience = () => jobPauses.milliseconds.reduce((total, pause) => total + pause, 0)

/**
 * Runs a call in the background. The same request with the same key is the same job.
 * @returns the call's result, or its progress if it takes longer
 * @throws Refusal as the call does
 */
export async function callAsJob(
  context: Context,
  entity: Entity,
  operation: string,
  request: CallRequest,
): Promise<{ result: object } | { job: Progress }> {
  demand(context.user, permissionFor(entity, operation))
  const { job: id } = await inWork(asFollowed(context, operation), { cause: `job:${operation}` }, async (work) => {
    await refuseMany(work)
    // A stale save may be merged, so it compares its revision itself.
    const seen = isSave(operation) ? undefined : seeing(context, entity, request).seen
    const divided = await divide({ ...work, context: { ...work.context, seen } }, entity, operation, request)
    const input = {
      request: storedRequest(entity, operation, request),
      origin: context.origin,
      parts: divided.parts,
    }
    return {
      job: await addJob(context, work.db, { entity: entity.name, operation, input, seen, ...divided }, patience()),
    }
  })
  context.runtime.wakeWorkers()
  for (const pause of jobPauses.milliseconds) {
    await delay(pause)
    const job = await ownJob(context, id)
    if (job.state !== 'waiting') return answerOf(job)
  }
  return { job: progressOf(context, await ownJob(context, id)) }
}

/**
 * The same key sent without following is a different request, so it is refused rather than done again. A preview may be
 * done again.
 */
function asFollowed({ request, ...context }: Context, operation: string): Context {
  return request && !isForeseen(operation)
    ? { ...context, request: { ...request, digest: `followed ${request.digest}` } }
    : context
}

/** The answer that the call itself would have given. @throws Refusal as it does. */
function answerOf({ outcome }: FollowedJob): { result: object } {
  const refusal = refusalOf(outcome.refusal)
  if (refusal) throw refusal
  return { result: outcome.result ?? { succeeded: 0, failed: [] } }
}

function refusalOf(stored: FollowedJob['outcome']['refusal']): Refusal | undefined {
  if (!stored) return undefined
  const { code, text, problems, conflict, result } = stored
  return new Refusal(code as ErrorName, {
    text: text as Label,
    problems: problems as FieldProblem[] | undefined,
    conflict: conflict as Refusal['conflict'],
    result,
  })
}

/** How many of a user's calls may wait. */
const mostWaiting = 20

/** Keeps one user's calls from delaying everybody else's. @throws Refusal tooManyRequests. */
async function refuseMany({ context, db }: Work): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('waiting jobs'), ${context.user.id})`.execute(db)
  const { rows } = await sql`select 1 from system_job where user_id = ${context.user.id} and state = 'waiting'
    limit ${mostWaiting}`.execute(db)
  if (rows.length === mostWaiting) throw new Refusal('tooManyRequests')
}

/**
 * The progress of a job for its user; and its outcome, while they have the permission.
 * @throws Refusal unknownRecord, permission.
 */
export async function jobProgress(context: Context, id: number): Promise<Progress> {
  const job = await ownJob(context, id)
  if (job.state !== 'waiting')
    demand(context.user, permissionFor(context.derived.catalog.entities[job.entity], job.operation))
  return progressOf(context, job)
}

/** A user's own running jobs. */
export async function jobsUnderWay(context: Context): Promise<Progress[]> {
  const { runtime, user } = context
  const jobs = await followedJobs(runtime, runtime.database.kysely, sql`user_id = ${user.id} and state = 'waiting'`)
  return jobs
    .filter((job) => isKnown(context.derived, job) && !isForeseen(job.operation))
    .map((job) => progressOf(context, job))
}

/** No further step of it begins, and the current one is rolled back. @throws Refusal unknownRecord. */
export async function cancelJob(context: Context, id: number): Promise<Progress> {
  await ownJob(context, id)
  await sql`update system_job set cancelled = true, retry_at = null where id = ${id} and state = 'waiting'`.execute(
    context.runtime.database.kysely,
  )
  context.runtime.wakeWorkers()
  return jobProgress(context, id)
}

async function ownJob({ runtime, user, derived }: Context, id: number): Promise<FollowedJob> {
  const [job] = await followedJobs(runtime, runtime.database.kysely, sql`id = ${id} and user_id = ${user.id}`)
  if (!job || !isKnown(derived, job)) throw new Refusal('unknownRecord')
  return job
}

function progressOf(context: Context, job: FollowedJob): Progress {
  const { id, entity, place: done, steps, state, outcome } = job
  const refusal = refusalOf(outcome.refusal)
  return {
    id,
    entity,
    label: labelOf(context, job),
    ...(isForeseen(job.operation) && { preview: true }),
    done,
    steps,
    state,
    ...(state !== 'waiting' && outcome.result && { result: outcome.result }),
    ...(refusal && { refusal }),
  }
}
