import { sql } from 'kysely'
import type { ImportPlan, ImportRowStatus, ImportStatus, Label, RecordData, Value } from '../../model/model.ts'
import type { Context, Db } from '../runtime.ts'
import { engineMessages } from '../identity/identity.ts'
import { tableOf } from '../identity/scope.ts'
import { fill, Refusal } from '../errors.ts'
import { fileIdOf } from '../files/UploadedFiles.ts'
import { notifyUser } from '../records/notifyUser.ts'
import { admitBatches } from './admitBatches.ts'
import { type ImportBatch, batchEntity, givenIn, rowEntity } from './importFile.ts'
import { jobTable, type Phase } from './importTables.ts'
import { releaseValues } from './importValues.ts'

export interface Job {
  plan: ImportPlan
  id: number
  phase: Phase
  cursor: number
  fields: (string | null)[] | null
  updateExisting: boolean
  given: Record<string, Value>
  file: string
  /** The user for whom it runs. */
  operator: number
  /** The first work of its phase. */
  act?: number
}

/**
 * A new batch that waits to be read, named after its file. A file that served several batches would take the time and
 * space of several uploads.
 * @throws Refusal importsUnderWay, importFileUsed.
 */
export async function addBatch(context: Context, db: Db, plan: ImportPlan, id: number): Promise<void> {
  const batch = await sql<{ url: string | null; createdBy: number | null }>`
    update ${tableOf(context, batchEntity(context, plan))} set "fileName" = left(file->0->>'name', 120) where id = ${id}
    returning file->0->>'url' as url, "createdBy"`.execute(db)
  const [{ url, createdBy }] = batch.rows
  const user = createdBy ?? context.user.id
  await admitBatches(context, db, [user])
  const file = fileIdOf(url ?? '') ?? null
  const { rows } = await sql`insert into ${sql.table(jobTable)} (entity, batch_id, phase, by_user, file)
    values (${plan.batches}, ${id}, 'reading', ${user}, ${file}) on conflict (file) do nothing returning 1`.execute(db)
  if (rows.length === 0) throw new Refusal('importFileUsed')
}

/**
 * The batch, locked until the transaction ends, if it still waits for that phase; undefined if another process has it
 * or its phase has changed.
 */
export async function lockJob(
  context: Pick<Context, 'derived'>,
  db: Db,
  plan: ImportPlan,
  id: number,
): Promise<Job | undefined> {
  const entity = batchEntity(context, plan)
  const update = Object.hasOwn(entity.fields, 'updateExisting') ? sql`"updateExisting"` : sql`false`
  const given = plan.given.map(({ kept }) => sql`, ${sql.ref(kept)}`)
  const {
    rows: [batch],
  } = await sql<
    RecordData & { file: { url: string }[] | null; updateExisting: boolean | null; createdBy: number | null }
  >`
    select file, ${update} as "updateExisting", "createdBy"${given.length > 0 ? sql.join(given, sql``) : sql``} from ${tableOf(context, entity)} where id = ${id} for update skip locked`.execute(
    db,
  )
  if (!batch) return undefined
  const {
    rows: [job],
  } = await sql<{
    phase: Phase
    cursor: number
    columns: (string | null)[] | null
    by_user: number | null
    act: number | null
  }>`
    select phase, cursor, columns, by_user, act from ${sql.table(jobTable)} where entity = ${plan.batches} and batch_id = ${id}`.execute(
    db,
  )
  if (!job || job.phase === 'done') return undefined
  return {
    plan,
    id,
    phase: job.phase,
    cursor: Number(job.cursor),
    fields: job.columns,
    updateExisting: batch.updateExisting === true,
    given: givenIn(context, plan, batch),
    file: batch.file?.[0]?.url ?? '',
    operator: job.by_user ?? batch.createdBy ?? 0,
    act: job.act ?? undefined,
  }
}

export const asBatch = ({ plan, id, updateExisting, given, fields }: Job): ImportBatch => ({
  plan,
  id,
  updateExisting,
  given,
  fields: fields ?? [],
})

interface JobProgress {
  phase?: Phase
  cursor?: number
  fields?: (string | null)[]
  by?: number
  /** The work of this step, which is the first of a new phase. */
  work?: number
}

