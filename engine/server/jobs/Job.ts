import { type RawBuilder, sql } from 'kysely'
import type { CallRequest, SaveRequest } from '../../model/model.ts'
import type { CallPart, Context, Db, Runtime, Seen } from '../runtime.ts'

export const jobTable = 'system_job'
const kept = '7 days'

export type JobState = 'waiting' | 'done' | 'cancelled' | 'refused'

/** What a job should do; it never changes. Encrypted, because values may be sensitive. */
export interface JobInput {
  /** Without the revisions that its user saw, which change with the steps. */
  request: Omit<CallRequest, 'seen'> & Pick<SaveRequest, 'cell'>
  /** The parts that a procedure has split it into. */
  parts?: CallPart[]
  origin: Context['origin']
}

/** How far a call is that runs in the background, in steps, and what it came to. */
export interface FollowedJob {
  id: number
  entity: string
  /** A transition, an action, `delete`, or one of them with `/foresee`; `create` or `update`. */
  operation: string
  steps: number
  /** How many are done. */
  place: number
  outcome: Outcome
  state: JobState
}

/** Such a call as it is worked on, with what it was asked to do. */
export interface Job extends FollowedJob {
  user: number
  language: string
  input: JobInput
  seen?: Seen
  cancelled: boolean
  /** The first work of its steps: the others are shown with it. */
  act?: number
}

/** Its outcome so far. Encrypted, because it may contain generated passwords. */
export interface Outcome {
  result?: Record<string, unknown>
  /** The arguments of `Refusal`, if the whole job is refused. */
  refusal?: { code: string; text: Record<string, string>; problems?: unknown; conflict?: unknown; result?: unknown }
}

interface FollowedRow {
  id: number
  entity: string
  operation: string
  steps: number
  place: number
  outcome: string | null
  state: JobState
}

interface Row extends FollowedRow {
  user_id: number
  language: string
  asked: string
  seen: [string, number][]
  cancelled: boolean
  act: number | null
}

export async function addJob(
  { runtime, user, language, now }: Context,
  db: Db,
  { entity, operation, input, seen, steps }: Pick<Job, 'entity' | 'operation' | 'input' | 'seen' | 'steps'>,
  awaited: number,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into system_job (entity, operation, user_id, language, asked, seen, steps, awaited_until, at)
    values (${entity}, ${operation}, ${user.id}, ${language}, ${runtime.secrets.encrypt(JSON.stringify(input))},
      ${JSON.stringify([...(seen?.revisions ?? [])])}::jsonb, ${steps}, clock_timestamp() + make_interval(secs => ${awaited / 1000}), ${now})
    returning id`.execute(db)
  return Number(rows[0].id)
}

/** For those who follow them: reads no input, and of jobs under way no outcome, as both may be large. */
export async function followedJobs(runtime: Runtime, db: Db, where: RawBuilder<unknown>): Promise<FollowedJob[]> {
  const { rows } = await sql<FollowedRow>`select id, entity, operation, steps, place, state,
    case when state <> 'waiting' then outcome end as outcome from system_job where ${where} order by id`.execute(db)
  return rows.map((row) => followed(runtime, row))
}

const followed = ({ secrets }: Runtime, { id, entity, operation, steps, place, state, outcome }: FollowedRow) => ({
  id: Number(id),
  entity,
  operation,
  steps,
  place,
  state,
  outcome: outcome === null ? {} : (JSON.parse(secrets.decrypt(outcome)) as Outcome),
})

/**
 * Leases the job until the transaction ends; undefined if another process has it or it has ended. Its row stays
 * unlocked, so that it can be cancelled meanwhile.
 */
export async function takeJob(runtime: Runtime, db: Db, id: number): Promise<Job | undefined> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtext(${jobTable}), ${id}::integer) as taken`.execute(db)
  if (!rows[0].taken) return undefined
  const { rows: found } =
    await sql<Row>`select id, entity, operation, user_id, language, asked, seen, steps, place, outcome, state, cancelled, act
    from system_job where id = ${id} and state = 'waiting'`.execute(db)
  return found.map((row) => whole(runtime, row)).at(0)
}

const whole = (runtime: Runtime, row: Row): Job => ({
  ...followed(runtime, row),
  user: Number(row.user_id),
  language: row.language,
  cancelled: row.cancelled,
  input: JSON.parse(runtime.secrets.decrypt(row.asked)) as JobInput,
  ...(row.seen.length > 0 && { seen: { entity: row.entity, revisions: new Map(row.seen) } }),
  ...(row.act !== null && { act: Number(row.act) }),
})

/** The result of a step, stored in its transaction. What the job was asked to do is kept until it ends. */
export async function moveJob(
  { secrets }: Runtime,
  db: Db,
  { id }: Pick<Job, 'id'>,
  { place, outcome, state, seen, act }: Pick<Job, 'place' | 'outcome' | 'state' | 'act'> & { seen?: Seen },
): Promise<void> {
  const hasEnded = state !== 'waiting'
  const revisions = hasEnded ? '[]' : seen ? JSON.stringify([...seen.revisions]) : null
  await sql`update system_job set place = ${place}, state = ${state}, outcome = ${secrets.encrypt(JSON.stringify(outcome))},
    asked = case when ${hasEnded} then '' else asked end, seen = coalesce(${revisions}::jsonb, seen), act = ${act ?? null},
    failures = 0, retry_at = null, stepped_at = clock_timestamp()
    where id = ${id}`.execute(db)
}

/** Deletes jobs that ended too long ago for anyone to need them. */
export const purgeJobs = (db: Db): Promise<unknown> =>
  sql`delete from system_job where state <> 'waiting' and at < localtimestamp - ${kept}::interval`.execute(db)
