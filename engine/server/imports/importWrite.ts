import { sql } from 'kysely'
import type { Entity, ImportRowStatus, Label, RecordData } from '../../model/model.ts'
import { fill, Refusal } from '../errors.ts'
import { may } from '../identity/access.ts'
import { nobody, userById } from '../identity/session.ts'
import { apply } from '../records/apply.ts'
import type { Change } from '../records/Change.ts'
import { transitionChange } from '../records/transit.ts'
import { deliverKept } from '../records/notify.ts'
import { savedChange } from '../records/save.ts'
import { namedIn } from '../records/reading/storedMessages.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import {
  asBatch,
  changeBatch,
  countRows,
  fileName,
  type Job,
  moveJob,
  recount,
  notifyUploader,
} from './importBatches.ts'
import { checkRows, placed } from './importCheck.ts'
import { draftRows } from './importDraft.ts'
import { outcomeOf } from './importOutcome.ts'
import {
  batchEntity,
  type CheckedRow,
  type ImportBatch,
  isHinted,
  readRows,
  rowEntity,
  type StoredRow,
  targetEntity,
} from './importFile.ts'
import { follow } from './importFollow.ts'
import { problemOf, rowProblem } from './importProblems.ts'
import { quotes } from './importQuote.ts'
import { withQuoted } from './importQuoted.ts'
import { releaseValues } from './importValues.ts'
import { keyColumn } from './importVerdict.ts'

/**
 * Writes the next valid rows, checked again because others may have written in the meantime. Their records, history and
 * effects are one transaction. If the user has lost the permission meanwhile, what is written stays and the rest is
 * not.
 */
export async function writeStep(context: Context, db: Db, job: Job, limit: number): Promise<void> {
  const batch = asBatch(job)
  const isPermitted = ({ user }: Context) => may(user, batchEntity(context, job.plan).actions.write.permission)
  if (!isPermitted(context)) return finish(context, db, job, new Refusal('permission').text)
  const next = await readRows(context, db, batch, { after: job.cursor, limit, status: ['toCreate', 'toUpdate'] })
  if (next.length === 0) return finish(context, db, job)
  const rows = ofOneWriter(next)
  const writer = await writerOf(context, db, rows[0])
  const checked = isPermitted(writer)
    ? await checkRows(writer, db, batch, rows, { lock: true })
    : rows.map((row) => withoutCorrector(batch, row))
  await writeRows(writer, db, batch, checked)
  await recount(
    context,
    db,
    batch,
    rows.map(({ status }) => status),
    await keepResults(context, db, batch, checked),
  )
  await moveJob(db, job, { cursor: rows.at(-1)!.number, work: context.work?.id })
}

/** The first rows that the same user writes, because a work has one author. */
function ofOneWriter(rows: readonly StoredRow[]): StoredRow[] {
  const end = rows.findIndex(({ correctedBy }) => correctedBy !== rows[0].correctedBy)
  return end < 0 ? [...rows] : rows.slice(0, end)
}

/** A corrected row says what its corrector wrote, so it is written with their permissions and scope, in their name. */
async function writerOf(context: Context, db: Db, { correctedBy }: StoredRow): Promise<Context> {
  if (correctedBy === null || correctedBy === context.user.id) return context
  const user = (await userById(context.runtime, db, correctedBy)) ?? nobody(correctedBy)
  return { ...context, user }
}

function withoutCorrector(batch: ImportBatch, row: StoredRow): CheckedRow {
  const problems = placed(batch, row, [problemOf('corrector', {}, keyColumn(batch))])
  return { ...row, key: '', status: 'failed', problems }
}