/** Stores the result of a step: its progress, and the columns of the file. */
export async function moveJob(db: Db, { plan, id }: Pick<Job, 'plan' | 'id'>, to: JobProgress): Promise<void> {
  const act = to.phase === undefined ? sql`coalesce(act, ${to.work ?? null}::bigint)` : sql`null`
  await sql`update ${sql.table(jobTable)} set stepped_at = clock_timestamp(), failures = greatest(0, failures - 1), retry_at = null,
    phase = coalesce(${to.phase ?? null}, phase), act = ${act}, by_user = coalesce(${to.by ?? null}::bigint, by_user), cursor = coalesce(${to.cursor ?? null}::bigint, cursor), columns = coalesce(${to.fields ? JSON.stringify(to.fields) : null}::jsonb, columns)
    where entity = ${plan.batches} and batch_id = ${id}`.execute(db)
}

type Counts = Record<
  'totalCount' | 'createCount' | 'updateCount' | 'successCount' | 'skipCount' | 'failCount',
  number
> & {
  /** Absent if none was undone. */
  undoneCount?: number
}

const countsOf = (rows: readonly { status: ImportRowStatus; count: number }[]): Counts => {
  const countOf = (...statuses: ImportRowStatus[]) =>
    rows.filter(({ status }) => statuses.includes(status)).reduce((sum, { count }) => sum + count, 0)
  return {
    totalCount: rows.reduce((sum, { count }) => sum + count, 0),
    createCount: countOf('toCreate', 'created'),
    updateCount: countOf('toUpdate', 'updated'),
    successCount: countOf('created', 'updated'),
    skipCount: countOf('skipped'),
    failCount: countOf('failed'),
    ...(countOf('undone') > 0 && { undoneCount: countOf('undone') }),
  }
}

/** Counted from all rows of the batch. */
export async function countRows(context: Context, db: Db, batch: Pick<ImportBatch, 'plan' | 'id'>): Promise<Counts> {
  const { rows } = await sql<{ status: ImportRowStatus; count: number }>`
    select "rowStatus" as status, count(*)::integer as count from ${tableOf(context, rowEntity(context, batch.plan))}
    where batch = ${batch.id} and "deletedAt" is null group by "rowStatus"`.execute(db)
  return countsOf(rows)
}

/** Adjusts the batch's counts after some rows have changed state, without reading all its rows. */
export async function recount(
  context: Context,
  db: Db,
  batch: Pick<ImportBatch, 'plan' | 'id'>,
  before: readonly ImportRowStatus[],
  after: readonly ImportRowStatus[],
): Promise<void> {
  const [was, is] = [before, after].map((statuses) => countsOf(statuses.map((status) => ({ status, count: 1 }))))
  const set = (Object.keys(is) as (keyof Counts)[]).flatMap((name) => {
    const more = is[name]! - (was[name] ?? 0)
    return more === 0 ? [] : [sql`${sql.ref(name)} = coalesce(${sql.ref(name)}, 0) + ${more}::integer`]
  })
  if (set.length === 0) return
  await sql`update ${tableOf(context, batchEntity(context, batch.plan))} set ${sql.join(set)} where id = ${batch.id}`.execute(
    db,
  )
}

export interface BatchChange extends Partial<Counts> {
  status?: ImportStatus
  failReason?: { message: Label }[]
  notes?: { message: Label }[]
  decidedAt?: string
  finishedAt?: string
  corrects?: number
}

/**
 * Stores the progress of a batch, without history or a new revision, because it is nobody's change: otherwise nobody
 * could cancel a running import.
 */
export async function changeBatch(
  context: Context,
  db: Db,
  batch: Pick<ImportBatch, 'plan' | 'id'>,
  change: BatchChange,
): Promise<void> {
  const set = Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => sql`${sql.ref(name)} = ${typeof value === 'object' ? JSON.stringify(value) : value}`)
  if (set.length === 0) return
  if (change.status !== undefined) set.push(sql`revision = revision + 1`)
  await sql`update ${tableOf(context, batchEntity(context, batch.plan))} set ${sql.join([...set, sql`"updatedAt" = ${context.now}`])} where id = ${batch.id}`.execute(
    db,
  )
}

const none: Counts = { totalCount: 0, createCount: 0, updateCount: 0, successCount: 0, skipCount: 0, failCount: 0 }

