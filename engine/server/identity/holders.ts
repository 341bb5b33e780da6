import { sql } from 'kysely'
import { grants } from '../../model/model.ts'
import { administrator } from './access.ts'
import { enabled, roleEntity, roleFields, userEntity, userFields } from './identity.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from './scope.ts'

/** The most that fit in a hint. */
const most = 3

interface HoldingRole {
  id: number
  name: string
  code: string
  patterns: string[] | null
}

/** Enabled roles that are assigned to an enabled user, in creation order. */
async function assignedRoles({ derived }: Context, db: Db): Promise<HoldingRole[]> {
  const { entities } = derived.catalog
  const column = (name: string) => sql.ref(`r.${name}`)
  const { rows } = await sql<HoldingRole>`
    select r.id, ${column(entities[roleEntity].display)} as name, ${column(roleFields.code)} as code,
      ${column(roleFields.permissions)} as patterns
    from ${tableOf({ derived }, entities[roleEntity])} as r
    where r."deletedAt" is null and ${column(roleFields.status)} = ${enabled}
      and exists (select from ${tableOf({ derived }, entities[userEntity])} as u where u."deletedAt" is null
        and ${sql.ref(`u.${userFields.status}`)} = ${enabled} and r.id = any(${sql.ref(`u.${userFields.roles}`)}))
    order by r.id`.execute(db)
  return rows
}

/** Administrators, who may do everything, only count if nobody else has the permission. */
function holding(roles: readonly HoldingRole[], permission: string): HoldingRole[] {
  const all = roles.filter(({ patterns }) => patterns?.some((pattern) => grants(pattern, permission)))
  const others = all.filter(({ code }) => code !== administrator)
  return others.length > 0 ? others : all
}

/** Permission → the names of the roles that have it, as above. */
export async function readHolders(context: Context, permissions: readonly string[]): Promise<Record<string, string[]>> {
  const roles = await assignedRoles(context, context.runtime.database.kysely)
  return Object.fromEntries(
    permissions.map((permission) => [
      permission,
      holding(roles, permission)
        .slice(0, most)
        .map(({ name }) => name),
    ]),
  )
}

/** The ids of the enabled users with these roles. */
export async function usersHolding(context: Context, db: Db, permission: string): Promise<number[]> {
  const roles = holding(await assignedRoles(context, db), permission).map(({ id }) => id)
  const { rows } = await sql<{ id: number }>`
    select u.id from ${tableOf(context, context.derived.catalog.entities[userEntity])} as u
    where u."deletedAt" is null and ${sql.ref(`u.${userFields.status}`)} = ${enabled}
      and ${sql.ref(`u.${userFields.roles}`)} && ${roles}::bigint[] order by u.id`.execute(db)
  return rows.map(({ id }) => id)
}
