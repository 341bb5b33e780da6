import { sql } from 'kysely'
import type { ImportPlan } from '../../schema/model.ts'
import { systemUser } from '../access.ts'
import { errors, Refusal } from '../errors.ts'
import { outageOf } from '../outage.ts'
import { refreshOverlay } from '../overlay.ts'
import type { Context, Db, Runtime } from '../runtime.ts'
import { inWork, type Work } from '../records/Work.ts'
import { createContext, userById } from '../session.ts'
import { inBackground } from '../allowance.ts'
import { failBatch, type Job, lockJob } from './importBatches.ts'
import { openFile, type OpenFile, readStep } from './importRead.ts'
import { jobTable } from './importTables.ts'
import { stopUndo, undoStep } from './importUndo.ts'
import { failRow, writeStep } from './importWrite.ts'

const idleMilliseconds = 1000
/** A step that failed for another reason than its data is tried again so often. */
const mostFailures = 5

interface Waiting {
  entity: string
  batch_id: number
  failures: number
}

export interface ImportWorkerOptions {
  /** Reports unexpected errors. */
  log?(error: unknown): void
  /** Rows that are worked on in one transaction. */
  chunk?: number
}

export interface ImportWorker {
  /** Looks for work now, and again whenever there is none. */
  start(): void
  /** Works a step on each batch that waits. @returns how many there were. */
  round(): Promise<number>
  /** Works until nothing waits. */
  drain(): Promise<void>
  /** Ends after the step at hand; what is left goes on when somebody starts again. */
  stop(): Promise<void>
}

/**
 * Works on the batches of all imports, a step of each in turn, so that a small file does not wait for a large one. What
 * a step does is one transaction with the place that it reached: whoever is killed leaves nothing half done, and any
 * process goes on from there.
 */
