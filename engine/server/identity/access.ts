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

/** The user as expressions see them. */
export const scopeUser = (user: SessionUser) => ({ ...user, id: user.id === systemUser.id ? null : user.id })

export const administrator = 'admin'

/** What decides which permissions a user has and which screens are open to them. */
export type Rights = Pick<SessionUser, 'roles' | 'permissions'>

export const may = (user: Rights, permission: string): boolean =>
  user.roles.includes(administrator) || user.permissions.some((pattern) => grants(pattern, permission))

/** Whether the user's roles may see the screen at all (specification, section 6; the administrator sees all). */
export const isOpenTo = (user: Rights, { roles = [] }: Pick<ScreenPlan, 'roles'>): boolean =>
  user.roles.includes(administrator) || roles.every((wanted) => wanted.some((role) => user.roles.includes(role)))

/** Any permission of a screen's parts opens it, unless the user's roles close it. */
export const mayOpen = (user: Rights, screen: Pick<ScreenPlan, 'permission' | 'opens' | 'roles'>): boolean =>
  isOpenTo(user, screen) && (screen.opens ?? [screen.permission]).some((permission) => may(user, permission))

/** @throws Refusal `permission`. */
export function demand(user: SessionUser, permission: string): void {
  if (!may(user, permission)) throw new Refusal('permission')
}

/** @throws Refusal `permission`. */
export function demandAny(user: SessionUser, permissions: readonly string[]): void {
  if (!permissions.some((permission) => may(user, permission))) throw new Refusal('permission')
}

/** As the user who asked, even while a procedure acts with more rights: for what they are told. */
export const asAsked = (context: Context): Context => (context.asker ? { ...context, user: context.asker } : context)

/** Whether the user who asked sees the unmasked value. */
export const seesWhole = (
  { user, asker = user }: Pick<Context, 'user' | 'asker'>,
  entity: Entity,
  field: Field,
): boolean =>
  !field.sensitive ||
  [entity.permissions.viewSensitive, ...(field.seenWith ?? [])].every((permission) => may(asker, permission))

export const widest = (scopes: readonly string[]): DataScope =>
  dataScopes[Math.max(0, ...scopes.map((scope) => dataScopes.indexOf(scope as DataScope)))]
