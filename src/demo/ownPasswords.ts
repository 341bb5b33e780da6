import { sql } from 'kysely'
import { setPassword } from '../../engine/server/accounts/credentials.ts'
import { enabled, userEntity, userFields } from '../../engine/server/identity/identity.ts'
import { md5, randomPassword } from '../../engine/server/identity/passwords.ts'
import { tableOf } from '../../engine/server/identity/scope.ts'
import type { Context } from '../../engine/server/runtime.ts'

/**
 * Gives each demo user except the administrator a random password, so that nobody signs in as another.
 * @returns a line for each user who may sign in, to be shown once
 */
export async function giveOwnPasswords(context: Context): Promise<string[]> {
  const { kysely } = context.runtime.database
  const users = tableOf(context, context.derived.catalog.entities[userEntity])
  // No entity shows who has a password.
  const { rows } = await sql<{ id: number; name: string; isEnabled: boolean }>`
    select id, ${sql.ref(userFields.loginName)} as name, ${sql.ref(userFields.status)} = ${enabled} as "isEnabled"
    from ${users} where id <> (select min(id) from ${users}) and id in (select user_id from system_credential) order by id`.execute(
    kysely,
  )
  const lines: string[] = []
  for (const { id, name, isEnabled } of rows) {
    const password = randomPassword()
    await setPassword(kysely, id, md5(password), { mustChange: false })
    if (isEnabled) lines.push(`${name.padEnd(20)} ${password}`)
  }
  return lines
}
