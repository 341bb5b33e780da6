import { sql, type RawBuilder } from 'kysely'
import type { Entity } from '../../model/model.ts'
import { administrator, systemUser } from './access.ts'
import { departmentEntity } from './identity.ts'
import type { Context } from '../runtime.ts'
import { type DataScope, dataScopes } from '../SessionUser.ts'

export type Condition = RawBuilder<boolean>

/**
 * A condition on the table under `alias` for the records of an entity that the user may see; undefined means all.
 * Records without an owner (`via` an empty reference) are visible to everyone with the permission.
 */
export function scopeCondition(context: Context, entity: Entity, alias: string): Condition | undefined {
  return conditionFor(context, entity, alias, signedIn(context))
}

const signedIn = ({ user }: Context): Viewer => ({
  id: sql`${user.id}::bigint`,
  department: user.department === null ? null : sql`${user.department}::bigint`,
  dataScope: user.roles.includes(administrator) ? 'all' : user.dataScope,
  isSystem: user.id === systemUser.id,
})

/** The references to one record that decide who sees this one, and whether the user sees the record with an id. */
export function scopedReferences(
  context: Context,
  { scope, fields }: Entity,
): { name: string; sees(id: RawBuilder<unknown>): Condition }[] {
  if (!scope || !('via' in scope)) return []
  return scope.via.flatMap((name) => {
    const target = context.derived.target(fields[name])
    const alias = `owner_${name}`
    const condition = target && !target.many && conditionFor(context, target.entity, alias, signedIn(context))
    return condition ? [{ name, sees: (id) => found(context, target.entity, alias, id, condition) }] : []
  })
}

/** The reader: the signed-in user, or one of many in a query over users. */
interface Viewer {
  id: RawBuilder<unknown>
  department: RawBuilder<unknown> | null
  /**
   * The list of the department and its subdepartments, if the query computes it once per reader instead of per record.
   */
  below?: RawBuilder<unknown>
  dataScope: DataScope
  isSystem?: boolean
}

function conditionFor(context: Context, entity: Entity, alias: string, viewer: Viewer): Condition | undefined {
  const { scope } = entity
  if (!scope || viewer.isSystem) return undefined
  const through = (path: string, ids: RawBuilder<unknown>) => leadsTo(context, entity, alias, path.split('.'), ids)
  const self = sql`(select ${viewer.id})`
  if ('only' in scope) return anyOf(scope.only.map((path) => through(path, self)))
  if (viewer.dataScope === 'all') return undefined

  if ('via' in scope) {
    const seen = scope.via.map((name) => ({ name, condition: seenAt(context, entity, alias, name, viewer) }))
    if (seen.every(({ condition }) => !condition)) return undefined
    return seen.reduceRight<Condition | undefined>((rest, { name, condition = sql<boolean>`true` }) => {
      const column = sql.ref(`${alias}.${name}`)
      return rest === undefined
        ? sql<boolean>`(${column} is null or ${condition})`
        : sql<boolean>`case when ${column} is null then ${rest} else ${condition} end`
    }, undefined)
  }

  const departments =
    viewer.dataScope === 'self' || viewer.department === null
      ? undefined
      : departmentsOf(context, viewer, viewer.department)
  return anyOf([
    ...scope.owners.map((path) => through(path, self)),
    ...(departments ? scope.departments.map((path) => through(path, departments)) : []),
  ])
}

/** Whether the viewer sees the record at this reference, or all of those at a reference to many; undefined means all. */
function seenAt(context: Context, entity: Entity, alias: string, name: string, viewer: Viewer): Condition | undefined {
  const target = context.derived.target(entity.fields[name])
  const inner = `${alias}_${name}`
  const condition = target && conditionFor(context, target.entity, inner, viewer)
  if (!condition) return undefined
  const column = sql.ref(`${alias}.${name}`)
  if (!target.many) return found(context, target.entity, inner, column, condition)
  const element = `${inner}_one`
  return sql<boolean>`not exists (select from unnest(${column}) as ${sql.ref(element)} (id)
    where not ${found(context, target.entity, inner, sql.ref(`${element}.id`), condition)})`
}

/** Whether the condition, on the table under this alias, holds for the record with that id. */
const found = (context: Context, entity: Entity, alias: string, id: RawBuilder<unknown>, condition: Condition) =>
  sql<boolean>`exists (select from ${tableOf(context, entity)} as ${sql.ref(alias)}
      where ${sql.ref(`${alias}.id`)} = ${id} and ${condition})`

