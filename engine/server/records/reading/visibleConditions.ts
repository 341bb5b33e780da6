import { sql } from 'kysely'
import type { Entity } from '../../../model/model.ts'
import { may, systemUser } from '../../identity/access.ts'
import { type Condition, scopeCondition } from '../../identity/scope.ts'
import type { Context } from '../../runtime.ts'
import { main } from './columnOf.ts'
import { declaredConditions } from './filters.ts'

/** Excludes deleted records and those outside the user's scope. */
export const visibleConditions = (context: Context, entity: Entity): Condition[] => [
  sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`,
  ...withinScope(context, entity, main),
]

/** Excludes records outside the user's scope. */
export function withinScope(context: Context, entity: Entity, alias: string): Condition[] {
  const scope = scopeCondition(context, entity, alias)
  return [...(scope ? [scope] : []), ...partConditions(context, entity, 'view', alias)]
}

/** Whether this user sees every record. */
export const seesEvery = (context: Context, entity: Entity): boolean =>
  scopeCondition(context, entity, main) === undefined &&
  (entity.parts ?? []).every((part) => context.user.id === systemUser.id || may(context.user, part.view))

/** For records with `parts`, those that the user has the permission for. */
export function partConditions(
  context: Context,
  entity: Entity,
  operation: 'view' | 'export',
  alias = main,
): Condition[] {
  if (!entity.parts || context.user.id === systemUser.id) return []
  const open = entity.parts
    .filter((part) => may(context.user, part[operation]))
    .map(({ where }) => allOf(declaredConditions(context, entity, alias, where)))
  return [open.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(open, sql` or `)})`]
}

export const allOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
