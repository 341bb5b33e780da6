import { sql } from 'kysely'
import type { Entity, ImportPlan, Label, RecordData, Value } from '../../schema/model.ts'
import { may } from '../access.ts'
import { fill, Refusal } from '../errors.ts'
import { apply } from '../records/apply.ts'
import type { Change } from '../records/Change.ts'
import { main, readStored } from '../read.ts'
import { journalsOf, referredAmong } from '../referred.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../scope.ts'
import { canonicalRecord } from '../stored.ts'
import { visibleIds } from '../verify.ts'
import { changeBatch, countRows, type Job, moveJob, recount, tell } from './importBatches.ts'
import { batchEntity, rowEntity, targetEntity } from './importFile.ts'
import { follow, writtenRecords } from './importFollow.ts'

/** Up to this many rows are undone at once, while the user waits; more in steps of the job. */
const atOnce = 1000
const mostNamed = 20

type Batch = Pick<Job, 'plan' | 'id'>

interface WrittenRow {
  number: number
  target: number
  status: 'created' | 'updated'
  revision: number
  untouched: boolean
}

/**
 * Deletes added records and restores updated ones; a large import is undone in steps, from its last row on, until it is
 * done or somebody stops it.
 * @throws Refusal importEdited, naming the rows whose records were changed or used since: then none is undone.
 */
export async function beginUndo(context: Context, db: Db, plan: ImportPlan, id: number): Promise<void> {
  const batch = { plan, id }
  const rows = await writtenRows(context, db, batch, { lock: false })
  const kept = await keptOf(context, db, plan, rows)
  if (kept.length > 0) throw edited(kept)
  if (rows.length <= atOnce) {
    const changed = await undoRows(context, db, batch, undefined)
    if (changed) throw edited(changed)
    return endUndo(context, db, batch, 'undone')
  }
  await changeBatch(context, db, batch, { status: 'undoing' })
  await moveJob(db, batch, { phase: 'undoing', by: context.user.id })
  context.runtime.wakeImports()
}

/**
 * Undoes the last rows still written. If one was changed or used meanwhile, the undo ends there, and it and all rows
 * before it stay.
 */
export async function undoStep(context: Context, db: Db, job: Job, limit: number): Promise<void> {
  if (!(await isStillAllowed(context, db, job))) return stopUndo(context, db, job, new Refusal('permission').text)
  // A `finish` procedure works on the whole file, so the undo is one step.
  const kept = await undoRows(context, db, job, job.plan.finish === undefined ? limit : undefined)
  if (kept) return stopUndo(context, db, job, edited(kept).text)
  const { successCount, undoneCount = 0 } = await countRows(context, db, job)
  if (successCount > 0) return moveJob(db, job, {})
  await endUndo(context, db, job, 'undone')
  const said = fill({ cn: '共撤销{n}条', en: '{n} rows were undone' }, { n: undoneCount })
  await tell(context, db, job, { cn: '导入已撤销：{file}', en: 'Import undone: {file}' }, said)
}

/** The user who asked may have lost the permission to undo imports, or to see this one, since then. */
async function isStillAllowed(context: Context, db: Db, { plan, id }: Batch): Promise<boolean> {
  const entity = batchEntity(context, plan)
  if (!may(context.user, entity.actions.undo.permission)) return false
  return (await visibleIds(context, db, entity, [id])).has(id)
}

/** Ends an undo halfway, and says why. */
export async function stopUndo(context: Context, db: Db, batch: Batch, why: Label): Promise<void> {
  await endUndo(context, db, batch, 'partial')
  await tell(context, db, batch, { cn: '撤销未完成：{file}', en: 'Import not completely undone: {file}' }, why)
}

export async function endUndo(context: Context, db: Db, batch: Batch, status: 'undone' | 'partial'): Promise<void> {
  await changeBatch(context, db, batch, { status, finishedAt: context.now })
  await moveJob(db, batch, { phase: 'done' })
}

/** Rows written and not undone, the last first, because what refers to a row comes after it. */
async function writtenRows(
  context: Context,
  db: Db,
  { plan, id }: Batch,
  { limit, lock }: { limit?: number; lock: boolean },
): Promise<WrittenRow[]> {
  const { rows } = await sql<WrittenRow>`
    select kept."rowNo" as number, kept.target, kept."rowStatus" as status, kept."writtenRevision" as revision,
      record."deletedAt" is null and record.revision = kept."writtenRevision" as untouched
    from ${tableOf(context, rowEntity(context, plan))} as kept join ${tableOf(context, targetEntity(context, plan))} as record on record.id = kept.target
    where kept.batch = ${id} and kept."rowStatus" in ('created', 'updated') order by kept."rowNo" desc
    ${limit === undefined ? sql`` : sql`limit ${limit}`} ${lock ? sql`for update of record` : sql``}`.execute(db)
  return rows
}

