import { sql } from 'kysely'
import type { RecordData } from '../../model/model.ts'
import { administrator, systemUser, widest } from '../identity/access.ts'
import { departmentEntity, enabled, roleEntity, roleFields, userEntity, userFields } from '../identity/identity.ts'
import { idsOf } from './reading/references.ts'
import { departmentsWithin, noRights, type Parents, type Rights } from '../identity/rights.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import type { DataScope, SessionUser } from '../SessionUser.ts'

/** Everything that decides what users may do, at one moment. */
export interface Held {
  roles: ReadonlyMap<number, RecordData>
  parents: Parents
  /** Codes of roles that some screen is restricted to. */
  named: ReadonlySet<string>
}

const entityOf = (context: Context, name: string) => context.derived.catalog.entities[name]

/** Reads all roles and departments, of which there are few. */
export async function readHeld(context: Context, db: Db): Promise<Held> {
  const role = entityOf(context, roleEntity)
  const names = Object.values(roleFields).filter((name) => Object.hasOwn(role.fields, name))
  const { rows: roles } = await sql<RecordData>`select id, ${sql.join(names.map((name) => sql.ref(name)))}
    from ${tableOf(context, role)} where "deletedAt" is null`.execute(db)
  const department = entityOf(context, departmentEntity)
  const above = department.tree ? sql.ref(department.tree.parent) : sql`null::bigint`
  const { rows: nodes } = await sql<{ id: number; parent: number | null }>`select id, ${above} as parent
    from ${tableOf(context, department)} where "deletedAt" is null`.execute(db)
  return {
    roles: new Map(roles.map((record) => [record.id!, record])),
    parents: new Map(nodes.map(({ id, parent }) => [id, parent])),
    named: new Set(Object.values(context.derived.catalog.screens).flatMap((screen) => (screen.roles ?? []).flat())),
  }
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

/**
 * The combined rights that these roles give a user of this department: the widest data scope applies to all of them.
 */
export function rightsOf({ parents, named }: Held, roles: readonly RecordData[], department: number | null): Rights {
  const dataScope: DataScope = widest(roles.map((role) => String(role[roleFields.dataScope])))
  const codes = roles.map((role) => String(role[roleFields.code]))
  return {
    isAdministrator: codes.includes(administrator),
    permissions: roles.flatMap((role) => textsOf(role[roleFields.permissions])),
    messages: roles.flatMap((role) => textsOf(role[roleFields.messages])),
    codes: codes.filter((code) => named.has(code)),
    seesAll: dataScope === 'all',
    departments: departmentsWithin(parents, dataScope, department),
  }
}

/** The rights that a user's record gives, whether or not it is enabled; disabled roles do not count. */
export function rightsOfUser(held: Held, user: RecordData): Rights {
  const roles = idsOf(user[userFields.roles])
    .map((id) => held.roles.get(id))
    .filter((role) => role !== undefined && role[roleFields.status] === enabled) as RecordData[]
  return roles.length === 0 ? noRights : rightsOf(held, roles, idsOf(user[userFields.department]).at(0) ?? null)
}

/** The writer's own rights, as of the start of the request, whatever it has written since. */
export function ownRights(held: Held, user: SessionUser): Rights {
  const roles = [...held.roles.values()].filter((role) => user.roles.includes(String(role[roleFields.code])))
  return {
    isAdministrator: isUnbounded(user),
    permissions: user.permissions,
    messages: roles.flatMap((role) => textsOf(role[roleFields.messages])),
    codes: user.roles,
    seesAll: user.dataScope === 'all',
    departments: departmentsWithin(held.parents, user.dataScope, user.department),
  }
}

/** May do everything, so that what they grant need not be checked. */
export const isUnbounded = (user: SessionUser): boolean =>
  user.id === systemUser.id || user.roles.includes(administrator)

/** Users, with the fields that rights depend on. */
export async function readUsers(
  context: Context,
  db: Db,
  which: { ids: number[] } | { withRoles: number[] } | 'enabled',
): Promise<RecordData[]> {
  const condition =
    which === 'enabled'
      ? sql`${sql.ref(userFields.status)} = ${enabled}`
      : 'ids' in which
        ? sql`id = any(${which.ids}::bigint[])`
        : sql`${sql.ref(userFields.roles)} && ${which.withRoles}::bigint[] and ${sql.ref(userFields.status)} = ${enabled}`
  const { rows } = await sql<RecordData>`select id, ${sql.join(Object.values(userFields).map((name) => sql.ref(name)))}
    from ${tableOf(context, entityOf(context, userEntity))} where "deletedAt" is null and ${condition}`.execute(db)
  return rows
}
