import { sql } from 'kysely'
import { textIn } from '../../model/language.ts'
import type { Entity, Label, RecordData, Value } from '../../model/model.ts'
import { accept } from '../records/accept.ts'
import { administrator, systemUser } from '../identity/access.ts'
import { setPassword } from './credentials.ts'
import { departmentEntity, roleEntity, roleFields, userEntity, userFields } from '../identity/identity.ts'
import { md5, randomPassword } from '../identity/passwords.ts'
import type { Context, Db, Runtime } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { createContext } from '../identity/session.ts'
import { canonicalRecord } from '../records/reading/canonical.ts'
import { changeTables } from '../postgres/changeTables.ts'
import { insertRecords } from '../records/write.ts'

/**
 * On the first start, when there is no user yet, creates `admin` with the administrator's role.
 * @returns the generated password if none was given, to be shown once and changed at the first sign-in.
 */
export const createAdministrator = (runtime: Runtime, password: string | undefined): Promise<string | undefined> =>
  changeTables(runtime.database, async (db) => {
    const context = createContext(runtime, systemUser)
    const entity = (name: string) => context.derived.catalog.entities[name]
    const { rows } = await sql`select 1 from ${tableOf(context, entity(userEntity))} limit 1`.execute(db)
    if (rows.length > 0) return undefined

    const role =
      (await idWhere(context, db, entity(roleEntity), roleFields.code, administrator)) ??
      (await insert(context, db, entity(roleEntity), {
        [roleFields.code]: administrator,
        name: textIn(called, context.language),
        [roleFields.permissions]: ['*:*:*'],
        [roleFields.dataScope]: 'all',
      }))
    const name = textIn(headOffice, context.language)
    const department =
      (await idWhere(context, db, entity(departmentEntity), 'name', name)) ??
      (await insert(context, db, entity(departmentEntity), { name }))
    const user = await insert(context, db, entity(userEntity), {
      [userFields.loginName]: administrator,
      [userFields.realName]: textIn(called, context.language),
      [userFields.department]: department,
      [userFields.roles]: [role],
    })
    const given = password ?? randomPassword()
    await setPassword(db, user, md5(given), { mustChange: password === undefined })
    return password === undefined ? given : undefined
  })

const called: Label = { cn: '系统管理员', en: 'Administrator' }
const headOffice: Label = { cn: '总部', en: 'Head office' }

async function idWhere(
  context: Context,
  db: Db,
  entity: Entity,
  field: string,
  value: string,
): Promise<number | undefined> {
  const {
    rows: [row],
  } = await sql<{
    id: number
  }>`select id from ${tableOf(context, entity)} where ${sql.ref(field)} = ${value} and "deletedAt" is null`.execute(db)
  return row?.id
}

async function insert(context: Context, db: Db, entity: Entity, values: Record<string, Value>): Promise<number> {
  const { record } = accept(context, entity, {}, null)
  const full: RecordData = Object.assign(record, canonicalRecord(context, entity, values))
  await insertRecords(context, db, entity, [full])
  return full.id!
}
