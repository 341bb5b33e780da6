import { truncateText } from '../../model/truncateText.ts'
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { widest } from './access.ts'
import { Refusal } from '../errors.ts'
import { enabled, roleEntity, roleFields, userEntity, userFields } from './identity.ts'
import { verifyGeneration } from '../generation.ts'
import { policy } from './policies.ts'
import type { Context, Db, Runtime } from '../runtime.ts'
import { tableOf } from './scope.ts'
import type { SessionUser } from '../SessionUser.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Only below `authenticated`. */
    context: Context
  }
  interface FastifyContextConfig {
    /** Callable with a password that must be changed. */
    withInitialPassword?: boolean
  }
}

/** All that a user whose password must be changed may do: change it. */
export const beforeAnythingElse = { withInitialPassword: true }

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** The content of the session's file cookie: derived from the token, which it does not reveal. */
export const fileKeyOf = (token: string) => createHash('sha256').update(`files ${token}`).digest('base64url')

/**
 * Requests are authorised only by a header: a browser would send a cookie or an address unintentionally. Only files can
 * also be read by their own cookie.
 */
export function tokenOf(request: FastifyRequest): string | undefined {
  const token = request.headers.token ?? request.headers['x-token']
  return typeof token === 'string' && token !== '' ? token : undefined
}

/** @returns the token: 32 random bytes, of which only the hash is stored. */
export async function openSession(
  db: Db,
  userId: number,
  minutes: number,
  { ip, client }: { ip: string; client: string },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  // Those that another transaction is ending are left to it, because two that wait for each other would deadlock.
  await sql`delete from system_session where token_hash in
    (select token_hash from system_session where expires_at < localtimestamp for update skip locked)`.execute(db)
  await sql`insert into system_session (token_hash, file_hash, user_id, created_at, expires_at, last_seen_at, ip, client)
    values (${hashOf(token)}, ${hashOf(fileKeyOf(token))}, ${userId}, localtimestamp, localtimestamp + make_interval(mins => ${minutes}), localtimestamp, ${ip}, ${truncateText(client, 300)})`.execute(
    db,
  )
  return token
}

/** Gives a file key to sessions opened before there were any. @returns it */
export async function giveFileKey(db: Db, token: string): Promise<string> {
  const key = fileKeyOf(token)
  await sql`update system_session set file_hash = ${hashOf(key)} where token_hash = ${hashOf(token)} and file_hash is null`.execute(
    db,
  )
  return key
}

export const closeSession = (db: Db, token: string) =>
  sql`delete from system_session where token_hash = ${hashOf(token)}`.execute(db)

/** Ends every session of these users, except the one with the token `except`. */
export const closeSessionsOf = (db: Db, userIds: readonly number[], except = '') =>
  sql`delete from system_session where user_id = any(${userIds}::bigint[]) and token_hash <> ${hashOf(except)}`.execute(
    db,
  )

export async function isOpen(db: Db, token: string): Promise<boolean> {
  const { rows } = await sql`select 1 from system_session where token_hash = ${hashOf(token)}`.execute(db)
  return rows.length > 0
}

interface SessionRow {
  userId: number
  alive: boolean
  resting: boolean
  mustChange?: boolean | null
  passwordAge?: number | null
  overlay?: number
  generation?: number
  enabled: boolean
  username: string
  name: string
  department: number | null
  roles: { code: string; permissions: string[] | null; dataScope: string }[]
}

type SignedIn = SessionUser & { mustChangePassword: boolean }

/**
 * The user of this token, once the administrators' settings are known. The session is extended with each use, up to an
 * absolute limit.
 * @throws Refusal signedOut, expired.
 */
export const readSession = (runtime: Runtime, token: string | undefined): Promise<SignedIn> =>
  sessionWith(runtime, 'token_hash', token)

/** The user of the cookie with this key. @throws Refusal signedOut, expired. */
export const readFileSession = (runtime: Runtime, key: string | undefined): Promise<SignedIn> =>
  sessionWith(runtime, 'file_hash', key)

async function sessionWith(
  runtime: Runtime,
  column: 'token_hash' | 'file_hash',
  secret: string | undefined,
): Promise<SignedIn> {
  if (secret === undefined) throw new Refusal('signedOut')
  const { kysely } = runtime.database
  const {
    rows: [row],
  } = await sql<SessionRow>`
    select s.user_id as "userId", s.expires_at > localtimestamp and s.created_at + make_interval(hours => ${runtime.safety.sessionHours}) > localtimestamp as alive, s.last_seen_at < localtimestamp - interval '1 minute' as resting,
      (select must_change from system_credential where user_id = s.user_id) as "mustChange",
      (select extract(day from localtimestamp - changed_at)::integer from system_credential where user_id = s.user_id) as "passwordAge",
      (select version from system_overlay) as overlay, (select max(number) from system_generation) as generation,
      ${userColumns(runtime)}
    from system_session as s join ${userTable(runtime)} as u on u.id = s.user_id where ${sql.ref(`s.${column}`)} = ${hashOf(secret)}`.execute(
    kysely,
  )
  if (!row) throw new Refusal('signedOut')
  verifyGeneration(runtime, runtime.derived.generation, row.generation)
  await runtime.refresh(row.overlay)
  if (!row.alive) throw new Refusal('expired')
  if (!row.enabled) {
    await closeSessionsOf(kysely, [row.userId])
    throw new Refusal('signedOut')
  }
  // Not at every request, because a page of many calls would write many times.
  if (row.resting) {
    await sql`update system_session set last_seen_at = localtimestamp, expires_at = localtimestamp + make_interval(mins => ${policy(runtime, 'sessionMinutes')})
      where ${sql.ref(column)} = ${hashOf(secret)}`.execute(kysely)
  }
  const days = policy(runtime, 'passwordDays')
  return {
    ...sessionUser(row),
    mustChangePassword: row.mustChange === true || (days > 0 && (row.passwordAge ?? 0) >= days),
  }
}

