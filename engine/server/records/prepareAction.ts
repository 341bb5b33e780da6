import { sql } from 'kysely'
import type { CallRequest, Entity, EntityAction, PrepareResult, RecordData, Value } from '../../model/model.ts'
import { demand } from '../identity/access.ts'
import { isTrue, scopeOf } from './effects.ts'
import { logListed } from './logOperation.ts'
import { procedureOf } from './procedures.ts'
import { Refusal } from '../errors.ts'
import { lookUp } from './reading/lookups.ts'
import { main } from './reading/columnOf.ts'
import { present, readStored } from './reading/read.ts'
import { visibleConditions } from './reading/visibleConditions.ts'
import type { Context, Db } from '../runtime.ts'
import { refuseMissing } from './save.ts'
import { canonicalRecord } from './reading/canonical.ts'
import { drawnRevisions } from './drawnRecords.ts'
import { seeing, verifySeen } from './seen.ts'
import { requestedIdsFor } from './requestedIds.ts'

/**
 * The initial values of an action's dialog, for users who may run it.
 * @throws Refusal permission, unknownRecord, outOfScope, stale, staleRecords, notAllowed.
 */
export async function prepareAction(
  context: Context,
  entity: Entity,
  action: EntityAction,
  request: CallRequest,
): Promise<PrepareResult> {
  demand(context.user, action.permission)
  const ids = requestedIdsFor(context, entity, action, request)
  const found = await context.runtime.database.kysely.transaction().execute(async (db) => {
    // One snapshot, so that the dialog's values and the revisions they draw on are consistent.
    await sql`set transaction isolation level repeatable read, read only`.execute(db)
    return prepared(seeing(context, entity, request), db, entity, action, ids)
  })
  await logListed(context, entity, [found.values as RecordData], ids.length > 0 ? { ids } : {})
  return found
}

async function prepared(
  context: Context,
  db: Db,
  entity: Entity,
  action: EntityAction,
  ids: readonly number[],
): Promise<PrepareResult> {
  const found = await readStored(
    context,
    db,
    entity,
    [sql<boolean>`${sql.ref(`${main}.id`)} = any(${ids}::bigint[])`, ...visibleConditions(context, entity)],
    { order: sql.ref(`${main}.id`), rows: true },
  )
  const missing = ids.find((id) => !found.some((record) => record.id === id))
  if (missing !== undefined) refuseMissing(context, entity)
  const records = found.map((record) => canonicalRecord(context, entity, record))
  verifySeen(context, entity, records)
  if (records.some((record) => !isTrue(context, entity, action.when, scopeOf(context, entity, record, record))))
    throw new Refusal('notAllowed')
  const { values } = (await procedureOf(
    context,
    entity,
    action.prepare!,
  )({ context, db, entity: entity.name, records, values: {} })) as unknown as PrepareResult
  const [shown] = await present(context, db, entity, [await withLookups(context, db, entity, values)])
  const seen = await drawnRevisions(context, db, entity, values)
  return { values: shown as PrepareResult['values'], ...(seen && { seen }) }
}

/** Rows with the looked-up values of the records that they refer to. */
export async function withLookups(
  context: Context,
  db: Db,
  entity: Entity,
  values: Record<string, Value>,
): Promise<RecordData> {
  const whole: RecordData = { ...values }
  for (const name of Object.keys(values)) {
    const target = context.derived.target(entity.fields[name])
    if (!target?.rows) continue
    const rows = (values[name] ?? []) as RecordData[]
    const found = await lookUp(context, db, target.entity, rows)
    whole[name] = rows.map((row, index) => ({ ...row, ...found[index] })) as Value
  }
  return whole
}
