import type { Entity, Field } from '../schema/model.ts'
import { Refusal } from './errors.ts'
import type { Context } from './runtime.ts'

export const dataScopes = ['self', 'department', 'departmentAndBelow', 'all'] as const
export type DataScope = typeof dataScopes[number]

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

export const systemUser: SessionUser = { id: 0, username: 'system', name: 'System', roles: ['admin'], department: null, permissions: ['*:*:*'], dataScope: 'all' }

export const administrator = 'admin'

/** `customer:*:view` grants `customer:customer:view`. */
export function grants(pattern: string, permission: string): boolean {
  const [given, wanted] = [pattern.split(':'), permission.split(':')]
  return given.length === wanted.length && given.every((part, index) => part === '*' || part === wanted[index])
}

export const may = (user: SessionUser, permission: string): boolean =>
  user.roles.includes(administrator) || user.permissions.some((pattern) => grants(pattern, permission))

/** @throws Refusal `permission`. */
export function demand(user: SessionUser, permission: string): void {
  if (!may(user, permission)) throw new Refusal('permission')
}

/** Is the whole value shown to this user? */
export const seesWhole = ({ user }: Pick<Context, 'user'>, entity: Entity, field: Field): boolean =>
  !field.sensitive || may(user, entity.permissions.viewSensitive)

export const widest = (scopes: readonly string[]): DataScope =>
  dataScopes[Math.max(0, ...scopes.map((scope) => dataScopes.indexOf(scope as DataScope)))]
