import { sql } from 'kysely'
import { checkRecord } from '../../expression/verdict.ts'
import { textIn } from '../../model/language.ts'
import type { Entity, RecordData } from '../../model/model.ts'
import { verdictContext } from './accept.ts'
import { recompute } from './effects.ts'
import { nameOf } from './nameOf.ts'
import { lookUp } from './reading/lookups.ts'
import type { Context, Db } from '../runtime.ts'
import { canonicalRecord } from './reading/canonical.ts'
import { recordColumns } from '../postgres/recordColumns.ts'
import { insertRecords } from './write.ts'

export interface InsertManyOptions {
  /** Its name in history; if absent, no history is written. */
  action?: string
}

/**
 * Writes many new records with their own past (who created them, when, in which state), in the caller's transaction.
 * Every record passes the same verdict as one entered in a form; the database enforces what only it knows (uniqueness,
 * references).
 * @returns their ids, in order
 * @throws Error naming the first record that the verdict refuses
 */
export async function insertMany(
  context: Context,
  db: Db,
  entity: Entity,
  records: readonly RecordData[],
  { action }: InsertManyOptions = {},
): Promise<number[]> {
  const whole = records.map((record) => canonicalRecord(context, entity, record))
  const lookups = await lookUp(context, db, entity, whole)
  whole.forEach((record, index) => {
    recomputeWhole(context, entity, record)
    refuseBad(context, entity, { ...record, ...lookups[index] })
  })
  await insertRecords(context, db, entity, whole, { keepStamps: true })
  if (action) await recordHistory(context, db, entity, action, whole)
  return whole.map((record) => record.id!)
}

/** The stored formulas: first of the rows, then of the record, which may depend on them. */
function recomputeWhole(context: Context, entity: Entity, record: RecordData): void {
  for (const field of Object.values(entity.fields)) {
    const target = context.derived.target(field)
    if (!target?.rows) continue
    for (const row of (record[field.name] ?? []) as RecordData[])
      recomputeWhole(context, target.entity, Object.assign(row, target.rows.where))
  }
  recompute(context, entity, record)
}

function refuseBad(context: Context, entity: Entity, record: RecordData): void {
  const [problem] = checkRecord(entity, record, verdictContext(context, null))
  if (!problem) return
  const name = String(record[entity.display])
  const value = JSON.stringify(record[problem.field.split('.')[0]])
  throw new Error(`${entity.name} ${name}: ${problem.field}: ${textIn(problem.message, 'en')} (${value})`)
}

async function recordHistory(
  context: Context,
  db: Db,
  entity: Entity,
  action: string,
  records: RecordData[],
): Promise<void> {
  const rows = records.map((record) => ({
    record_id: record.id,
    label: nameOf(context, entity, record),
    user_id: record.createdBy ?? null,
    at: record.createdAt,
    changes: {
      revision: 1,
      fields: Object.fromEntries(
        Object.values(entity.fields)
          .filter(
            ({ name, computed }) =>
              (record[name] ?? null) !== null && (!computed || computed.kind === 'formula') && !(name in recordColumns),
          )
          .map(({ name }) => [name, [null, record[name]]]),
      ),
    },
  }))
  await sql`insert into system_history (entity, area, record_id, label, action, user_id, at, changes)
    select ${entity.name}, ${entity.area}, record_id, label, ${action}, user_id, at, changes
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as source (record_id bigint, label text, user_id bigint, at timestamp(0), changes jsonb)`.execute(
    db,
  )
}
