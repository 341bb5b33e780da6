import { grants } from '../schema/model.ts'
import type { Entity, Field, ScreenPlan } from '../schema/model.ts'
import { Refusal } from './errors.ts'
import type { Context } from './runtime.ts'

export const dataScopes = ['self', 'department', 'departmentAndBelow', 'all'] as const
export type DataScope = (typeof dataScopes)[number]

/** Who asks. */
export interface SessionUser {
  /** 0: the system itself (presets, jobs), which may do everything and is nobody's `createdBy`. */
  id: number
  username: string
  name: string
  /** Codes of the enabled roles. */
  roles: string[]
  department: number | null
  /** What the roles grant: `customer:customer:view`, `*` for any part. */
  permissions: string[]
  /** The widest of the roles'. */
  dataScope: DataScope
}

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

/** The permissions of which any lets a user see or export some of the records. */
export const permissionsTo = (
  { parts, permissions }: Pick<Entity, 'parts' | 'permissions'>,
  operation: 'view' | 'export',
): string[] => (parts ? parts.map((part) => part[operation]) : [permissions[operation]])

/** Is the whole value shown to this user? */
export const seesWhole = ({ user }: Pick<Context, 'user'>, entity: Entity, field: Field): boolean =>
  !field.sensitive ||
  [entity.permissions.viewSensitive, ...(field.seenWith ?? [])].every((permission) => may(user, permission))

export const widest = (scopes: readonly string[]): DataScope =>
  dataScopes[Math.max(0, ...scopes.map((scope) => dataScopes.indexOf(scope as DataScope)))]
