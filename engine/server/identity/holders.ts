import { sql } from 'kysely'
import { grants } from '../../model/model.ts'
import { administrator } from './access.ts'
import { enabled, roleEntity, roleFields, userEntity, userFields } from './identity.ts'
import type { Context } from '../runtime.ts'
import { tableOf } from './scope.ts'

/** The most that fit in a hint. */
const most = 3

/**
 * Permission → the names of enabled roles that have it and are assigned to an enabled user, in creation order.
 * Administrators, who may do everything, are only named if nobody else has it.
 */
export async function readHolders(
  { derived, runtime }: Context,
  permissions: readonly string[],
): Promise<Record<string, string[]>> {
  const { entities } = derived.catalog
  const column = (name: string) => sql.ref(`r.${name}`)
  const { rows } = await sql<{ name: string; code: string; patterns: string[] | null }>`
    select ${column(entities[roleEntity].display)} as name, ${column(roleFields.code)} as code,
      ${column(roleFields.permissions)} as patterns
    from ${tableOf({ derived }, entities[roleEntity])} as r
    where r."deletedAt" is null and ${column(roleFields.status)} = ${enabled}
      and exists (select from ${tableOf({ derived }, entities[userEntity])} as u where u."deletedAt" is null
        and ${sql.ref(`u.${userFields.status}`)} = ${enabled} and r.id = any(${sql.ref(`u.${userFields.roles}`)}))
    order by r.id`.execute(runtime.database.kysely)
  return Object.fromEntries(
    permissions.map((permission) => {
      const holding = rows.filter(({ patterns }) => patterns?.some((pattern) => grants(pattern, permission)))
      const others = holding.filter(({ code }) => code !== administrator)
      return [permission, (others.length > 0 ? others : holding).slice(0, most).map(({ name }) => name)]
    }),
  )
}
