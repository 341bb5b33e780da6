import { sql, type RawBuilder } from 'kysely'
import type { Entity } from '../schema/model.ts'
import { administrator } from './access.ts'
import { departmentEntity } from './identity.ts'
import type { Context } from './runtime.ts'

export type Condition = RawBuilder<boolean>

/**
 * Which records of an entity the user may see, as a condition on the table under `alias`; undefined: all.
 * What belongs to nobody yet (`via` an empty reference) is seen by everyone with the permission.
 */
export function scopeCondition(context: Context, entity: Entity, alias: string): Condition | undefined {
  const { user, derived } = context
  const scope = entity.scope
  if (!scope || user.dataScope === 'all' || user.roles.includes(administrator)) return undefined

  if ('via' in scope) {
    const owner = derived.target(entity.fields[scope.via])?.entity
    const inner = owner && scopeCondition(context, owner, `${alias}_${scope.via}`)
    if (!owner || !inner) return undefined
    const reference = sql.ref(`${alias}.${scope.via}`)
    return sql<boolean>`(${reference} is null or exists (select from ${tableOf(context, owner)} as ${sql.ref(`${alias}_${scope.via}`)}
      where ${sql.ref(`${alias}_${scope.via}.id`)} = ${reference} and ${inner}))`
  }

  const owned = scope.owners.map((path) => leadsTo(context, entity, alias, path.split('.'), sql`(select ${user.id}::bigint)`))
  const departments = user.dataScope === 'self' || user.department === null ? []
    : scope.departments.map((path) => leadsTo(context, entity, alias, path.split('.'), departmentsOf(context)))
  const either = [...owned, ...departments]
  return either.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(either, sql` or `)})`
}

/** Does the reference at the end of the path (`supportStaff.department`) point into `ids`, a subquery? */
function leadsTo(context: Context, entity: Entity, alias: string, [name, ...rest]: string[], ids: RawBuilder<unknown>): Condition {
  const column = sql.ref(`${alias}.${name}`)
  const target = context.derived.target(entity.fields[name])
  if (!target) throw new Error(`${entity.file}: the scope of ${entity.name} leads through "${name}", which is no reference`)
  const inner = `${alias}_${name}`
  const found = rest.length === 0 ? ids
    : sql`(select ${sql.ref(`${inner}.id`)} from ${tableOf(context, target.entity)} as ${sql.ref(inner)}
        where ${leadsTo(context, target.entity, inner, rest, ids)})`
  return target.many ? sql<boolean>`${column} && array${found}` : sql<boolean>`${column} in ${found}`
}

/** The user's department, with those below it where the data scope says so. */
function departmentsOf(context: Context): RawBuilder<unknown> {
  const { user, derived } = context
  const entity = derived.catalog.entities[departmentEntity]
  if (user.dataScope === 'department' || !entity?.tree) return sql`(select ${user.department}::bigint)`
  return descendants(context, entity, [user.department!])
}

/** The ids of these nodes of a tree and of all below them, as a subquery. */
export function descendants(context: Context, entity: Entity, ids: number[]): RawBuilder<unknown> {
  const parent = sql.ref(`node.${entity.tree!.parent}`)
  return sql`(with recursive below(id) as (
    select unnest(${ids}::bigint[]) union select node.id from ${tableOf(context, entity)} as node join below on ${parent} = below.id
  ) select id from below)`
}

export const tableOf = ({ derived }: Pick<Context, 'derived'>, entity: Entity) => sql.table(derived.catalog.tables[entity.name].name)