/** Rows whose records were changed or used since. */
async function keptOf(
  context: Context,
  db: Db,
  plan: ImportPlan,
  rows: readonly WrittenRow[],
): Promise<readonly WrittenRow[]> {
  const added = rows.filter(({ status }) => status === 'created').map(({ target }) => target)
  const used = new Set(await referredAmong(context, db, targetEntity(context, plan), added))
  return rows.filter(({ untouched, target }) => !untouched || used.has(target))
}

function edited(kept: readonly WrittenRow[]): Refusal {
  const rows = kept.map(({ number }) => number).toSorted((a, b) => a - b)
  const named = rows.slice(0, mostNamed).join(', ') + (rows.length > mostNamed ? '…' : '')
  return new Refusal('importEdited', { parameters: { rows: named }, result: { rows } })
}

/** @returns the rows that prevent the undo, in which case none is undone; otherwise undefined */
async function undoRows(
  context: Context,
  db: Db,
  batch: Batch,
  limit: number | undefined,
): Promise<readonly WrittenRow[] | undefined> {
  const { plan, id } = batch
  // One act, whether the user waits for it or a job goes on with it.
  if (context.work) context.work.cause = `undo:${plan.batches}/${id}`
  const rows = await writtenRows(context, db, batch, { limit, lock: true })
  const kept = await keptOf(context, db, plan, rows)
  if (kept.length > 0) return kept
  const before = plan.finish === undefined ? [] : await writtenRecords(context, db, plan, id)
  for (let start = 0; start < rows.length; start += atOnce)
    await takeBack(context, db, plan, rows.slice(start, start + atOnce))
  await sql`update ${tableOf(context, rowEntity(context, plan))} set "rowStatus" = 'undone', revision = revision + 1, "updatedAt" = ${context.now}
    where batch = ${id} and "rowNo" = any(${rows.map(({ number }) => number)}::bigint[])`.execute(db)
  await recount(
    context,
    db,
    batch,
    rows.map(({ status }) => status),
    rows.map(() => 'undone' as const),
  )
  await follow(context, db, plan, id, before)
  return undefined
}

async function takeBack(context: Context, db: Db, plan: ImportPlan, rows: WrittenRow[]): Promise<void> {
  const entity = targetEntity(context, plan)
  const ids = rows.map(({ target }) => target)
  const current = (
    await readStored(context, db, entity, [sql<boolean>`${sql.ref(`${main}.id`)} = any(${ids}::bigint[])`])
  ).map((record) => canonicalRecord(context, entity, record))
  const added = new Set(rows.filter(({ status }) => status === 'created').map(({ target }) => target))
  const gone = current.filter((record) => added.has(record.id!))
  const action = 'undoImport'
  const changes = gone.map((old): Change => undone(entity, { ...old }, old, action))
  // Log entries about them go too.
  for (const { entity: journal, field } of journalsOf(context, entity)) {
    const noted = await readStored(context, db, journal, [
      sql<boolean>`${sql.ref(`${main}.${field.name}`)} = any(${gone.map((record) => record.id!)}::bigint[])`,
      sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`,
    ])
    changes.push(
      ...noted
        .map((record) => canonicalRecord(context, journal, record))
        .map((old): Change => undone(journal, { ...old }, old, action)),
    )
  }
  const before = await formerValues(
    db,
    entity.name,
    rows.filter(({ target }) => !added.has(target)),
  )
  const restored = current
    .filter((record) => before.has(record.id!))
    .map((old): Change => ({ ...undone(entity, { ...old, ...before.get(old.id!) }, old, action), deleted: false }))
  await apply({ context, db }, [...changes, ...restored])
}

/** No effects follow an undo. */
const undone = (entity: Entity, record: RecordData, old: RecordData, action: string): Change => ({
  entity,
  record,
  old,
  action,
  effects: [],
  changed: [],
  deleted: true,
})

/** Record → the former values of what the import changed, from the history. */
async function formerValues(db: Db, entity: string, rows: readonly WrittenRow[]): Promise<Map<number, RecordData>> {
  const { rows: entries } = await sql<{ record_id: number; fields: Record<string, [Value, Value]> }>`
    select record_id, changes->'fields' as fields from system_history
    join unnest(${rows.map(({ target }) => target)}::bigint[], ${rows.map(({ revision }) => revision)}::bigint[]) as written (id, revision)
      on record_id = written.id and (changes->>'revision')::bigint = written.revision
    where entity = ${entity}`.execute(db)
  return new Map(
    entries.map(({ record_id, fields }) => [
      record_id,
      Object.fromEntries(Object.entries(fields).map(([name, [was]]) => [name, was])),
    ]),
  )
}
