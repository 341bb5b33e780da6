import { sql } from 'kysely'
import type { ImportPlan } from '../../model/model.ts'
import { systemUser } from '../identity/access.ts'
import { errors, Refusal } from '../errors.ts'
import { outageOf } from '../postgres/outage.ts'
import { refreshOverlay } from '../catalog/overlay.ts'
import { overlayVersion } from '../records/overlayVersion.ts'
import type { Context, Db, Runtime } from '../runtime.ts'
import { inWork, type Work } from '../records/Work.ts'
import { createContext, nobody, userById } from '../identity/session.ts'
import { countFailure, createWorker, mostFailures, putOff, type Worker } from '../jobs/Worker.ts'
import { failBatch, type Job, lockJob } from './importBatches.ts'
import { openFile, type OpenFile, readStep } from './importRead.ts'
import { jobTable } from './importTables.ts'
import { stopUndo, undoStep } from './importUndo.ts'
import { failRow, writeStep } from './importWrite.ts'

interface Waiting {
  entity: string
  batch_id: number
  failures: number
}

export interface ImportWorkerOptions {
  /** Logs unexpected errors. */
  log?(error: unknown): void
  /** Rows processed in one transaction. */
  chunk?: number
}

/** Processes the batches of all imports. */
export function createImportWorker(
  runtime: Runtime,
  { log = () => undefined, chunk = 500 }: ImportWorkerOptions = {},
): Worker {
  const files = new Map<string, OpenFile>()
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

  /** Skips a batch that another process is working on. */
  async function step(waiting: Waiting): Promise<boolean> {
    const plan = runtime.derived.imports.get(waiting.entity)!
    const act = async ({ context: { work }, db }: Work): Promise<boolean> => {
      const job = await lockJob(runtime, db, plan, waiting.batch_id)
      if (!job) return true
      const context = await contextOf(runtime, db, job, work)
      if (job.phase === 'writing') await writeStep(context, db, job, sizeOf(waiting))
      else if (job.phase === 'undoing') await undoStep(context, db, job, sizeOf(waiting))
      else await readStep(context, db, job, await fileOf(db, job, waiting), chunk)
      return false
    }
    try {
      const done = await inBatch(waiting, act)
      if (done) await drop(key(waiting))
    } catch (error) {
      await drop(key(waiting))
      await failed(waiting, plan, error)
    }
    return true
  }

  const inBatch = <T>({ entity, batch_id: id }: Waiting, act: (work: Work) => Promise<T>): Promise<T> =>
    inWork(createContext(runtime, systemUser), { cause: `import:${entity}/${id}` }, act)

  async function fileOf(db: Db, job: Job, waiting: Waiting): Promise<OpenFile> {
    const open = files.get(key(waiting))
    if (open && open.at === Math.max(job.cursor, job.fields ? 1 : 0)) return open
    await drop(key(waiting))
    const file = await openFile({ runtime }, db, job)
    files.set(key(waiting), file)
    return file
  }

  /** Each failure quarters the chunk, so that the refused row is found; each success quadruples it again. */
  const sizeOf = ({ failures }: Waiting) => Math.max(1, Math.floor(chunk / 4 ** failures))

  /** A problem of the file ends its batch, a problem of a row fails that row; any other failure is retried later. */
  async function failed(waiting: Waiting, plan: ImportPlan, error: unknown): Promise<void> {
    const { kysely } = runtime.database
    // A missing file may be on another machine, or come back.
    const gone = error instanceof Refusal && error.code === 'fileGone' ? error : undefined
    const refusal = error instanceof Refusal && !gone ? error : undefined
    if (!refusal) log(error)
    if (outageOf(error)) return putOff(kysely, placeOf(waiting)).catch(log)
    const settle = async ({ context: { work }, db }: Work) => {
      const job = await lockJob(runtime, db, plan, waiting.batch_id)
      if (!job) return
      const context = await contextOf(runtime, db, job, work)
      const last = waiting.failures + 1 >= mostFailures
      if (job.phase === 'reading' && gone && last) return failBatch(context, db, job, gone.text, { keep: true })
      if (job.phase === 'reading' && (refusal || last))
        return failBatch(context, db, job, refusal?.text ?? errors.system.message)
      if (job.phase === 'writing' && sizeOf(waiting) === 1 && (refusal || last))
        return failRow(context, db, job, refusal ?? new Refusal('system'))
      if (job.phase === 'undoing' && (refusal || last))
        return stopUndo(context, db, job, refusal?.text ?? errors.system.message)
      await countFailure(db, placeOf(waiting), { atOnce: refusal !== undefined })
    }
    await inBatch(waiting, settle).catch(log)
  }

  async function release(found: readonly Waiting[]): Promise<void> {
    for (const name of files.keys()) if (!found.some((each) => key(each) === name)) await drop(name)
  }

  return createWorker(runtime, { waiting, step, release, log })
}

const placeOf = ({ entity, batch_id }: Waiting) => ({
  table: jobTable,
  where: sql`entity = ${entity} and batch_id = ${batch_id}`,
})

/**
 * The batch runs as its operator: in their scope, with their permissions. Uploads are still written after they have
 * left; an undo that they began stops. Its steps are one act.
 */
async function contextOf(runtime: Runtime, db: Db, job: Job, work: Context['work']): Promise<Context> {
  await refreshOverlay(runtime, await overlayVersion(db), db)
  const found = await userById(runtime, db, job.operator)
  const { enabled, ...user } = found ?? nobody(job.operator)
  const hasLeft = job.phase === 'undoing' && !enabled
  const context = createContext(runtime, hasLeft ? { ...user, roles: [], permissions: [] } : user)
  if (work && job.phase !== 'undoing') work.batch = { entity: job.plan.batches, id: job.id }
  return { ...context, work, act: { first: job.act } }
}