/** The user with this login name, whether they may sign in or not. */
export async function findUser(
  runtime: Runtime,
  username: string,
): Promise<(SessionUser & { enabled: boolean }) | undefined> {
  const {
    rows: [row],
  } = await sql<SessionRow>`select u.id as "userId", true as alive, false as resting, ${userColumns(runtime)}
    from ${userTable(runtime)} as u where ${sql.ref(`u.${userFields.loginName}`)} = ${username} and u."deletedAt" is null`.execute(
    runtime.database.kysely,
  )
  return row && { ...sessionUser(row), enabled: row.enabled }
}

/** Whether this user may sign in, which stays so until the transaction ends. */
export async function holdEnabled(runtime: Runtime, db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`select 1 from ${userTable(runtime)} as u
    where u.id = ${id} and ${sql.ref(`u.${userFields.status}`)} = ${enabled} and u."deletedAt" is null for share`.execute(
    db,
  )
  return rows.length > 0
}

/** A user by id, for whom a job runs, whether they may sign in or not. */
export async function userById(
  runtime: Runtime,
  db: Db,
  id: number,
): Promise<(SessionUser & { enabled: boolean }) | undefined> {
  const {
    rows: [row],
  } = await sql<SessionRow>`select u.id as "userId", true as alive, false as resting, ${userColumns(runtime)}
    from ${userTable(runtime)} as u where u.id = ${id}`.execute(db)
  return row && { ...sessionUser(row), enabled: row.enabled }
}

/** The user of a job whose user is no longer in the table: it may do nothing, but must still finish. */
export const nobody = (id: number): SessionUser & { enabled: boolean } => ({
  id,
  username: '',
  name: '',
  roles: [],
  department: null,
  permissions: [],
  dataScope: 'self',
  enabled: false,
})

const userTable = (runtime: Runtime) => tableOf(runtime, runtime.derived.catalog.entities[userEntity])

const userColumns = (runtime: Runtime) => sql`
  ${sql.ref(`u.${userFields.status}`)} = ${enabled} and u."deletedAt" is null as enabled,
  ${sql.ref(`u.${userFields.loginName}`)} as username, ${sql.ref(`u.${userFields.realName}`)} as name, ${sql.ref(`u.${userFields.department}`)} as department,
  coalesce((select json_agg(json_build_object('code', ${sql.ref(`r.${roleFields.code}`)}, 'permissions', ${sql.ref(`r.${roleFields.permissions}`)},
      'dataScope', ${sql.ref(`r.${roleFields.dataScope}`)}) order by r.id)
    from ${tableOf(runtime, runtime.derived.catalog.entities[roleEntity])} as r
    where r.id = any(${sql.ref(`u.${userFields.roles}`)}) and ${sql.ref(`r.${roleFields.status}`)} = ${enabled} and r."deletedAt" is null), '[]') as roles`

const sessionUser = ({ userId, username, name, department, roles }: SessionRow): SessionUser => ({
  id: userId,
  username,
  name,
  department,
  roles: roles.map((role) => role.code),
  permissions: [...new Set(roles.flatMap((role) => role.permissions ?? []))],
  dataScope: widest(roles.map((role) => role.dataScope)),
})

const originOf = (request: FastifyRequest) => ({
  ip: request.ip,
  client: truncateText(request.headers['user-agent'] ?? '', 300),
})

/** The header with the version of the administrators' settings, by which clients notice a change. */
const overlayHeader = 'x-settings-version'
/** The header with the hash of the catalog behind the answer. */
export const catalogHeader = 'x-catalog'

/** The language is by default the first one, in which texts are stored. */
export const createContext = (
  runtime: Runtime,
  user: SessionUser,
  language = runtime.derived.catalog.app.languages[0],
): Context => ({
  runtime,
  derived: runtime.derived,
  settings: runtime.overlay.settings,
  menu: runtime.overlay.menu,
  user,
  language,
  now: runtime.clock.now(),
})

/**
 * Every route below the instance needs a session, and gets `request.context`; a password that another user has seen
 * must be changed first.
 */
export function authenticated(api: FastifyInstance, runtime: Runtime): void {
  api.decorateRequest('context', null as unknown as Context)
  api.addHook('onRequest', async (request, reply) => {
    const { mustChangePassword, ...user } = await readSession(runtime, tokenOf(request))
    if (mustChangePassword && !request.routeOptions.config.withInitialPassword) throw new Refusal('mustChangePassword')
    reply.header(overlayHeader, runtime.overlay.version).header(catalogHeader, runtime.derived.catalog.hash)
    request.context = {
      ...createContext(runtime, user, request.language),
      origin: originOf(request),
      begun: performance.now(),
    }
  })
}
