import { truncateText } from '../../model/truncateText.ts'
import { sql } from 'kysely'
import { composed } from '../../model/language.ts'
import type { CallResult, Entity, Label } from '../../model/model.ts'
import { actionOf } from '../../model/operations.ts'
import { refreshOverlay } from '../catalog/overlay.ts'
import { type ErrorName, fill, Refusal } from '../errors.ts'
import { engineMessages } from '../identity/identity.ts'
import { createContext, nobody, userById } from '../identity/session.ts'
import { withinSeconds } from '../postgres/allowance.ts'
import { isStatementTimeout, newIncident, outageOf } from '../postgres/outage.ts'
import { overlayVersion } from '../records/overlayVersion.ts'
import { notifyUser } from '../records/notifyUser.ts'
import { copyOfSeen } from '../records/seen.ts'
import { inWork } from '../records/Work.ts'
import type { Cause, Context, Db, Runtime } from '../runtime.ts'
import { failStep, isForeseen, isKnown, isSave, seenAfter, workStep } from './callSteps.ts'
import { type Job, jobTable, moveJob, type Outcome, takeJob } from './Job.ts'
import { labelOf } from './labelOf.ts'
import { countFailure, createWorker, mostFailures, putOff, type Worker } from './Worker.ts'

/** The maximum duration of a step. */
const stepSeconds = 1800
/** How many jobs run at once, so that a long step does not delay everybody else's. */
const atOnce = 3

interface Waiting {
  id: number
  entity: string
  operation: string
  user_id: number
  language: string
  failures: number
}

/** It was cancelled during the step, which is rolled back. */
class Cancelled extends Error {}

interface CallWorkerOptions {
  log?(error: unknown): void
  stepSeconds?: number
}

/** Runs the calls that are carried out in the background. */
export function createCallWorker(
  runtime: Runtime,
  { log = () => undefined, stepSeconds: seconds = stepSeconds }: CallWorkerOptions = {},
): Worker {
  const { kysely } = runtime.database

  async function waiting(): Promise<Waiting[]> {
    const { rows } = await sql<Waiting>`select id, entity, operation, user_id, language, failures from system_job
      where state = 'waiting' and (retry_at is null or retry_at < clock_timestamp())
      order by stepped_at limit 20`.execute(kysely)
    return rows
  }

  async function step(waiting: Waiting): Promise<boolean> {
    try {
      if (!isKnown(runtime.derived, waiting)) {
        await putOff(kysely, placeOf(waiting))
        return false
      }
      return await withinSeconds(seconds, () => next(waiting))
    } catch (error) {
      if (error instanceof Cancelled) return true
      // A job that cannot even be ended is retried later, not immediately.
      await failed(waiting, error).catch(async (later: unknown) => {
        log(later)
        await countFailure(kysely, placeOf(waiting), { atOnce: false }).catch(log)
      })
      return true
    }
  }

  /** In one transaction with its progress. */
  async function next(waiting: Waiting): Promise<boolean> {
    const context = await contextOf(runtime, waiting)
    const entity = context.derived.catalog.entities[waiting.entity]
    return inWork(context, { cause: 'system' }, async (work) => {
      const { db } = work
      const job = await takeJob(runtime, db, waiting.id)
      if (!job) return false
      work.context.work!.cause = causeOf(entity, job)
      if (job.cancelled) return end(work.context, db, job, 'cancelled')
      work.context.act = { first: job.act }
      const acting = { ...work.context, origin: job.input.origin, ...copyOfSeen({ ...work.context, seen: job.seen }) }
      try {
        const outcome = await workStep({ context: acting, db }, entity, job)
        if (await isCancelled(db, waiting.id)) throw new Cancelled()
        return await advance(work.context, db, { ...job, outcome, seen: seenAfter(job, acting) })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return end(work.context, db, { ...job, outcome: refused(job, error) }, 'refused')
      }
    })
  }

  /** A failure for a reason other than the data is retried later. */
  async function failed(waiting: Waiting, error: unknown): Promise<void> {
    const outage = outageOf(error)
    const refusal = refusalOf(error)
    const isSlow = refusal === 'tooSlow'
    const incident = newIncident()
    log(isSlow ? new Error(`A step took too long (incident ${incident})`, { cause: error }) : error)
    if (outage && outage !== 'late') return putOff(kysely, placeOf(waiting))
    const isOver = isSlow || waiting.failures + 1 >= mostFailures
    const context = await contextOf(runtime, waiting)
    await inWork(context, { cause: 'system' }, async ({ db }) => {
      const job = await takeJob(runtime, db, waiting.id)
      if (!job) return
      if (!isOver) return countFailure(db, placeOf(waiting), { atOnce: false })
      const because = new Refusal(refusal, { parameters: { incident } })
      try {
        await advance(context, db, { ...job, seen: undefined, outcome: failStep(job, because) })
      } catch (whole) {
        if (whole !== because) throw whole
        await end(context, db, { ...job, outcome: refused(job, because) }, 'refused')
      }
    })
  }

  const workers = Array.from({ length: atOnce }, () => createWorker(runtime, { waiting, step, log }))
  return {
    round: () => workers[0].round(),
    drain: () => workers[0].drain(),
    start: () => workers.forEach((worker) => worker.start()),
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()))
    },
  }
}

