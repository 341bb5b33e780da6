import { sql } from 'kysely'
import type { ImportPlan, Label } from '../../model/model.ts'
import { may } from '../identity/access.ts'
import { fill, Refusal } from '../errors.ts'
import { lockTogether } from '../records/lockTogether.ts'
import { guardedAmong, heldAmong, locksOf, takeBack, type Taken, writtenBy, type Written } from '../records/undo.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { visibleIds } from '../records/visibleReferences.ts'
import { admitBatches } from './admitBatches.ts'
import { changeBatch, countRows, type Job, moveJob, notifyUndoing, notifyUploader, recount } from './importBatches.ts'
import { batchEntity, rowEntity, targetEntity } from './importFile.ts'
import { follow, writtenRecords } from './importFollow.ts'
import { type Batch, type Held, ownCauses, refusalOf } from './undoRefusal.ts'

/** Up to this many rows are undone at once, while the user waits; more in steps of the job. */
const atOnce = 1000

interface WrittenRow {
  number: number
  target: number
  status: 'created' | 'updated'
  revision: number
  untouched: boolean
  /** The history entry that records what was written; null if there is none. */
  entry: number | null
  /** The work that wrote it; null if it was written before works were recorded. */
  work: number | null
  /** Who wrote it; null if nobody knows. */
  by: number | null
}

/**
 * Undoes an import: its rows and everything that followed from them, whole works at a time. A large import is undone in
 * steps, from its last row on, until it is done or a user stops it.
 * @throws Refusal importEdited or importFollowed, naming what was changed or used since, importGuarded with the
 * messages of the entities' guards, outOfScope, or importsUnderWay: then nothing is undone.
 */
export async function beginUndo(context: Context, db: Db, plan: ImportPlan, id: number): Promise<void> {
  const batch = { plan, id }
  const rows = await writtenRows(context, db, batch)
  const refused = await refusedAmong(context, db, batch, rows)
  if (refused) throw refused
  if (rows.length <= atOnce) {
    const changed = await undoRows(context, db, batch, undefined)
    if (changed) throw changed
    return endUndo(context, db, batch, 'undone')
  }
  await admitBatches(context, db, [context.user.id])
  await changeBatch(context, db, batch, { status: 'undoing' })
  await moveJob(db, batch, { phase: 'undoing', by: context.user.id })
  context.runtime.wakeWorkers()
}

/**
 * Undoes the last rows still written. If one was changed or used meanwhile, the undo ends there, and it and all rows
 * before it stay.
 */
export async function undoStep(context: Context, db: Db, job: Job, limit: number): Promise<void> {
  if (!(await isStillAllowed(context, db, job))) return stopUndo(context, db, job, new Refusal('permission').text)
  // A `finish` procedure works on the whole file, so the undo is one step.
  const kept = await undoRows(context, db, job, job.plan.finish === undefined ? limit : undefined)
  if (kept) return stopUndo(context, db, job, kept.text)
  const { successCount, undoneCount = 0 } = await countRows(context, db, job)
  if (successCount > 0) return moveJob(db, job, { work: context.work?.id })
  await endUndo(context, db, job, 'undone')
  const content = fill({ cn: '共撤销{n}条', en: '{n} {n|row was|rows were} undone' }, { n: undoneCount })
  await notifyUploader(context, db, job, { cn: '导入已撤销：{file}', en: 'Import undone: {file}' }, content)
}

/** The user may since have lost the permission to undo imports, or to see this one. */
async function isStillAllowed(context: Context, db: Db, { plan, id }: Batch): Promise<boolean> {
  const entity = batchEntity(context, plan)
  if (!may(context.user, entity.actions.undo.permission)) return false
  return (await visibleIds(context, db, entity, [id])).has(id)
}

/** Ends an undo halfway, and says why to the user who began it. */
export async function stopUndo(context: Context, db: Db, batch: Batch, why: Label): Promise<void> {
  await endUndo(context, db, batch, 'partial')
  await notifyUndoing(context, db, batch, { cn: '撤销未完成：{file}', en: 'Undo incomplete: {file}' }, why)
}

export async function endUndo(context: Context, db: Db, batch: Batch, status: 'undone' | 'partial'): Promise<void> {
  await changeBatch(context, db, batch, { status, finishedAt: context.now })
  await moveJob(db, batch, { phase: 'done' })
}

/**
 * Rows written and not undone, the last first, because references to a row come after it. With a limit, that many rows
 * and the others of their works.
 */
async function writtenRows(context: Context, db: Db, batch: Batch, limit?: number): Promise<WrittenRow[]> {
  const last = await rowsOf(context, db, batch, limit === undefined ? {} : { limit })
  if (limit === undefined || last.length < limit) return last
  // The rows of a work are consecutive, so only the work of the last row read may have more.
  const { number, work } = last.at(-1)!
  if (work === null) return last
  return [...last, ...(await rowsOf(context, db, batch, { before: number, work }))]
}

interface RowRange {
  limit?: number
  before?: number
  work?: number
}

