import { sql } from 'kysely'
import type { GivenPassword } from '../../model/model.ts'
import { Refusal } from '../errors.ts'
import { throttled } from './throttle.ts'
import { userEntity } from '../identity/identity.ts'
import { demandWithinOwn } from '../records/refuseEscalation.ts'
import { hashPassword, md5, randomPassword, verifyPassword } from '../identity/passwords.ts'
import { secretPolicy } from '../identity/policies.ts'
import { isRefused } from '../identity/refusedPasswords.ts'
import { hasPassword, keepPassword, recordPasswordChange } from '../records/passwords.ts'
import type { Db, Procedure, Runtime } from '../runtime.ts'
import { closeSessionsOf, isOpen } from '../identity/session.ts'
import type { SessionUser } from '../SessionUser.ts'

interface Terms {
  mustChange: boolean
  /** Hours until it lapses while it must be changed; no limit if absent. */
  hours?: number
  /** Only its digest was seen, so the password rule has not been applied. */
  unproven?: boolean
}

/** @param digest the password's uppercase MD5 hex */
export const setPassword = async (db: Db, userId: number, digest: string, terms: Terms): Promise<void> =>
  keepHash(db, userId, await hashPassword(digest), terms)

async function keepHash(
  db: Db,
  userId: number,
  hash: string,
  { mustChange, hours, unproven = false }: Terms,
): Promise<void> {
  await sql`insert into system_credential (user_id, hash, must_change, changed_at, lapses_at, unproven)
    values (${userId}, ${hash}, ${mustChange}, localtimestamp, localtimestamp + make_interval(hours => ${hours ?? null}::integer), ${unproven})
    on conflict (user_id) do update set hash = excluded.hash, must_change = excluded.must_change, changed_at = excluded.changed_at,
      lapses_at = excluded.lapses_at, unproven = excluded.unproven`.execute(db)
}

/**
 * Called after a successful sign-in, when the text is known: a password of which only a digest was known is checked
 * now, and must be changed if it breaks the rule. @throws Refusal passwordLapsed.
 */
export async function usePassword(db: Db, userId: number, isStrong: boolean): Promise<void> {
  const {
    rows: [row],
  } = await sql<{
    lapsed: boolean
    unproven: boolean
  }>`select coalesce(must_change and lapses_at < localtimestamp, false) as lapsed, unproven
    from system_credential where user_id = ${userId}`.execute(db)
  if (row?.lapsed) throw new Refusal('passwordLapsed')
  if (row?.unproven)
    await sql`update system_credential set unproven = false, must_change = must_change or not ${isStrong}::boolean
      where user_id = ${userId} and unproven`.execute(db)
}

/** Takes as long if there is no such user. @returns the stored hash if this is the password */
export async function verifiedHash(db: Db, userId: number | undefined, digest: string): Promise<string | undefined> {
  const {
    rows: [row],
  } = await sql<{ hash: string }>`select hash from system_credential where user_id = ${userId ?? 0}`.execute(db)
  return (await verifyPassword(digest, row?.hash)) ? row.hash : undefined
}

/** Whether this is still the user's hash; locks it until the transaction ends. */
export async function holdHash(db: Db, userId: number, hash: string): Promise<boolean> {
  const {
    rows: [row],
  } = await sql<{ hash: string }>`select hash from system_credential where user_id = ${userId} for update`.execute(db)
  return row?.hash === hash
}

interface OwnChange {
  token: string
  /** Uppercase MD5 hex, as is `next`. */
  original: string
  next: string
  /** The texts were not seen. */
  unproven: boolean
  /** The request's key: the same change sent again after its answer was lost is not a guess. */
  key: string | undefined
}

/**
 * A user changes their own password: all their other sessions end. Attempts are throttled, because a stolen session
 * must not be usable for guessing passwords.
 * @throws Refusal passwordCommon, passwordOriginal, passwordSame, tooManyGuesses, signedOut.
 */
export async function changePassword(
  runtime: Runtime,
  user: Pick<SessionUser, 'id' | 'username' | 'name'>,
  change: OwnChange,
): Promise<void> {
  const { original, next, key } = change
  const { kysely } = runtime.database
  if (isRefused(next, [user.username, user.name])) throw new Refusal('passwordCommon')
  await throttled(runtime, ['change', user.id], 'tooManyGuesses', async (wrong) => {
    const verified = await verifiedHash(kysely, user.id, original)
    if (verified !== undefined) {
      if (original === next) throw new Refusal('passwordSame')
      if (await replaceHash(runtime, user.id, verified, change)) return
    }
    if (key && (await isOwnChange(kysely, user.id, key)) && (await verifiedHash(kysely, user.id, next))) return
    await wrong()
    throw new Refusal('passwordOriginal')
  })
}