export function createImportWorker(
  runtime: Runtime,
  { log = () => undefined, chunk = 500 }: ImportWorkerOptions = {},
): ImportWorker {
  const files = new Map<string, OpenFile>()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let stopping = false

  const key = ({ entity, batch_id }: Waiting) => `${entity} ${batch_id}`
  async function drop(name: string): Promise<void> {
    const file = files.get(name)
    files.delete(name)
    await file?.rows.return(undefined)
    await file?.sheet.close()
  }

  async function waiting(): Promise<Waiting[]> {
    const { rows } = await sql<Waiting>`select entity, batch_id, failures from ${sql.table(jobTable)}
      where phase <> 'done' and entity = any(${[...runtime.derived.imports.keys()]}::text[])
        and (retry_at is null or retry_at < clock_timestamp())
      order by stepped_at limit 20`.execute(runtime.database.kysely)
    return rows
  }

  /** A batch that another process is working on is left to it. */
  async function step(one: Waiting): Promise<void> {
    const plan = runtime.derived.imports.get(one.entity)!
    const act = async ({ context: { work }, db }: Work): Promise<boolean> => {
      const job = await lockJob(runtime, db, plan, one.batch_id)
      if (!job) return true
      const context = { ...(await contextOf(runtime, db, job)), work }
      if (job.phase === 'writing') await writeStep(context, db, job, sizeOf(one))
      else if (job.phase === 'undoing') await undoStep(context, db, job, sizeOf(one))
      else await readStep(context, db, job, await fileOf(db, job, one), chunk)
      return false
    }
    try {
      const begun = createContext(runtime, systemUser, 'cn')
      const done = await inWork(
        begun,
        { cause: `import:${one.entity}/${one.batch_id}`, batch: { entity: one.entity, id: one.batch_id } },
        act,
      )
      if (done) await drop(key(one))
    } catch (error) {
      await drop(key(one))
      await failed(one, plan, error)
    }
  }

  async function fileOf(db: Db, job: Job, one: Waiting): Promise<OpenFile> {
    const open = files.get(key(one))
    if (open && open.at === Math.max(job.cursor, job.fields ? 1 : 0)) return open
    await drop(key(one))
    const file = await openFile({ runtime }, db, job)
    files.set(key(one), file)
    return file
  }

  /**
   * After each failure a quarter of the rows, so that the one that is refused is found; after each success four times
   * as many again.
   */
  const sizeOf = ({ failures }: Waiting) => Math.max(1, Math.floor(chunk / 4 ** failures))

  /**
   * What is wrong with a file ends its batch, what is wrong with a row that row; anything else is tried again a little
   * later.
   */
  async function failed(one: Waiting, plan: ImportPlan, error: unknown): Promise<void> {
    const { kysely } = runtime.database
    // A missing file may be with another process, or come back.
    const gone = error instanceof Refusal && error.code === 'fileGone' ? error : undefined
    const refusal = error instanceof Refusal && !gone ? error : undefined
    if (!refusal) log(error)
    if (outageOf(error)) return putOff(one).catch(log)
    await kysely
      .transaction()
      .execute(async (db) => {
        const job = await lockJob(runtime, db, plan, one.batch_id)
        if (!job) return
        const context = await contextOf(runtime, db, job)
        const last = one.failures + 1 >= mostFailures
        if (job.phase === 'reading' && gone && last) return failBatch(context, db, job, gone.text, { keep: true })
        if (job.phase === 'reading' && (refusal || last))
          return failBatch(context, db, job, refusal?.text ?? errors.system.message)
        if (job.phase === 'writing' && sizeOf(one) === 1 && (refusal || last))
          return failRow(context, db, job, refusal ?? new Refusal('system'))
        if (job.phase === 'undoing' && (refusal || last))
          return stopUndo(context, db, job, refusal?.text ?? errors.system.message)
        const wait = refusal ? null : sql`clock_timestamp() + make_interval(secs => failures + 1)`
        await sql`update ${sql.table(jobTable)} set failures = failures + 1, retry_at = ${wait}, stepped_at = clock_timestamp() where entity = ${one.entity} and batch_id = ${one.batch_id}`.execute(
          db,
        )
      })
      .catch(log)
  }

  /** An outage does not count as a failure. */
  async function putOff({ entity, batch_id }: Waiting): Promise<void> {
    await sql`update ${sql.table(jobTable)} set retry_at = clock_timestamp() + interval '1 second'
      where entity = ${entity} and batch_id = ${batch_id}`.execute(runtime.database.kysely)
  }

  async function round(): Promise<number> {
    const found = await waiting()
    for (const one of found) {
      if (stopping) break
      await step(one)
    }
    for (const name of files.keys()) if (!found.some((one) => key(one) === name)) await drop(name)
    return found.length
  }

  function schedule(milliseconds: number): void {
    clearTimeout(timer)
    if (stopping) return
    timer = setTimeout(() => {
      running = inBackground(round)
        .catch((error: unknown) => {
          log(error)
          return 0
        })
        .then((count) => {
          running = undefined
          schedule(count > 0 ? 0 : idleMilliseconds)
        })
    }, milliseconds)
  }

  return {
    round,
    start() {
      runtime.wakeImports = () => {
        if (!running) schedule(0)
      }
      schedule(0)
    },
    async drain() {
      while ((await round()) > 0);
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      runtime.wakeImports = () => undefined
      await running
      for (const name of files.keys()) await drop(name)
    },
  }
}

/**
 * The batch goes on as its operator: in their scope, with their permissions. What they have handed in is written also
 * when they have left; what they began to take away goes no further.
 */
async function contextOf(runtime: Runtime, db: Db, job: Job): Promise<Context> {
  await refreshOverlay(runtime, undefined, db)
  const found = await userById(runtime, db, job.operator)
  if (!found) throw new Refusal('permission')
  const { enabled, ...user } = found
  const hasLeft = job.phase === 'undoing' && !enabled
  return createContext(runtime, hasLeft ? { ...user, roles: [], permissions: [] } : user, 'cn')
}
