import { sql } from 'kysely'
import type { ImportPlan, RecordData, Value } from '../../schema/model.ts'
import { arrayType, declaredConditions, isComparable } from '../filters.ts'
import { allOf, main, readStored, visibleConditions } from '../read.ts'
import type { Context, Db } from '../runtime.ts'
import { canonicalRecord, canonicalValue } from '../stored.ts'
import { valueText } from './importCells.ts'

/** The record that is there, or that there is one which the user may not see. */
export type Existing = RecordData | 'hidden'

/** A part of the key that a row may leave out means the record that has nothing there. */
export const mayBeEmpty = (plan: ImportPlan, name: string): boolean =>
  plan.columns.some(({ field, required }) => field === name && !required)

/** Key → the record that has it. One query by the key, a second for records outside the user's scope. */
export async function findExisting(
  context: Context,
  db: Db,
  plan: ImportPlan,
  rows: readonly Record<string, Value>[],
  lock: boolean,
): Promise<Map<string, Existing>> {
  const entity = context.derived.catalog.entities[plan.into]
  const stored = plan.key.filter((name) => context.derived.columns[entity.name][name] !== undefined)
  const wanted = new Map<string, Value[]>()
  const typeOf = (name: string) => context.derived.columns[entity.name][name]
  for (const row of rows) {
    const values = stored.map((name) => canonicalValue(context, entity.fields[name], row[name]))
    // What no column of its type holds is told elsewhere, and no record has it. Of other values that the form would
    // refuse today, a record may be older.
    const isGood = (name: string, value: Value) =>
      value === null ? mayBeEmpty(plan, name) : isComparable(typeOf(name), value)
    if (stored.every((name, index) => isGood(name, values[index]))) wanted.set(JSON.stringify(values), values)
  }
  if (wanted.size === 0) return new Map()
  const given = stored.map(
    (name, index) => sql`${[...wanted.values()].map((values) => values[index])}::${sql.raw(arrayType(typeOf(name)))}`,
  )
  const own = (name: string) => sql.ref(`${main}.${name}`)
  const isMeant = stored.some((name) => mayBeEmpty(plan, name))
    ? sql<boolean>`exists (select 1 from unnest(${sql.join(given)}) as "wanted" (${sql.join(stored.map((name) => sql.ref(name)))})
        where ${sql.join(
          stored.map((name) => {
            const same = mayBeEmpty(plan, name) ? sql`is not distinct from` : sql`=`
            return sql`${own(name)} ${same} ${sql.ref(`wanted.${name}`)}`
          }),
          sql` and `,
        )})`
    : sql<boolean>`(${sql.join(stored.map(own))}) in (select * from unnest(${sql.join(given)}))`
  const keyed = allOf([isMeant, ...declaredConditions(context, entity, main, plan.among)])
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
