import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { SessionUser } from './access.ts'
import { isPassword, logSession } from './credentials.ts'
import type { Database } from './database.ts'
import { Refusal } from './errors.ts'
import { userEntity } from './identity.ts'
import { md5 } from './passwords.ts'
import type { Runtime } from './runtime.ts'
import { tableOf } from './scope.ts'
import { findUser, openSession } from './session.ts'
import { changeTables } from './tables.ts'

/** So many failures of one name from one address, and the pair has to wait. */
const failuresAllowed = 5
const lockMinutes = 10

export const createSignInTable = (database: Database): Promise<void> => changeTables(database, async (transaction) => {
  await sql`create table if not exists system_sign_in_failure (key text primary key, failures integer not null, at timestamp(0) not null)`.execute(transaction)
})

/** One after the other for one name and address: guesses sent all at once would be checked before the first one counts. */
const queues = new Map<string, Promise<unknown>>()

function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const turn = (queues.get(key) ?? Promise.resolve()).then(work, work)
  const settled = turn.catch(() => undefined).finally(() => { if (queues.get(key) === settled) queues.delete(key) })
  queues.set(key, settled)
  return turn
}

/** @throws Refusal wrongPassword, tooManySignIns, userDisabled, userWithoutRole. */
export function signIn(
  runtime: Runtime, minutes: number, { username, password, ip, client }: { username: string; password: string; ip: string; client: string },
): Promise<{ token: string; user: SessionUser }> {
  const key = createHash('sha256').update(`${username.toLowerCase()}\n${ip}`).digest('hex')
  return inTurn(key, async () => {
    const { kysely } = runtime.database
    const { rows: [locked] } = await sql<{ minutes: number }>`
      select ceil(extract(epoch from at + make_interval(mins => ${lockMinutes}) - localtimestamp(0)) / 60)::integer as minutes from system_sign_in_failure
      where key = ${key} and failures >= ${failuresAllowed} and at > localtimestamp - make_interval(mins => ${lockMinutes})`.execute(kysely)
    if (locked) throw new Refusal('tooManySignIns', { parameters: { minutes: Math.max(1, locked.minutes) } })

    const user = await findUser(runtime, username)
    if (!await isPassword(kysely, user?.id, md5(password)) || !user) {
      await countFailure(runtime, key)
      await logSession(runtime, kysely, 'loginFailed', user?.id ?? 0, { ip, by: 0, username: username.slice(0, 60) })
      throw new Refusal('wrongPassword')
    }
    if (!user.enabled) throw new Refusal('userDisabled')
    if (user.roles.length === 0) throw new Refusal('userWithoutRole')
    await sql`delete from system_sign_in_failure where key = ${key} or at < localtimestamp - interval '1 day'`.execute(kysely)
    const token = await openSession(kysely, user.id, minutes, { ip, client })
    await noteSignIn(runtime, user.id, ip)
    await logSession(runtime, kysely, 'login', user.id, { ip })
    return { token, user }
  })
}

/** Failures that are older than the lock are forgotten. */
const countFailure = ({ database }: Runtime, key: string) => sql`
  insert into system_sign_in_failure as f (key, failures, at) values (${key}, 1, localtimestamp) on conflict (key) do update
  set failures = case when f.at > localtimestamp - make_interval(mins => ${lockMinutes}) then f.failures + 1 else 1 end, at = localtimestamp`.execute(database.kysely)

/** Nobody edited the user, so that neither its revision nor its history counts on. */
async function noteSignIn(runtime: Runtime, id: number, ip: string): Promise<void> {
  const entity = runtime.derived.catalog.entities[userEntity]
  const set = Object.entries({ lastLoginTime: runtime.clock.now(), lastLoginAddress: ip })
    .filter(([name]) => Object.hasOwn(entity.fields, name)).map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  if (set.length > 0) await sql`update ${tableOf(runtime, entity)} set ${sql.join(set)} where id = ${id}`.execute(runtime.database.kysely)
}
