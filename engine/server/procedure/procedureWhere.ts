import { sql } from 'kysely'
import type { Entity, FilterValue, Value } from '../../model/model.ts'
import { seesWhole } from '../identity/access.ts'
import { declaredConditions } from '../records/reading/filters.ts'
import { main } from '../records/reading/columnOf.ts'
import { allOf } from '../records/reading/visibleConditions.ts'
import type { Context } from '../runtime.ts'
import type { Condition } from '../identity/scope.ts'

type Item<V> = V extends readonly (infer I)[] ? I : V
type Operand<V> =
  | Item<NonNullable<V>>
  | readonly (Item<NonNullable<V>> | null)[]
  | null
  | { not: Item<NonNullable<V>> | readonly Item<NonNullable<V>>[] }
  | { empty: boolean }
  | { between: readonly [NonNullable<V> | null, NonNullable<V> | null] }

/**
 * Selects records: field → a value, any of several (for a list: one in common), null for none, or a filter as in schema
 * files. All conditions must hold; of `anyOf` one.
 */
export type Where<R> = { [F in keyof R]?: Operand<R[F]> } & { anyOf?: readonly Where<R>[]; allOf?: readonly Where<R>[] }

/** Whether nothing can match, because a condition lists no values. */
export const isEmptyWhere = (where: object): boolean =>
  Object.entries(where).some(([name, operand]: [string, unknown]) => {
    if (!Array.isArray(operand) || name === 'anyOf') return false
    return name === 'allOf' ? operand.some(isEmptyWhere) : operand.length === 0
  })

/**
 * @param seen conditions on fields that the user only sees masked match nothing, so that values cannot be guessed
 * @throws Error if a value is undefined, because a forgotten value would select all records.
 */
export function whereConditions(context: Context, entity: Entity, where: object, seen = false): Condition[] {
  return Object.entries(where).flatMap(([name, operand]: [string, unknown]): Condition[] => {
    if (operand === undefined) throw new Error(`${entity.name}: the condition on ${name} says nothing`)
    if (name === 'anyOf') {
      const all = (operand as readonly object[])
        .filter((each) => !isEmptyWhere(each))
        .map((each) => allOf(whereConditions(context, entity, each, seen)))
      return [all.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(all, sql` or `)})`]
    }
    if (name === 'allOf')
      return (operand as readonly object[]).flatMap((each) => whereConditions(context, entity, each, seen))
    const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
    if (seen && field && !seesWhole(context, entity, field)) return [sql<boolean>`false`]
    if (isNegative(operand)) return [sql<boolean>`(${allOf(positive(context, entity, name, operand.not))}) is not true`]
    return positive(context, entity, name, operand as Value)
  })
}

const isNegative = (operand: unknown): operand is { not: Value } =>
  typeof operand === 'object' && operand !== null && 'not' in operand

function positive(context: Context, entity: Entity, name: string, operand: Value): Condition[] {
  const values = Array.isArray(operand) ? operand.filter((value) => value !== null) : operand
  if (name === 'id' && !Object.hasOwn(entity.fields, 'id'))
    return [sql<boolean>`${sql.ref(`${main}.id`)} = any(${[values].flat()}::bigint[])`]
  if (Array.isArray(values) && values.length === 0) return [sql<boolean>`false`]
  return declaredConditions(context, entity, main, { [name]: filterOf(values) })
}

function filterOf(values: Value): FilterValue {
  if (values === null) return { empty: true }
  if (Array.isArray(values)) return { in: values }
  return typeof values === 'object' ? (values as FilterValue) : { equals: values }
}
