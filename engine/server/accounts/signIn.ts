import { truncateText } from '../../model/truncateText.ts'
import { sql } from 'kysely'
import { holdHash, logSession, usePassword, verifiedHash } from './credentials.ts'
import { Refusal } from '../errors.ts'
import { verifyInForce } from '../generation.ts'
import { throttled } from './throttle.ts'
import { userEntity } from '../identity/identity.ts'
import { isStrongPassword, md5 } from '../identity/passwords.ts'
import { refreshOverlay } from '../catalog/overlay.ts'
import { overlayVersion } from '../records/overlayVersion.ts'
import { policy } from '../identity/policies.ts'
import type { Runtime } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { findUser, holdEnabled, openSession } from '../identity/session.ts'
import { networkOf } from './networkOf.ts'
import { blocked, countStranger, throttleSignIn } from './throttleSignIn.ts'
import type { SessionUser } from '../SessionUser.ts'

/** @throws Refusal wrongPassword, tooManySignIns, userDisabled, userWithoutRole, passwordLapsed. */
export async function signIn(
  runtime: Runtime,
  { username, password, ip, client }: { username: string; password: string; ip: string; client: string },
): Promise<{ token: string; user: SessionUser }> {
  const { kysely } = runtime.database
  await verifyInForce(runtime)
  // Without a session, the administrators' settings have not been read yet.
  await refreshOverlay(runtime, await overlayVersion(kysely))
  const name = username.toLowerCase()
  const isShut = await throttleSignIn(runtime, { name, ip, userId: (await findUser(runtime, username))?.id })
  // Counted by name and network.
  return throttled(runtime, ['signIn', name, networkOf(ip)], 'tooManySignIns', async (wrong) => {
    const user = await findUser(runtime, username)
    const refuse = async (): Promise<never> => {
      await wrong()
      await countStranger(runtime, { name, ip })
      await logSession(runtime, kysely, 'loginFailed', user?.id ?? 0, {
        ip,
        client,
        by: 0,
        username: truncateText(username, 60),
      })
      throw isShut ? blocked() : new Refusal('wrongPassword')
    }
    const hash = await verifiedHash(kysely, user?.id, md5(password))
    if (hash === undefined || !user) return refuse()
    if (!user.enabled) throw new Refusal('userDisabled')
    if (user.roles.length === 0) throw new Refusal('userWithoutRole')
    const token = await kysely.transaction().execute(async (db) => {
      // A concurrent disabling or password change either commits before this or finds the session and ends it.
      if (!(await holdEnabled(runtime, db, user.id))) throw new Refusal('userDisabled')
      if (!(await holdHash(db, user.id, hash))) return undefined
      await usePassword(db, user.id, isStrongPassword(password))
      const opened = await openSession(db, user.id, policy(runtime, 'sessionMinutes'), { ip, client })
      await logSession(runtime, db, 'login', user.id, { ip, client })
      return opened
    })
    if (token === undefined) return refuse()
    await noteSignIn(runtime, user.id, ip)
    return { token, user }
  })
}

/** Written without a revision or history, because nobody edited the user. */
async function noteSignIn(runtime: Runtime, id: number, ip: string): Promise<void> {
  const entity = runtime.derived.catalog.entities[userEntity]
  const set = Object.entries({ lastLoginTime: runtime.clock.now(), lastLoginAddress: ip })
    .filter(([name]) => Object.hasOwn(entity.fields, name))
    .map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  if (set.length > 0)
    await sql`update ${tableOf(runtime, entity)} set ${sql.join(set)} where id = ${id}`.execute(runtime.database.kysely)
}
