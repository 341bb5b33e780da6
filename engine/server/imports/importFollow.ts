import { sql } from 'kysely'
import type { ImportPlan, RecordData } from '../../model/model.ts'
import { procedureOf } from '../records/procedures.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { canonicalRecord } from '../records/reading/canonical.ts'
import { rowEntity, targetEntity } from './importFile.ts'

/** The existing records that the rows of a batch were written to, in file order. */
export async function writtenRecords(context: Context, db: Db, plan: ImportPlan, id: number): Promise<RecordData[]> {
  const entity = targetEntity(context, plan)
  const { rows } = await sql<{ target: number }>`select target from ${tableOf(context, rowEntity(context, plan))}
    where batch = ${id} and "rowStatus" in ('created', 'updated', 'undone') and "deletedAt" is null order by "rowNo"`.execute(
    db,
  )
  const found = await readStored(context, db, entity, [
    sql<boolean>`${sql.ref(`${main}.id`)} = any(${rows.map(({ target }) => target)}::bigint[])`,
    sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`,
  ])
  const byId = new Map(found.map((record) => [record.id, canonicalRecord(context, entity, record)]))
  return rows.map(({ target }) => byId.get(target)).filter((record) => record !== undefined)
}

/** Runs what the import declares to follow the whole file; `before`: the records as they were before it was undone. */
export async function follow(
  context: Context,
  db: Db,
  plan: ImportPlan,
  id: number,
  before?: RecordData[],
): Promise<void> {
  if (plan.finish === undefined) return
  const entity = targetEntity(context, plan)
  const records = await writtenRecords(context, db, plan, id)
  if (records.length === 0 && !before) return
  await procedureOf(
    context,
    entity,
    plan.finish,
  )({ context, db, entity: entity.name, records, ...(before && { before }), values: {} })
}