/** Marks the row that could not be written as failed, with the refusal. */
export async function failRow(context: Context, db: Db, job: Job, refusal: Refusal): Promise<void> {
  const batch = asBatch(job)
  const [row] = await readRows(context, db, batch, { after: job.cursor, limit: 1, status: ['toCreate', 'toUpdate'] })
  if (!row) return
  const quote = quotes(context, batch.plan, row)
  const [{ values }] = await draftRows(await writerOf(context, db, row), db, batch, [row])
  const found = placed(
    batch,
    row,
    (refusal.problems ?? [{ field: '', code: refusal.code, message: refusal.text }]).map((problem) =>
      rowProblem(problem, batch.plan.columns, quote),
    ),
  )
  const problems = withQuoted(context, batch.plan, found, {
    old: row.target ?? undefined,
    values,
    named: refusal.problems?.flatMap(({ message }) => namedIn(message)),
  })
  await recount(
    context,
    db,
    batch,
    [row.status],
    await keepResults(context, db, batch, [{ ...row, key: '', status: 'failed', problems }]),
  )
  await moveJob(db, job, { cursor: row.number })
}

async function writeRows(context: Context, db: Db, batch: ImportBatch, checked: CheckedRow[]): Promise<void> {
  const entity = targetEntity(context, batch.plan)
  const good = checked.filter((row): row is CheckedRow & { record: RecordData } => row.record !== undefined)
  await apply(
    { context, db },
    good.map((row) => changeOf(context, entity, batch, row)),
  )
}

/**
 * A row as a change: its transition for an existing record, else a save, and for a new record with a transition both.
 */
function changeOf(
  context: Context,
  entity: Entity,
  { plan }: ImportBatch,
  { record, old: former, plain }: CheckedRow & { record: RecordData },
): Change {
  const old = former ?? null
  // Selected by the row's values before the save changed them.
  const transition = outcomeOf(entity, plan, record)
  const saved = transition && old ? undefined : savedChange(context, entity, record, old, plain, 'import')
  if (!transition) return saved!
  const change = transitionChange(context, entity, transition, record, old)
  return saved ? { ...saved, effects: [...saved.effects, ...change.effects] } : change
}

/** Stores the results of the rows, in one statement. @returns their states. */
async function keepResults(
  context: Context,
  db: Db,
  { plan, id }: ImportBatch,
  rows: readonly CheckedRow[],
): Promise<ImportRowStatus[]> {
  const done: Partial<Record<ImportRowStatus, ImportRowStatus>> = { toCreate: 'created', toUpdate: 'updated' }
  const results = rows.map(({ number, status, problems, record, old }) => ({
    number,
    status: done[status] ?? status,
    errors: problems.length > 0 ? problems : null,
    hinted: isHinted({ problems }),
    target: record?.id ?? old?.id ?? null,
    revision: record?.revision ?? null,
  }))
  await sql`update ${tableOf(context, rowEntity(context, plan))} as kept
    set "rowStatus" = result.status, errors = nullif(result.errors, 'null'), hinted = result.hinted, target = result.target, "writtenRevision" = result.revision, revision = kept.revision + 1, "updatedAt" = ${context.now}
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as result (number bigint, status text, errors jsonb, hinted boolean, target bigint, revision bigint)
    where kept.batch = ${id} and kept."rowNo" = result.number`.execute(db)
  return results.map(({ status }) => status)
}

/** @param why the reason why some rows could not be written */
async function finish(context: Context, db: Db, job: Job, why?: Label): Promise<void> {
  const batch = asBatch(job)
  const counts = await countRows(context, db, batch)
  const status = counts.failCount === 0 && !why ? 'completed' : counts.successCount > 0 ? 'partial' : 'failed'
  await changeBatch(context, db, batch, {
    ...counts,
    status,
    ...(why && { failReason: [{ message: why }] }),
    finishedAt: context.now,
  })
  await follow(context, db, batch.plan, batch.id)
  await releaseValues(db, batch)
  await moveJob(db, job, { phase: 'done' })
  await deliverKept(context, db, { entity: batch.plan.batches, id: batch.id, file: await fileName(context, db, batch) })
  await notifyUploader(
    context,
    db,
    batch,
    why
      ? { cn: '导入未完成：{file}', en: 'Import incomplete: {file}' }
      : { cn: '导入完成：{file}', en: 'Import finished: {file}' },
    why ?? fill(finishedText, { ...counts }),
  )
}

const finishedText = {
  cn: '共{totalCount}条：成功{successCount}，跳过{skipCount}，失败{failCount}',
  en: '{totalCount} rows: {successCount} succeeded, {skipCount} skipped, {failCount} failed',
}
