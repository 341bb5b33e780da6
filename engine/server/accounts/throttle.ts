import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../postgres/database.ts'
import { type ErrorName, Refusal } from '../errors.ts'
import { policy } from '../identity/policies.ts'
import type { Runtime } from '../runtime.ts'
import { changeTables } from '../postgres/changeTables.ts'

/** How many minutes sign-in stays locked after too many failures. */
export const lockMinutes = 10

export const createThrottleTable = (database: Database): Promise<void> =>
  changeTables(database, async (transaction) => {
    await sql`create table if not exists system_sign_in_failure (key text primary key, failures integer not null, at timestamp(0) not null)`.execute(
      transaction,
    )
  })

/**
 * Attempts with one key run in turn, because simultaneous attempts would all be checked before the first one counts.
 */
const queues = new Map<string, Promise<unknown>>()

function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = (queues.get(key) ?? Promise.resolve()).then(work, work)
  const settled = turn
    .catch(() => undefined)
    .finally(() => {
      if (queues.get(key) === settled) queues.delete(key)
    })
  queues.set(key, settled)
  return turn
}

const keyOf = (who: readonly (string | number)[]) => createHash('sha256').update(JSON.stringify(who)).digest('hex')

/** The number of recent failures under this key. */
export async function recentFailures({ database }: Runtime, who: readonly (string | number)[]): Promise<number> {
  const {
    rows: [row],
  } = await sql<{ failures: number }>`select failures from system_sign_in_failure
    where key = ${keyOf(who)} and at > localtimestamp - make_interval(mins => ${lockMinutes})`.execute(database.kysely)
  return row?.failures ?? 0
}

/** Counts a failure without throttling anyone. */
export const noteFailure = (runtime: Runtime, who: readonly (string | number)[]): Promise<void> =>
  countFailure(runtime, keyOf(who))

/**
 * Runs work that a password protects.
 * @param who keys whose failures are counted together
 * @param work calls `wrong` for a wrong password; once it completes, earlier failures are forgotten
 * @throws Refusal `tooMany` after too many failures, without running the work
 */
export function throttled<T>(
  runtime: Runtime,
  who: readonly (string | number)[],
  tooMany: ErrorName,
  work: (wrong: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const key = keyOf(who)
  return inTurn(key, async () => {
    const { kysely } = runtime.database
    const {
      rows: [locked],
    } = await sql<{ minutes: number }>`
      select ceil(extract(epoch from at + make_interval(mins => ${lockMinutes}) - localtimestamp(0)) / 60)::integer as minutes from system_sign_in_failure
      where key = ${key} and failures >= ${policy(runtime, 'signInFailures')} and at > localtimestamp - make_interval(mins => ${lockMinutes})`.execute(
      kysely,
    )
    if (locked) throw new Refusal(tooMany, { parameters: { minutes: Math.max(1, locked.minutes) } })
    const result = await work(() => countFailure(runtime, key))
    await sql`delete from system_sign_in_failure where key = ${key} or at < localtimestamp - interval '1 day'`.execute(
      kysely,
    )
    return result
  })
}

/** Failures older than the lock no longer count. */
async function countFailure({ database }: Runtime, key: string): Promise<void> {
  await sql`insert into system_sign_in_failure as f (key, failures, at) values (${key}, 1, localtimestamp) on conflict (key) do update
    set failures = case when f.at > localtimestamp - make_interval(mins => ${lockMinutes}) then f.failures + 1 else 1 end, at = localtimestamp`.execute(
    database.kysely,
  )
}