/**
 * Ends the batch, because the file cannot be imported.
 * @param keep keeps the checked rows, if only the rest of the file is missing
 */
export async function failBatch(
  context: Context,
  db: Db,
  batch: Pick<ImportBatch, 'plan' | 'id'>,
  message: Label,
  { keep = false } = {},
): Promise<void> {
  if (!keep)
    await sql`delete from ${tableOf(context, rowEntity(context, batch.plan))} where batch = ${batch.id}`.execute(db)
  await releaseValues(db, batch)
  await changeBatch(context, db, batch, {
    ...(!keep && none),
    status: 'failed',
    failReason: [{ message }],
    finishedAt: context.now,
  })
  await moveJob(db, batch, { phase: 'done' })
  await releaseFile(db, batch)
  await notifyUploader(context, db, batch, { cn: '导入失败：{file}', en: 'Import failed: {file}' }, message)
}

/** What could not be read may be read again, in another import or with other values. */
const releaseFile = (db: Db, { plan, id }: Pick<ImportBatch, 'plan' | 'id'>): Promise<unknown> =>
  sql`update ${sql.table(jobTable)} set file = null where entity = ${plan.batches} and batch_id = ${id}`.execute(db)

/** A message to the user who uploaded the file. */
export async function notifyUploader(
  context: Context,
  db: Db,
  batch: Pick<ImportBatch, 'plan' | 'id'>,
  title: Label,
  content: Label | null,
): Promise<void> {
  const { uploader, message } = await messageAbout(context, db, batch, title)
  if (uploader) await notifyUser(context, db, uploader, { ...message, content })
}

const begunBy = { cn: '撤销由{by}发起，原因已通知其本人', en: '{by} started the undo and has been told why' }

/** To the user who undoes an import: why it ended. The uploader may see less of it, and is told who knows. */
export async function notifyUndoing(
  context: Context,
  db: Db,
  batch: Pick<ImportBatch, 'plan' | 'id'>,
  title: Label,
  why: Label,
): Promise<void> {
  const { uploader, message } = await messageAbout(context, db, batch, title)
  const { id, name: by } = context.user
  await notifyUser(context, db, id, { ...message, content: why })
  if (uploader && uploader !== id)
    await notifyUser(context, db, uploader, { ...message, content: fill(begunBy, { by }) })
}

async function messageAbout(
  context: Context,
  db: Db,
  { plan, id }: Pick<ImportBatch, 'plan' | 'id'>,
  title: Label,
): Promise<{ uploader: number | null; message: { type: string; title: Label; link: string | null } }> {
  const {
    rows: [batch],
  } = await sql<{ fileName: string | null; createdBy: number | null }>`
    select "fileName", "createdBy" from ${tableOf(context, batchEntity(context, plan))} where id = ${id}`.execute(db)
  const link = plan.details?.replace('{id}', String(id)) ?? null
  const filled = fill(title, { file: batch?.fileName ?? '' })
  return { uploader: batch?.createdBy ?? null, message: { type: engineMessages.import, title: filled, link } }
}

export async function fileName(context: Context, db: Db, { plan, id }: Pick<ImportBatch, 'plan' | 'id'>) {
  const {
    rows: [batch],
  } = await sql<{ fileName: string | null }>`
    select "fileName" from ${tableOf(context, batchEntity(context, plan))} where id = ${id}`.execute(db)
  return batch?.fileName ?? ''
}

export async function hasNotes(
  context: Context,
  db: Db,
  { plan, id }: Pick<ImportBatch, 'plan' | 'id'>,
): Promise<boolean> {
  const { rows } =
    await sql`select 1 from ${tableOf(context, batchEntity(context, plan))} where id = ${id} and notes is not null`.execute(
      db,
    )
  return rows.length > 0
}

/** Which column of its file holds which field. */
export async function readJob(db: Db, plan: ImportPlan, id: number): Promise<{ fields: (string | null)[] }> {
  const {
    rows: [row],
  } = await sql<{
    columns: (string | null)[] | null
  }>`select columns from ${sql.table(jobTable)} where entity = ${plan.batches} and batch_id = ${id}`.execute(db)
  return { fields: row?.columns ?? [] }
}