const placeOf = ({ id }: Waiting) => ({ table: jobTable, where: sql`id = ${id}` })

/** Deadlocks and lock timeouts have already been retried. */
function refusalOf(error: unknown): ErrorName {
  const { code = '' } = error as { code?: string }
  if (outageOf(error) === 'late' || isStatementTimeout(error)) return 'tooSlow'
  return ['40P01', '40001', '55P03'].includes(code) ? 'busy' : 'system'
}

/** As the user who requested it, with their current permissions; as nobody, if they have left. */
async function contextOf(runtime: Runtime, { user_id: id, language }: Waiting): Promise<Context> {
  const { kysely } = runtime.database
  await refreshOverlay(runtime, await overlayVersion(kysely))
  const { enabled, ...user } = (await userById(runtime, kysely, id)) ?? nobody(id)
  return createContext(runtime, enabled ? user : { ...user, roles: [], permissions: [] }, language)
}

function causeOf(entity: Entity, { operation, input }: Job): Cause {
  const name = actionOf(operation)
  if (isSave(name)) return input.request.cell ? 'cell' : 'form'
  if (operation !== name) return `foresee:${name}`
  if (name === 'delete') return name
  return Object.hasOwn(entity.actions, name) ? `action:${name}` : `transition:${name}`
}

async function isCancelled(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql<{ cancelled: boolean }>`select cancelled from system_job where id = ${id}`.execute(db)
  return rows[0].cancelled
}

const refused = ({ outcome }: Job, { code, text, problems, conflict, result }: Refusal): Outcome => ({
  ...outcome,
  refusal: { code, text, problems, conflict, result },
})

async function advance(context: Context, db: Db, job: Job): Promise<true> {
  const place = job.place + 1
  const act = job.act ?? context.work?.id
  if (place >= job.steps) return end(context, db, { ...job, place, act }, 'done')
  await moveJob(context.runtime, db, job, { ...job, place, act, state: 'waiting' })
  return true
}

/** A user who no longer waits for the answer gets a message. */
async function end(context: Context, db: Db, job: Job, state: 'done' | 'cancelled' | 'refused'): Promise<true> {
  await moveJob(context.runtime, db, job, { ...job, state })
  const { rows } =
    await sql`select 1 from system_job where id = ${job.id} and awaited_until < clock_timestamp()`.execute(db)
  if (rows.length > 0 && !isForeseen(job.operation)) await notifyRequester(context, db, job, state)
  return true
}

const titles: Record<'done' | 'cancelled' | 'refused', Label> = {
  done: { cn: '已办理：{label}', en: 'Done: {label}' },
  cancelled: { cn: '已取消：{label}', en: 'Cancelled: {label}' },
  refused: { cn: '未能办理：{label}', en: 'Not done: {label}' },
}
const mostNamed = 5

async function notifyRequester(context: Context, db: Db, job: Job, state: keyof typeof titles): Promise<void> {
  const { succeeded, failed = [], summary } = (job.outcome.result ?? {}) as Partial<CallResult>
  const counts = fill(
    { cn: '成功{n}条，失败{m}条', en: '{n} succeeded, {m} failed' },
    { n: succeeded ?? 0, m: failed.length },
  )
  const came = failed.length === 0 && summary ? summary : counts
  const reasons = failed.slice(0, mostNamed).map(({ id, name = String(id), message }) => `${name}: ${message}`)
  const parts = [job.outcome.refusal?.text, job.place > 0 && succeeded !== undefined ? came : undefined]
  const texts = parts.filter((text) => text !== undefined)
  await notifyUser(context, db, job.user, {
    type: engineMessages.job,
    title: fill(titles[state], { label: labelOf(context, job) }),
    content: composed([titles[state], ...texts], (read) =>
      truncateText([...texts.map(read), ...reasons].filter(Boolean).join('\n'), 500),
    ),
    link: null,
  })
}
