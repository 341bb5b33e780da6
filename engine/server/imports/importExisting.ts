import { sql } from 'kysely'
import type { ImportPlan, RecordData, Value } from '../../schema/model.ts'
import { declaredConditions } from '../filters.ts'
import { allOf, main, readStored, visibleConditions } from '../read.ts'
import type { Context, Db } from '../runtime.ts'
import { canonicalRecord, canonicalValue } from '../stored.ts'
import { valueText } from './importCells.ts'

/** The record that is there, or that there is one which the user may not see. */
export type Existing = RecordData | 'hidden'

/**
 * Key → the record that has it. One query by the first field of the key, a second for what is out of the user's scope.
 */
export async function findExisting(
  context: Context,
  db: Db,
  plan: ImportPlan,
  rows: readonly Record<string, Value>[],
  lock: boolean,
): Promise<Map<string, Existing>> {
  const entity = context.derived.catalog.entities[plan.into]
  const [first] = plan.key
  const values = [
    ...new Set(rows.map((row) => canonicalValue(context, entity.fields[first], row[first] ?? null))),
  ].filter((value) => value !== null)
  if (values.length === 0) return new Map()
  const type = sql.raw(context.derived.columns[entity.name][first])
  const keyed = allOf([
    sql<boolean>`${sql.ref(`${main}.${first}`)} = any(${values}::${type}[])`,
    ...declaredConditions(context, entity, main, plan.among),
  ])
  const keyOf = (record: RecordData) => plan.key.map((name) => valueText(record[name])).join(' ')
  const seen = (await readStored(context, db, entity, [keyed, ...visibleConditions(context, entity)], { lock })).map(
    (record) => canonicalRecord(context, entity, record),
  )
  const found = new Map<string, Existing>(seen.map((record) => [keyOf(record), record]))
  const living = sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`
  for (const record of await readStored(context, db, entity, [keyed, living], { fields: plan.key })) {
    const key = keyOf(canonicalRecord(context, entity, record))
    if (!found.has(key)) found.set(key, 'hidden')
  }
  return found
}
