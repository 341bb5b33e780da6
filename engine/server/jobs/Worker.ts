import { type RawBuilder, sql } from 'kysely'
import { inBackground } from '../postgres/allowance.ts'
import type { Db, Runtime } from '../runtime.ts'

const idleMilliseconds = 1000

export interface Worker {
  /** Looks for work now, and again whenever it runs out. */
  start(): void
  /** Does one step of each waiting item. @returns how many steps there were. */
  round(): Promise<number>
  /** Works until nothing waits. */
  drain(): Promise<void>
  /** Ends after the current step; the rest continues after the next start. */
  stop(): Promise<void>
}

interface Work<Waiting> {
  waiting(): Promise<readonly Waiting[]>
  /**
   * A transaction that stores its progress. @returns whether there was something to do that no other process was doing
   */
  step(waiting: Waiting): Promise<boolean>
  /** Releases what it kept between steps of items that no longer wait. */
  release?(waiting: readonly Waiting[]): Promise<void>
  log(error: unknown): void
}

/**
 * Works through waiting items in steps, one of each in turn, so that a small item does not wait for a large one. A
 * killed process leaves nothing half done, and any process continues from there.
 */
export function createWorker<Waiting>(
  runtime: Pick<Runtime, 'workers'>,
  { waiting, step, release = async () => undefined, log }: Work<Waiting>,
): Worker {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let woken = false
  let stopping = false

  async function round(): Promise<number> {
    const found = await waiting()
    let steps = 0
    for (const each of found) {
      if (stopping) break
      if (await step(each)) steps++
    }
    await release(found)
    return steps
  }

  function schedule(milliseconds: number): void {
    clearTimeout(timer)
    if (stopping) return
    timer = setTimeout(() => {
      woken = false
      running = inBackground(round)
        .catch((error: unknown) => {
          log(error)
          return 0
        })
        .then((count) => {
          running = undefined
          schedule(count > 0 || woken ? 0 : idleMilliseconds)
        })
    }, milliseconds)
  }

  const wake = () => {
    woken = true
    if (!running) schedule(0)
  }
  return {
    round,
    start() {
      runtime.workers.add(wake)
      schedule(0)
    },
    async drain() {
      while ((await round()) > 0);
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      runtime.workers.delete(wake)
      await running
      await release([])
    },
  }
}

/** How often a step is retried that failed for a reason other than its data. */
export const mostFailures = 5

interface Place {
  table: string
  /** Selects the row of the job. */
  where: RawBuilder<unknown>
}

/** An outage does not count as a failure. */
export const putOff = async (db: Db, { table, where }: Place): Promise<void> => {
  await sql`update ${sql.table(table)} set retry_at = clock_timestamp() + interval '1 second' where ${where}`.execute(
    db,
  )
}

/** Records a failed step. It is retried at once, or after a delay that grows with each failure. */
export const countFailure = async (db: Db, { table, where }: Place, { atOnce }: { atOnce: boolean }): Promise<void> => {
  const wait = atOnce ? null : sql`clock_timestamp() + make_interval(secs => failures + 1)`
  await sql`update ${sql.table(table)} set failures = failures + 1, retry_at = ${wait}, stepped_at = clock_timestamp()
    where ${where}`.execute(db)
}