/** Does nothing if the password was changed since it was verified. @throws Refusal signedOut. @returns whether it did */
async function replaceHash(
  runtime: Runtime,
  userId: number,
  verified: string,
  { token, next, unproven, key }: OwnChange,
): Promise<boolean> {
  // Before the transaction, because it takes long.
  const hash = await hashPassword(next)
  return runtime.database.kysely.transaction().execute(async (db) => {
    const isCurrent = await holdHash(db, userId, verified)
    // A reset ends the session with which the change was requested.
    if (!(await isOpen(db, token))) throw new Refusal('signedOut')
    if (!isCurrent) return false
    await keepHash(db, userId, hash, { mustChange: false, unproven })
    if (key) await keepOwnChange(db, userId, key)
    await closeSessionsOf(db, [userId], token)
    await logSession(runtime, db, 'changePassword', userId)
    return true
  })
}

/** Without a digest of the body, because a fast hash of passwords must not be stored. */
const keepOwnChange = (db: Db, userId: number, key: string): Promise<unknown> =>
  sql`insert into system_request (user_id, operation, key, part, digest, at)
    values (${userId}, ${ownChange}, ${key}, '', '', localtimestamp) on conflict do nothing`.execute(db)

async function isOwnChange(db: Db, userId: number, key: string): Promise<boolean> {
  const { rows } = await sql`select 1 from system_request
    where user_id = ${userId} and operation = ${ownChange} and key = ${key}`.execute(db)
  return rows.length > 0
}
const ownChange = 'session.changePassword'

/**
 * The password that administrators have set, else the installation's; undefined if neither is set, so that each is
 * generated.
 */
const knownPassword = async (
  runtime: Runtime,
  db: Db,
  defaultPassword: string | undefined,
): Promise<string | undefined> => (await secretPolicy(runtime, db, 'defaultPassword')) ?? defaultPassword

/**
 * Gives a password to a new user or one who forgot theirs: the one that administrators have set, the installation's
 * default, or a random one that is returned only this once. They must change it, it lapses if unused, and their
 * sessions end.
 */
export async function givePassword(
  runtime: Runtime,
  db: Db,
  userId: number,
  defaultPassword: string | undefined,
): Promise<string | undefined> {
  const known = await knownPassword(runtime, db, defaultPassword)
  const password = known ?? randomPassword()
  await setPassword(db, userId, md5(password), {
    mustChange: true,
    hours: runtime.safety.firstPasswordHours,
  })
  await closeSessionsOf(db, [userId])
  return known === undefined ? password : undefined
}

/**
 * The procedure behind an action that gives a new password to users, who must change it, or to records that have a
 * field for one. Returns generated ones as `passwords`.
 */
export const resetPassword =
  (defaultPassword: string | undefined): Procedure =>
  async ({ context, db, entity: name, records }) => {
    const passwords: GivenPassword[] = []
    if (name === userEntity)
      await demandWithinOwn(
        context,
        db,
        records.map(({ id }) => id!),
      )
    for (const record of records) {
      if (name === userEntity) {
        const password = await givePassword(context.runtime, db, record.id!, defaultPassword)
        if (password !== undefined) passwords.push({ id: record.id!, password })
        await logSession(context.runtime, db, 'resetPassword', record.id!, { by: context.user.id })
      } else {
        const known = await knownPassword(context.runtime, db, defaultPassword)
        const password = known ?? randomPassword()
        await keepPassword(context, db, name, record.id!, password)
        await recordPasswordChange(context, db, name, record)
        if (known === undefined) passwords.push({ id: record.id!, password })
      }
    }
    return { passwords }
  }

/**
 * The procedure behind a transition that gives a record an account: sets the default password, if there is one. A
 * generated one could not be shown there, so it takes a reset instead.
 */
export const giveFirstPassword =
  (defaultPassword: string | undefined): Procedure =>
  async ({ context, db, entity: name, records }) => {
    const password = await knownPassword(context.runtime, db, defaultPassword)
    for (const record of records)
      if (password !== undefined && !(await hasPassword(context, db, name, record.id!)))
        await keepPassword(context, db, name, record.id!, password)
  }

/** Sign-ins and password changes are part of a user's history. */
export async function logSession(
  runtime: Runtime,
  db: Db,
  action: string,
  userId: number,
  { ip, client, by = userId, ...details }: { ip?: string; client?: string; by?: number; username?: string } = {},
) {
  const { area } = runtime.derived.catalog.entities[userEntity]
  await sql`insert into system_history (entity, area, record_id, action, user_id, at, changes, ip, client)
    values (${userEntity}, ${area}, ${userId}, ${action}, ${by || null}, ${runtime.clock.now()}, ${JSON.stringify({ revision: 0, fields: {}, ...details })}::jsonb, ${ip ?? null}, ${client ?? null})`.execute(
    db,
  )
}
