import { type RawBuilder, sql } from 'kysely'
import { inBackground } from '../postgres/allowance.ts'
import type { Db, Runtime } from '../runtime.ts'

const idleMilliseconds = 1000

export interface Worker {
  /** Looks for work now, and again whenever there is none. */
  start(): void
  /** Works a step on each thing that waits. @returns how many steps there were. */
  round(): Promise<number>
  /** Works until nothing waits. */
  drain(): Promise<void>
  /** Ends after the step at hand; what is left goes on when somebody starts again. */
  stop(): Promise<void>
}

interface Work<Waiting> {
  waiting(): Promise<readonly Waiting[]>
  /** A transaction with the place that it reached. @returns whether there was something to do, and nobody else at it */
  step(one: Waiting): Promise<boolean>
  /** Gives back what it keeps between the steps of whatever waits no longer. */
  release?(waiting: readonly Waiting[]): Promise<void>
  log(error: unknown): void
}

/**
 * Works in steps on whatever waits, one of each in turn, so that a small thing does not wait for a large one. Whoever is
 * killed leaves nothing half done, and any process goes on from there.
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
    for (const one of found) {
      if (stopping) break
      if (await step(one)) steps++
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

/** A step that failed for another reason than its data is tried again so often. */
export const mostFailures = 5

interface Place {
  table: string
  /** The row of the job. */
  where: RawBuilder<unknown>
}

/** An outage does not count as a failure. */
export const putOff = async (db: Db, { table, where }: Place): Promise<void> => {
  await sql`update ${sql.table(table)} set retry_at = clock_timestamp() + interval '1 second' where ${where}`.execute(
    db,
  )
}

/** The step failed. It is tried again at once, or the later the more often it has failed. */
export const countFailure = async (db: Db, { table, where }: Place, { atOnce }: { atOnce: boolean }): Promise<void> => {
  const wait = atOnce ? null : sql`clock_timestamp() + make_interval(secs => failures + 1)`
  await sql`update ${sql.table(table)} set failures = failures + 1, retry_at = ${wait}, stepped_at = clock_timestamp()
    where ${where}`.execute(db)
}
