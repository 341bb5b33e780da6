import { grants } from '../../model/model.ts'
import type { Entity, Field, ScreenPlan } from '../../model/model.ts'
import { Refusal } from '../errors.ts'
import type { Context } from '../runtime.ts'
import { type DataScope, dataScopes, type SessionUser } from '../SessionUser.ts'

export const systemUser: SessionUser = {
  id: 0,
  username: 'system',
  name: 'System',
  roles: ['admin'],
  department: null,
  permissions: ['*:*:*'],
  dataScope: 'all',
}

/** As expressions know who acts. */
export const scopeUser = (user: SessionUser) => ({ ...user, id: user.id === systemUser.id ? null : user.id })

export const administrator = 'admin'

export const may = (user: SessionUser, permission: string): boolean =>
  user.roles.includes(administrator) || user.permissions.some((pattern) => grants(pattern, permission))

/**
 * Do the user's roles let the screen be there at all? (Specification, section 6; the administrator sees all of them.)
 */
export const isOpenTo = (user: SessionUser, { roles = [] }: Pick<ScreenPlan, 'roles'>): boolean =>
  user.roles.includes(administrator) || roles.every((wanted) => wanted.some((role) => user.roles.includes(role)))

/** Any of its permissions opens a screen that is made of others, if the user's roles do not close it. */
export const mayOpen = (user: SessionUser, screen: Pick<ScreenPlan, 'permission' | 'opens' | 'roles'>): boolean =>
  isOpenTo(user, screen) && (screen.opens ?? [screen.permission]).some((permission) => may(user, permission))

/** @throws Refusal `permission`. */
export function demand(user: SessionUser, permission: string): void {
  if (!may(user, permission)) throw new Refusal('permission')
}

/** @throws Refusal `permission`. */
export function demandAny(user: SessionUser, permissions: readonly string[]): void {
  if (!permissions.some((permission) => may(user, permission))) throw new Refusal('permission')
}

/** Is the whole value shown to this user? */
export const seesWhole = ({ user }: Pick<Context, 'user'>, entity: Entity, field: Field): boolean =>
  !field.sensitive ||
  [entity.permissions.viewSensitive, ...(field.seenWith ?? [])].every((permission) => may(user, permission))

export const widest = (scopes: readonly string[]): DataScope =>
  dataScopes[Math.max(0, ...scopes.map((scope) => dataScopes.indexOf(scope as DataScope)))]
