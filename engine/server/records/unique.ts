import { sql } from 'kysely'
import type { Entity, Field, FieldProblem, Value } from '../../model/model.ts'
import { fill, problems as messages } from '../errors.ts'
import { seesWhole } from '../identity/access.ts'
import { type Condition, tableOf } from '../identity/scope.ts'
import { hasUniqueItems, itemHolders } from '../postgres/uniqueItems.ts'
import type { Context, Db } from '../runtime.ts'
import { arrayType } from './reading/filters.ts'
import { main } from './reading/columnOf.ts'
import { allOf, visibleConditions } from './reading/visibleConditions.ts'
import { canonicalValue } from './reading/canonical.ts'
import { isStorable } from './storable.ts'

/** A canonical value that a record would have and that no other record may have. */
export interface Wanted<T> {
  owner: T
  field: Field
  value: Value
  /** The canonical value of `uniqueWithin`, if the field has one: null is a group too. */
  within?: Value
  /** The record that would have it, if it exists already. */
  id?: number
}

/** `item`: the item of a list that another record has. */
type Taken<T> = Wanted<T> & { item?: string }

/**
 * The values that another record already has: one query for each field, however many values.
 * @param among only these records are checked
 */
export async function takenValues<T>(
  context: Context,
  db: Db,
  entity: Entity,
  wanted: readonly Wanted<T>[],
  among: readonly Condition[] = [],
): Promise<Taken<T>[]> {
  const taken: Taken<T>[] = []
  for (const field of new Set(wanted.map((each) => each.field))) {
    const group = wanted.filter((each) => each.field === field)
    if (hasUniqueItems(context, entity, field)) taken.push(...(await withTakenItems(context, db, entity, group, among)))
    else if (field.uniqueWithin === undefined) taken.push(...(await takenBy(context, db, entity, group, among)))
    else {
      // Written as two cases, because no index serves "is not distinct from".
      const isAlone = ({ within }: Wanted<T>) => (within ?? null) === null
      const by = sql.ref(`${main}.${field.uniqueWithin}`)
      const [alone, grouped] = [group.filter(isAlone), group.filter((each) => !isAlone(each))]
      taken.push(...(await takenBy(context, db, entity, alone, [sql<boolean>`${by} is null`, ...among])))
      taken.push(...(await takenBy(context, db, entity, grouped, [sql<boolean>`${by} = given.within`, ...among])))
    }
  }
  return taken
}

/** Each value is looked up by itself, so that an index finds it however many there are. */
async function takenBy<T>(
  context: Context,
  db: Db,
  entity: Entity,
  group: readonly Wanted<T>[],
  conditions: readonly Condition[],
): Promise<Wanted<T>[]> {
  if (group.length === 0) return []
  const { field } = group[0]
  const columns = context.derived.columns[entity.name]
  const type = columns[field.name]
  const withinType = field.uniqueWithin === undefined ? 'bigint' : columns[field.uniqueWithin]
  const own = (name: string) => sql.ref(`${main}.${name}`)
  const isOther = allOf([
    sql<boolean>`${own(field.name)} = given.value::${sql.raw(type)}`,
    sql<boolean>`${own('deletedAt')} is null`,
    sql<boolean>`${own('id')} <> given.id`,
    ...conditions,
  ])
  const listed = (values: unknown[], type: string) => sql`${values}::${sql.raw(arrayType(type))}`
  const values = listed(
    group.map(({ value }) => value),
    type,
  )
  const groups = listed(
    group.map(({ within }) => within ?? null),
    withinType,
  )
  const { rows } = await sql<{ place: number }>`select given.place::integer as place
    from unnest(${values}, ${groups}, ${group.map(({ id }) => id ?? 0)}::bigint[]) with ordinality as given (value, within, id, place)
    cross join lateral (select 1 from ${tableOf(context, entity)} as ${sql.ref(main)} where ${isOther} limit 1) as other`.execute(
    db,
  )
  return rows.map(({ place }) => group[place - 1])
}

async function withTakenItems<T>(
  context: Context,
  db: Db,
  entity: Entity,
  group: readonly Wanted<T>[],
  among: readonly Condition[],
): Promise<Taken<T>[]> {
  const itemsOf = ({ value }: Wanted<T>) => (Array.isArray(value) ? value.map(String).sort() : [])
  const holders = await itemHolders(
    db,
    entity,
    group[0].field,
    group.flatMap(itemsOf),
    among.length > 0 ? visibleIn(context, entity, among) : undefined,
  )
  return group.flatMap((wanted) => {
    const item = itemsOf(wanted).find((each) => holders.has(each) && holders.get(each) !== wanted.id)
    return item === undefined ? [] : [{ ...wanted, item }]
  })
}

/** Subquery for the ids of the records that the user sees. */
const visibleIn = (context: Context, entity: Entity, among: readonly Condition[]) =>
  sql`select ${sql.ref(`${main}.id`)} from ${tableOf(context, entity)} as ${sql.ref(main)} where ${allOf(among)}`

/**
 * Checks a single value as it is typed, among the records that the user sees, unless they see it masked there; others
 * are only reported by a save. Values that the widget would refuse belong to no record.
 */
export async function verifyFree(
  context: Context,
  db: Db,
  entity: Entity,
  field: Field,
  text: string,
  id?: number,
  within?: number,
): Promise<boolean> {
  if (!seesWhole(context, entity, field)) return true
  const typed = hasUniqueItems(context, entity, field) ? listOf(text) : text
  const value = canonicalValue(context, field, typed)
  const checkContext = {
    label: field.label,
    dictionary: (name: string) => context.derived.catalog.dictionaries[name],
    now: () => context.now,
  }
  if (
    value === null ||
    context.derived
      .widget(field)
      .check(context.derived.widget(field).normalize(typed, field.options), field.options, checkContext)
  )
    return true
  const wanted = { owner: undefined, field, value, within, id }
  return (await takenValues(context, db, entity, [wanted], visibleConditions(context, entity))).length === 0
}

/** In wire form, a list is JSON text. */
function listOf(text: string): Value {
  try {
    const value = JSON.parse(text) as Value
    return Array.isArray(value) && isStorable(value) ? value : text
  } catch {
    return text
  }
}

/** `item`: the item of a list that another record has. */
export const uniqueProblem = (field: Field, path = field.name, item?: string): FieldProblem => ({
  field: path,
  code: 'unique',
  message:
    item === undefined
      ? fill(messages.unique, { label: field.label })
      : fill(messages.uniqueItem, { label: field.label, item }),
})
