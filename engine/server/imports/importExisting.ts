import { sql } from 'kysely'
import { Decimal, decimalOf } from '../../expression/index.ts'
import type { Entity, ImportPlan, RecordData, Value } from '../../model/model.ts'
import { arrayType, declaredConditions, isComparable } from '../records/reading/filters.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import { allOf, seesEvery, visibleConditions } from '../records/reading/visibleConditions.ts'
import type { Context, Db } from '../runtime.ts'
import { type Condition, tableOf } from '../identity/scope.ts'
import { canonicalRecord, canonicalValue } from '../records/reading/canonical.ts'
import { valueText } from './importCells.ts'

/** The existing record, or that the user may not see it, or that the key is ambiguous. */
export type Existing = RecordData | 'hidden' | 'several'
/** The same before the row is known; several records may be meant together. */
type Found = Existing | RecordData[]

/** A row without an optional part of the key matches the record whose part is empty. */
export const mayBeEmpty = (plan: ImportPlan, name: string): boolean =>
  plan.columns.some(({ field, required }) => field === name && !required)

/**
 * Key → its record. One query by the key; if the user does not see every record, those found are then read by their
 * ids.
 */
export async function findExisting(
  context: Context,
  db: Db,
  plan: ImportPlan,
  rows: readonly Record<string, Value>[],
  lock: boolean,
): Promise<Map<string, Found>> {
  const entity = context.derived.catalog.entities[plan.into]
  const stored = plan.key.filter((name) => context.derived.columns[entity.name][name] !== undefined)
  const wanted = new Map<string, Value[]>()
  const typeOf = (name: string) => context.derived.columns[entity.name][name]
  for (const row of rows) {
    const values = stored.map((name) => canonicalValue(context, entity.fields[name], row[name]))
    // Values that do not fit a column's type are reported elsewhere, and no record has them. Other values that the form
    // would refuse today may be in older records.
    const isGood = (name: string, value: Value) =>
      value === null ? mayBeEmpty(plan, name) : isComparable(typeOf(name), value)
    if (stored.every((name, index) => isGood(name, values[index]))) wanted.set(JSON.stringify(values), values)
  }
  if (wanted.size === 0) return new Map()
  const own = (name: string) => sql.ref(`${main}.${name}`)
  const isMeant = stored.some((name) => mayBeEmpty(plan, name))
    ? sql<boolean>`${own('id')} in (${sql.join(
        byEmptyParts([...wanted.values()]).map((group) => idsWith(context, entity, stored, group)),
        sql` union all `,
      )})`
    : hasKey(
        context,
        entity,
        stored.map((name, index) => ({ name, index })),
        main,
        [...wanted.values()],
      )
  const keyed = allOf([isMeant, ...declaredConditions(context, entity, main, plan.among)])
  const keyOf = (record: RecordData) => plan.key.map((name) => valueText(record[name])).join(' ')
  const living = sql<boolean>`${own('deletedAt')} is null`
  const there = seesEvery(context, entity)
    ? undefined
    : await readStored(context, db, entity, [keyed, living], { fields: plan.key })
  if (there?.length === 0) return new Map()
  const visible = [
    keyed,
    ...(there ? [sql<boolean>`${own('id')} = any(${there.map(({ id }) => id)}::bigint[])`] : []),
    ...visibleConditions(context, entity),
  ]
  // Locked in one order, so that two works on the same records cannot deadlock.
  const seen = (await readStored(context, db, entity, visible, { lock, order: sql.ref(`${main}.id`) })).map((record) =>
    canonicalRecord(context, entity, record),
  )
  const groups = new Map<string, RecordData[]>()
  for (const record of seen) groups.set(keyOf(record), [...(groups.get(keyOf(record)) ?? []), record])
  const preferred = await preferredOf(
    { context, db, plan },
    [...groups.values()].filter(({ length }) => length > 1).flat(),
  )
  const found = new Map<string, Found>(
    [...groups].map(([key, own]) => {
      const meant = own.length === 1 ? own : own.filter(({ id }) => preferred.has(id!))
      if (meant.length === 1) return [key, meant[0]]
      return [key, plan.together && meant.length === 0 ? own : 'several']
    }),
  )
  for (const record of there ?? []) {
    const key = keyOf(canonicalRecord(context, entity, record))
    if (!found.has(key)) found.set(key, 'hidden')
  }
  return found
}

/** More records are never meant together: comparing every part of them would take too long. */
const mostTogether = 10

/** What a row means of what was found: several records only if its amount is nearest to their sum. */
export function meantBy(
  { together }: ImportPlan,
  found: Found | undefined,
  values: Readonly<Record<string, Value>>,
): Existing | undefined {
  if (!Array.isArray(found)) return found
  const amount = decimalOf(values[together!.as])
  if (amount === null || found.length > mostTogether) return 'several'
  const [all, ...parts] = sumsOf(found.map((record) => decimalOf(record[together!.sum]) ?? new Decimal(0)))
  const distance = (sum: Decimal) => sum.minus(amount).abs()
  return parts.every((sum) => distance(all).lessThan(distance(sum))) ? found[0] : 'several'
}

/** The sum of all of these amounts, then those of every other choice of one or more of them. */
function sumsOf(amounts: readonly Decimal[]): Decimal[] {
  const sums = amounts.reduce<Decimal[]>(
    (before, amount) => [...before, ...before.map((sum) => sum.plus(amount))],
    [new Decimal(0)],
  )
  return [sums.at(-1)!, ...sums.slice(1, -1)]
}

type Key = readonly Value[]

/** Groups keys by their empty parts, because no index serves "is not distinct from". */
function byEmptyParts(keys: readonly Key[]): Key[][] {
  const groups = new Map<string, Key[]>()
  for (const key of keys) {
    const kind = key.map((value) => value === null).join()
    groups.set(kind, [...(groups.get(kind) ?? []), key])
  }
  return [...groups.values()]
}

/** A query for the ids of the records, not deleted, with these keys, all of which have the same parts empty. */
function idsWith(context: Context, entity: Entity, names: readonly string[], keys: readonly Key[]) {
  const parts = names.map((name, index) => ({ name, index }))
  const given = parts.filter(({ index }) => keys[0][index] !== null)
  const conditions = [
    sql<boolean>`"deletedAt" is null`,
    ...parts.filter((part) => !given.includes(part)).map(({ name }) => sql<boolean>`${sql.ref(name)} is null`),
    ...(given.length > 0 ? [hasKey(context, entity, given, undefined, keys)] : []),
  ]
  return sql`select id from ${tableOf(context, entity)} where ${allOf(conditions)}`
}

/** Whether the record has the parts of one of the keys. */
function hasKey(
  context: Context,
  entity: Entity,
  parts: readonly { name: string; index: number }[],
  alias: string | undefined,
  keys: readonly Key[],
): Condition {
  const lists = parts.map(({ name, index }) => {
    const type = arrayType(context.derived.columns[entity.name][name])
    return sql`${keys.map((key) => key[index])}::${sql.raw(type)}`
  })
  const own = parts.map(({ name }) => sql.ref(alias === undefined ? name : `${alias}.${name}`))
  return sql<boolean>`(${sql.join(own)}) in (select * from unnest(${sql.join(lists)}))`
}

/** The ids of these records that the plan prefers. */
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
