import { sql } from 'kysely'
import type { ImportPlan, RecordData, Value } from '../../schema/model.ts'
import { arrayType, declaredConditions, isComparable } from '../filters.ts'
import { allOf, main, readStored, visibleConditions } from '../read.ts'
import type { Context, Db } from '../runtime.ts'
import { canonicalRecord, canonicalValue } from '../stored.ts'
import { valueText } from './importCells.ts'

/** The record that is there, or that there is one which the user may not see, or that nobody can tell which is meant. */
export type Existing = RecordData | 'hidden' | 'several'

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
  const visible = [keyed, ...visibleConditions(context, entity)]
  // Locked in one order, so that two works on the same records cannot wait for each other.
  const seen = (await readStored(context, db, entity, visible, { lock, order: sql.ref(`${main}.id`) })).map((record) =>
    canonicalRecord(context, entity, record),
  )
  const groups = new Map<string, RecordData[]>()
  for (const record of seen) groups.set(keyOf(record), [...(groups.get(keyOf(record)) ?? []), record])
  const preferred = await preferredOf(
    { context, db, plan },
    [...groups.values()].filter(({ length }) => length > 1).flat(),
  )
  const found = new Map<string, Existing>(
    [...groups].map(([key, own]) => {
      const meant = own.length === 1 ? own : own.filter(({ id }) => preferred.has(id!))
      return [key, meant.length === 1 ? meant[0] : 'several']
    }),
  )
  const living = sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`
  for (const record of await readStored(context, db, entity, [keyed, living], { fields: plan.key })) {
    const key = keyOf(canonicalRecord(context, entity, record))
    if (!found.has(key)) found.set(key, 'hidden')
  }
  return found
}

/** The ids of those of these records that the plan prefers. */
async function preferredOf(
  { context, db, plan }: { context: Context; db: Db; plan: ImportPlan },
  records: readonly RecordData[],
): Promise<Set<number>> {
  if (records.length === 0 || Object.keys(plan.prefer).length === 0) return new Set()
  const entity = context.derived.catalog.entities[plan.into]
  const isOne = sql<boolean>`${sql.ref(`${main}.id`)} = any(${records.map(({ id }) => id)})`
  const conditions = [isOne, ...declaredConditions(context, entity, main, plan.prefer)]
  const found = await readStored(context, db, entity, conditions, { fields: ['id'] })
  return new Set(found.map(({ id }) => id!))
}