const anyOf = (conditions: Condition[]): Condition =>
  conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`

/** Whether the data scope of each of many users, a text in their query, covers the record under `alias`. */
export function coveredBy(
  context: Context,
  entity: Entity,
  alias: string,
  viewer: Pick<Viewer, 'id' | 'department' | 'below'> & { dataScope: RawBuilder<unknown> },
): Condition {
  const cases = dataScopes.map((dataScope) => {
    const condition = conditionFor(context, entity, alias, { ...viewer, dataScope }) ?? sql<boolean>`true`
    return sql`when ${dataScope} then ${condition}`
  })
  return sql<boolean>`case ${viewer.dataScope} ${sql.join(cases, sql` `)} end`
}

/** Whether the field names no department, the given one, or one above it. */
export function withinDepartments(
  context: Context,
  entity: Entity,
  alias: string,
  field: string,
  department: RawBuilder<unknown>,
): Condition {
  const column = sql.ref(`${alias}.${field}`)
  const many = context.derived.target(entity.fields[field])?.many
  const tree = context.derived.catalog.entities[departmentEntity]
  const own = sql`(select ${department})`
  const above = tree?.tree ? ancestors(context, tree, department) : own
  return many
    ? sql<boolean>`(coalesce(cardinality(${column}), 0) = 0 or ${column} && array${above})`
    : sql<boolean>`(${column} is null or ${column} in ${above})`
}

/** What the conditions above depend on: two users with the same key would get the same. */
export const viewerKey = ({ user }: Pick<Context, 'user'>): string =>
  user.id === systemUser.id
    ? 'system'
    : [user.id, user.department, user.roles.includes(administrator) ? 'all' : user.dataScope].join(' ')

/** Whether the reference at the end of the path (`supportStaff.department`) points into `ids`, a subquery. */
function leadsTo(
  context: Context,
  entity: Entity,
  alias: string,
  [name, ...rest]: string[],
  ids: RawBuilder<unknown>,
): Condition {
  const column = sql.ref(`${alias}.${name}`)
  const target = context.derived.target(entity.fields[name])
  if (!target)
    throw new Error(`${entity.file}: the scope of ${entity.name} leads through "${name}", which is no reference`)
  const inner = `${alias}_${name}`
  const found =
    rest.length === 0
      ? ids
      : sql`(select ${sql.ref(`${inner}.id`)} from ${tableOf(context, target.entity)} as ${sql.ref(inner)}
        where ${leadsTo(context, target.entity, inner, rest, ids)})`
  return target.many ? sql<boolean>`${column} && array${found}` : sql<boolean>`${column} in ${found}`
}

/** The department, with those below it if the data scope includes them. */
const departmentsOf = (context: Context, { below, dataScope }: Viewer, department: RawBuilder<unknown>) =>
  dataScope === 'department'
    ? sql`(select ${department})`
    : below
      ? sql`(select unnest(${below}))`
      : withThoseBelow(context, department)

/** The ids of a department and those below it, as a subquery. */
export function withThoseBelow(context: Context, department: RawBuilder<unknown>): RawBuilder<unknown> {
  const entity = context.derived.catalog.entities[departmentEntity]
  return entity?.tree ? descendants(context, entity, sql`array[${department}]`) : sql`(select ${department})`
}

/** The ids of a tree node and all its ancestors, as a subquery. */
function ancestors(context: Context, entity: Entity, id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(with recursive above(id) as (
    select ${id} union select ${sql.ref(`node.${entity.tree!.parent}`)} from ${tableOf(context, entity)} as node join above on node.id = above.id
  ) select id from above where id is not null)`
}

/** The ids of these tree nodes and all their descendants, as a subquery. */
export function descendants(
  context: Context,
  entity: Entity,
  ids: number[] | RawBuilder<unknown>,
): RawBuilder<unknown> {
  const parent = sql.ref(`node.${entity.tree!.parent}`)
  return sql`(with recursive below(id) as (
    select unnest(${ids}::bigint[]) union select node.id from ${tableOf(context, entity)} as node join below on ${parent} = below.id
  ) select id from below)`
}

export const tableOf = ({ derived }: Pick<Context, 'derived'>, entity: Entity) =>
  sql.table(derived.catalog.tables[entity.name].name)
