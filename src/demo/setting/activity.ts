import { sql } from 'kysely'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { networkAddress } from '../pools.ts'
import type { Random } from '../random.ts'

/** The number of days, and of daily entries: sign-ins, exports, wrong passwords, and refusals. */
const days = 60
const counts = { login: 420, logout: 200, export: 160, loginFailed: 36, denied: 14 }
const exported = ['customer', 'contract', 'statement', 'receipt', 'invoice', 'person', 'payroll']
const client = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140'
const denial = {
  cn: '您没有操作权限，请向上级获取权限后再试！',
  en: 'You have no operation permission, please obtain permission from the higher-level authority and try again!',
}

interface Entry {
  entity: string
  area: string
  record_id: number
  action: string
  user_id: number | null
  at: string
  changes: object
  ip: string
  client: string
}

/** Log entries of some weeks besides changes to records. */
export async function writeActivity(
  context: Context,
  db: Db,
  random: Random,
  daysAgo: (days: number) => string,
): Promise<void> {
  const { entities } = context.derived.catalog
  const users = await new ProcedureWork(context, db).read('user', {
    where: { status: 'enabled', lastLoginTime: { empty: false } },
    fields: ['loginName'],
  })
  const entry = (entity: string, action: string, record: number, user: number | null, changes: object): Entry => ({
    entity,
    area: entities[entity].area,
    record_id: record,
    action,
    user_id: user,
    at: daysAgo(random.integer(1, days)),
    changes: { revision: 0, fields: {}, ...changes },
    ip: networkAddress(random),
    client,
  })
  const many = (count: number, make: () => Entry) => Array.from({ length: count }, make)
  const entries = [
    ...(['login', 'logout'] as const).flatMap((action) =>
      many(counts[action], () => {
        const { id } = random.pick(users)
        return entry('user', action, id, id, {})
      }),
    ),
    ...many(counts.export, () =>
      entry(random.pick(exported), 'export', 0, random.pick(users).id, { aside: true, rows: random.integer(5, 900) }),
    ),
    ...many(counts.loginFailed, () => {
      const { id, loginName } = random.pick(users)
      return entry('user', 'loginFailed', id, null, { username: loginName })
    }),
    ...many(counts.denied, () =>
      entry('invoice', 'issue', 0, random.pick(users).id, { aside: true, result: 'denied', message: denial }),
    ),
  ].sort((a, b) => (a.at < b.at ? -1 : 1))
  // The log is not an entity, and contains sign-ins and refusals without any change of a record.
  await sql`insert into system_history (entity, area, record_id, action, user_id, at, changes, ip, client)
    select entity, area, record_id, action, user_id, at, changes, ip, client
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as source (entity text, area text, record_id bigint, action text, user_id bigint, at timestamp(0), changes jsonb, ip text, client text)`.execute(
    db,
  )
}
