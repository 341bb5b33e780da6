import { sql } from 'kysely'
import type { ImportPlan, RecordData, Value } from '../../schema/model.ts'
import { Refusal } from '../errors.ts'
import { writeHistories } from '../history.ts'
import { main, readStored } from '../read.ts'
import { journalsOf, referredAmong } from '../referred.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../scope.ts'
import { canonicalRecord } from '../stored.ts'
import { softDelete, updateRecords } from '../write.ts'
import { changeBatch } from './importBatches.ts'
import { rowEntity, targetEntity } from './importFile.ts'
import { follow, writtenRecords } from './importFollow.ts'

/** Records that are worked on at a time, in the one transaction. */
const chunk = 1000
const mostNamed = 20

interface WrittenRow {
  number: number
  target: number
  status: 'created' | 'updated'
  revision: number
  untouched: boolean
}

/**
 * Added records go, updated ones get back what they were, all or nothing.
 * @throws Refusal importEdited, naming the rows whose records were changed or used since.
 */
export async function undoImport(context: Context, db: Db, plan: ImportPlan, id: number): Promise<void> {
  const entity = targetEntity(context, plan)
  const { rows } = await sql<WrittenRow>`
    select kept."rowNo" as number, kept.target, kept."rowStatus" as status, kept."writtenRevision" as revision,
      record."deletedAt" is null and record.revision = kept."writtenRevision" as untouched
    from ${tableOf(context, rowEntity(context, plan))} as kept join ${tableOf(context, entity)} as record on record.id = kept.target
    where kept.batch = ${id} and kept."rowStatus" in ('created', 'updated') order by kept."rowNo" for update of record`.execute(
    db,
  )
  const added = rows.filter(({ status }) => status === 'created')
  const used = new Set(
    await referredAmong(
      context,
      db,
      entity,
      added.map(({ target }) => target),
    ),
  )
  const kept = rows.filter(({ untouched, target }) => !untouched || used.has(target))
  if (kept.length > 0) {
    const named =
      kept
        .slice(0, mostNamed)
        .map(({ number }) => number)
        .join(', ') + (kept.length > mostNamed ? '…' : '')
    throw new Refusal('importEdited', {
      parameters: { rows: named },
      result: { rows: kept.map(({ number }) => number) },
    })
  }
  const before = plan.finish === undefined ? [] : await writtenRecords(context, db, plan, id)
  for (let start = 0; start < rows.length; start += chunk)
    await undoRows(context, db, plan, rows.slice(start, start + chunk))
  await follow(context, db, plan, id, before)
  await changeBatch(context, db, { plan, id }, { status: 'undone', finishedAt: context.now })
}

async function undoRows(context: Context, db: Db, plan: ImportPlan, rows: WrittenRow[]): Promise<void> {
  const entity = targetEntity(context, plan)
  const ids = rows.map(({ target }) => target)
  const current = (
    await readStored(context, db, entity, [sql<boolean>`${sql.ref(`${main}.id`)} = any(${ids}::bigint[])`])
  ).map((record) => canonicalRecord(context, entity, record))
  const added = new Set(rows.filter(({ status }) => status === 'created').map(({ target }) => target))
  const gone = current.filter((record) => added.has(record.id!))
  await softDelete(
    context,
    db,
    entity,
    gone.map((record) => record.id!),
  )
  // What was noted about them goes with them.
  for (const { entity: journal, field } of journalsOf(context, entity)) {
    const { rows: noted } = await sql<{ id: number }>`select id from ${tableOf(context, journal)}
      where ${sql.ref(field.name)} = any(${gone.map((record) => record.id!)}::bigint[]) and "deletedAt" is null`.execute(
      db,
    )
    await softDelete(
      context,
      db,
      journal,
      noted.map(({ id }) => id),
    )
  }
  const before = await formerValues(
    db,
    entity.name,
    rows.filter(({ target }) => !added.has(target)),
  )
  const pairs = current
    .filter((record) => before.has(record.id!))
    .map((old) => ({ record: { ...old, ...before.get(old.id!) }, old }))
  await updateRecords(context, db, entity, pairs)
  await writeHistories(context, db, entity, [
    ...gone.map((old) => ({ action: 'undoImport', record: { ...old, revision: old.revision! + 1 }, old })),
    ...pairs.map(({ record, old }) => ({ action: 'undoImport', record, old })),
  ])
}

/** Record → what the import changed, as it was before: history has it. */
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
