import { sql } from 'kysely'
import { administrator } from '../identity/access.ts'
import { invalid } from '../errors.ts'
import { enabled, roleEntity, roleFields, userEntity, userFields } from '../identity/identity.ts'
import { main } from './reading/columnOf.ts'
import { allOf } from './reading/visibleConditions.ts'
import { tableOf } from '../identity/scope.ts'
import type { Change } from './Change.ts'
import type { Work } from './Work.ts'

const message = { cn: '至少保留一名启用的系统管理员', en: 'At least one enabled administrator must remain' }

/**
 * Checks, after a write of a user and within its transaction, that a user who may do everything remains. Simultaneous
 * transactions that could remove the last one wait for each other. @throws Refusal invalid, at the roles.
 */
export async function keepAdministrator(
  { context, db }: Work,
  changes: readonly Pick<Change, 'entity' | 'old'>[],
): Promise<void> {
  const users = changes.filter(({ entity, old }) => entity.name === userEntity && old?.[userFields.status] === enabled)
  if (users.length === 0) return
  const { entity } = users[0]
  const roles = users.flatMap(({ old }) => (old![userFields.roles] ?? []) as number[])
  const role = context.derived.catalog.entities[roleEntity]
  const isAdministrator = allOf([
    sql<boolean>`r.id = any(${sql.ref(`${main}.${userFields.roles}`)})`,
    sql<boolean>`${sql.ref(`r.${roleFields.code}`)} = ${administrator}`,
    sql<boolean>`r."deletedAt" is null`,
  ])
  const { rows: was } = await sql`select 1 from ${tableOf(context, role)} as r
    where r.id = any(${roles}::bigint[]) and ${sql.ref(`r.${roleFields.code}`)} = ${administrator}`.execute(db)
  if (was.length === 0) return
  await sql`select pg_advisory_xact_lock(hashtext('administrator'))`.execute(db)
  const { rows } =
    await sql`select 1 from ${tableOf(context, entity)} as ${sql.ref(main)} where ${sql.ref(`${main}.deletedAt`)} is null
    and ${sql.ref(`${main}.${userFields.status}`)} = ${enabled} and exists (select from ${tableOf(context, role)} as r where ${isAdministrator}) limit 1`.execute(
      db,
    )
  if (rows.length === 0) throw invalid([{ field: userFields.roles, code: 'administrator', message }])
}