async function rowsOf(
  context: Context,
  db: Db,
  { plan, id }: Batch,
  { limit, before, work }: RowRange,
): Promise<WrittenRow[]> {
  const [rows, records] = [rowEntity(context, plan), targetEntity(context, plan)].map((entity) =>
    tableOf(context, entity),
  )
  // By the records of the work first, so that history is not searched for every row of the file.
  const ofWork =
    work === undefined
      ? sql``
      : sql`and wrote.work = ${work}
          and kept.target in (select record_id from system_history where work = ${work} and entity = ${plan.into})`
  const { rows: found } = await sql<WrittenRow>`
    select kept."rowNo" as number, kept.target, kept."rowStatus" as status, kept."writtenRevision" as revision,
      record."deletedAt" is null and record.revision = kept."writtenRevision" as untouched, wrote.id as entry, wrote.work,
      wrote.user_id as by
    from ${rows} as kept join ${records} as record on record.id = kept.target
      left join lateral (select h.id, h.work, h.user_id from system_history as h where h.entity = ${plan.into} and h.record_id = kept.target
        and (h.changes->>'revision')::bigint = kept."writtenRevision" order by h.id desc limit 1) as wrote on true
    where kept.batch = ${id} and kept."rowStatus" in ('created', 'updated')
      ${before === undefined ? sql`` : sql`and kept."rowNo" < ${before}`}
      ${ofWork}
    order by kept."rowNo" desc ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(db)
  return found
}

/** Why these rows cannot be undone by the user; undefined if they can. */
async function refusedAmong(
  context: Context,
  db: Db,
  batch: Batch,
  rows: readonly WrittenRow[],
): Promise<Refusal | undefined> {
  // Rows that were changed or deleted since keep the undo back by themselves.
  const others = rows.filter(({ by, untouched }) => untouched && by !== context.user.id).map(({ target }) => target)
  const seen = await visibleIds(context, db, targetEntity(context, batch.plan), others)
  if (others.some((id) => !seen.has(id))) return new Refusal('outOfScope', { text: unseen })
  const held = await heldOf(context, db, batch, rows)
  return held && refusalOf(context, db, batch, held)
}

const unseen = {
  cn: '其中有他人写入且您无权查看的数据，请由可查看全部数据的人员撤销',
  en: 'Some of its records were written by others and you may not view them: ask someone who may view all of them to undo it',
}

/** What keeps these rows from being undone: changes, uses and guards. The works are checked one by one. */
async function heldOf(context: Context, db: Db, batch: Batch, rows: readonly WrittenRow[]): Promise<Held | undefined> {
  const { into } = batch.plan
  const going = new Map([[into, new Set(rows.map(({ target }) => target))]])
  const numbers = new Map(rows.map(({ number, target }) => [target, number]))
  // Without an entry nobody knows what the record was before.
  const kept = new Set(rows.filter((row) => !row.untouched || row.entry === null).map(({ number }) => number))
  const others: Written[] = []
  const why = new Map<string, Label>()
  for (const taken of takenOf(batch, rows)) {
    const written = await writtenBy(context, db, taken)
    for (const each of await heldAmong(context, db, written, going)) {
      const number = each.entity.name === into ? numbers.get(each.id) : undefined
      if (number === undefined) others.push(each)
      else kept.add(number)
    }
    for (const { message } of await guardedAmong({ context, db }, written)) why.set(JSON.stringify(message), message)
  }
  if (kept.size + others.length + why.size === 0) return undefined
  const entity = targetEntity(context, batch.plan)
  const keeping = rows
    .filter(({ number }) => kept.has(number))
    .map(({ number, target, entry }) => ({ number, keeping: { entity, id: target, last: entry } }))
  return {
    rows: keeping.toSorted((a, b) => a.number - b.number),
    others,
    why: [...why.values()],
    going,
    numbers,
  }
}

/** The works of these rows, the last first; what belongs to no work was written before all of them. */
function takenOf(batch: Batch, rows: readonly WrittenRow[]): Taken[] {
  const { plan } = batch
  const works = [...new Set(rows.flatMap(({ work }) => work ?? []))].toSorted((a, b) => b - a)
  const entries = rows.flatMap(({ work, entry }) => (work === null && entry !== null ? [entry] : []))
  const rest = {
    own: ownCauses(batch),
    except: [plan.batches, plan.rows],
  }
  return [
    ...works.map((work) => ({ works: [work], ...rest })),
    ...(entries.length > 0 ? [{ works: [], entries, ...rest }] : []),
  ]
}

/** The rows' records, and whatever their works wrote besides. */
async function lockWritten(context: Context, db: Db, batch: Batch, rows: readonly WrittenRow[]): Promise<void> {
  const works = rows.flatMap(({ work }) => work ?? [])
  const own = { entity: targetEntity(context, batch.plan), ids: rows.map(({ target }) => target) }
  const others = await locksOf(context, db, works, [batch.plan.batches, batch.plan.rows])
  await lockTogether(context, db, [own, ...others])
}

/** @returns why the rows cannot be undone, in which case none is; otherwise undefined */
async function undoRows(
  context: Context,
  db: Db,
  batch: Batch,
  limit: number | undefined,
): Promise<Refusal | undefined> {
  const { plan, id } = batch
  // One cause, whether the user waits for it or a job continues it.
  if (context.work) context.work.cause = `undo:${plan.batches}/${id}`
  await lockWritten(context, db, batch, await writtenRows(context, db, batch, limit))
  // Read again, because they may have changed before they were locked.
  const rows = await writtenRows(context, db, batch, limit)
  const refused = await refusedAmong(context, db, batch, rows)
  if (refused) return refused
  const before = plan.finish === undefined ? [] : await writtenRecords(context, db, plan, id)
  for (const taken of takenOf(batch, rows)) await takeBack({ context, db }, await writtenBy(context, db, taken))
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
