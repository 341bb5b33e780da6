import { sql } from 'kysely'
import { createImportWorker } from '../../engine/server/imports/importWorker.ts'
import { errors } from '../../engine/server/errors.ts'
import { userEntity } from '../../engine/server/identity/identity.ts'
import { createCallWorker } from '../../engine/server/jobs/callWorker.ts'
import { cheapHash, defaultPassword, type TestServer } from '../server.ts'
import type { FuzzedRequest } from './FuzzedRequest.ts'
import { fuzzImport } from './imports.ts'
import { randomOf } from './random.ts'
import { requestsOf } from './requests.ts'

/** A request that was answered with an unexpected error. */
export interface Broken extends FuzzedRequest {
  lane: number
  number: number
  as: string
  answer: string
  /** As the server's log says. */
  reason?: string
}

export interface Fuzzed {
  broken: Broken[]
  /** Unexpected errors of calls and imports in the background. */
  background: string[]
  /** Requests answered only after ten seconds; those sent at the same time may have waited for another. */
  slow: (FuzzedRequest & { seconds: number })[]
  /** How many answers had each status: of all, of uploads and of sign-ins. */
  statuses: Map<number, number>
  uploads: Map<number, number>
  signIns: Map<number, number>
}

interface Run extends Fuzzed {
  house: TestServer
  /** Incident → what the server's log says. */
  reasons: Map<string, string>
  log(error: unknown): void
  callers: Map<string, Caller>
}

/** A sender of requests, with its initial session. */
interface Caller {
  token: string
  user?: { id: number; loginName: string; status: string; roles: number[] }
}

const isBroken = (status: number, text: string): boolean =>
  status === 500 || text.startsWith('{"code":50000,') || text.includes('"message":"系统错误"')

const roles = ['support', 'auditor', 'financeManager']

/**
 * Sends `count` requests made from this seed, as several users and without a session. Writes stay, so that later
 * requests meet them. `lanes` send at once; each sends the same requests for the same seed.
 */
export async function fuzz(
  house: TestServer,
  { seed, count, lanes = 1 }: { seed: number; count: number; lanes?: number },
): Promise<Fuzzed> {
  for (const role of roles) await house.user(`fuzz${role}`, [role])
  const callers = new Map<string, Caller>([['nobody', { token: '' }]])
  for (const user of await usersOf(house)) callers.set(user.loginName, { token: '', user })
  const background: string[] = []
  const textOf = (error: unknown) => String(error instanceof Error ? error.stack : JSON.stringify(error))
  const log = (error: unknown) => background.push(textOf(error))
  const reasons = new Map<string, string>()
  // Requests share the server's log as long as it is written nowhere.
  house.server.log.error = ({ incident, err }: { incident: string; err?: unknown }) =>
    reasons.set(incident, textOf(err))
  const calls = createCallWorker(house.runtime, { log })
  const run: Run = {
    house,
    callers,
    reasons,
    broken: [],
    background,
    slow: [],
    log,
    statuses: new Map(),
    uploads: new Map(),
    signIns: new Map(),
  }
  calls.start()
  try {
    const share = Math.ceil(count / lanes)
    await Promise.all(Array.from({ length: lanes }, (_, lane) => send(run, { seed, lane, count: share })))
  } finally {
    await calls.stop()
  }
  return run
}

async function send(run: Run, { seed, lane, count }: { seed: number; lane: number; count: number }): Promise<void> {
  const { house, callers } = run
  const { derived } = house.runtime
  // Far from the seeds of other houses, which count up by one.
  const random = randomOf(seed + lane * 1_000_003)
  const made = requestsOf(derived)
  // Each of its own, as if each were another process.
  const imports = createImportWorker(house.runtime, { log: run.log })
  for (let number = 0; number < count; number++) {
    const as = random.chance(0.75) ? 'admin' : random.pick([...callers.keys()])
    const sendOne = (request: FuzzedRequest) => sendRequest(run, request, { lane, number, as })
    if (random.chance(0.02)) await fuzzImport(random, derived, { send: sendOne, settle: () => imports.drain() })
    const request = made(random)
    if (isSignIn(request) && random.chance(0.15)) await passTenMinutes(house)
    await sendOne(request)
  }
  await imports.stop()
}

const isSignIn = ({ remoteAddress }: FuzzedRequest) => remoteAddress !== undefined

/** Sends a request, and counts its answer. */
async function sendRequest(run: Run, request: FuzzedRequest, sent: Pick<Broken, 'lane' | 'number' | 'as'>) {
  const { house, callers, broken } = run
  const { method, url, body, headers, remoteAddress } = request
  const caller = callers.get(sent.as)!
  if (caller.token === '' && caller.user) caller.token = await again(house, caller.user)
  const { token } = caller
  const begun = performance.now()
  const answer = await house.server.inject({
    method,
    url,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers, token },
    ...(remoteAddress !== undefined && { remoteAddress }),
    ...(body !== undefined && { payload: body }),
  })
  const seconds = (performance.now() - begun) / 1000
  if (seconds > 10) run.slow.push({ ...request, seconds })
  const isUpload = url === '/api/common/upload'
  for (const each of [run.statuses, ...(isUpload ? [run.uploads] : isSignIn(request) ? [run.signIns] : [])])
    each.set(answer.statusCode, (each.get(answer.statusCode) ?? 0) + 1)
  const text = String(answer.headers['content-type']).startsWith('application/json') ? answer.body : ''
  if (isBroken(answer.statusCode, text)) {
    const reason = run.reasons.get(/"incident":"(\w+)"/.exec(text)?.[1] ?? '')
    broken.push({ ...request, ...sent, answer: text.slice(0, 200), reason })
  }
  // An earlier request may have signed the user out, disabled them, or reset their password.
  const isOut = answer.statusCode === 401 || text.includes(mustChange)
  if (isOut && caller.token === token) caller.token = ''
  return answer
}

const mustChange = errors.mustChangePassword.message.cn

/** Wrong passwords are forgotten: otherwise most sign-ins would wait as long as a guess is made to wait. */
const passTenMinutes = ({ database }: TestServer) =>
  sql`update system_sign_in_failure set at = at - interval '10 minutes'`.execute(database.kysely)

const tableOfUsers = ({ runtime }: TestServer) => sql.table(runtime.derived.catalog.tables[userEntity].name)

async function usersOf(house: TestServer): Promise<Required<Caller>['user'][]> {
  const names = ['admin', ...roles.map((role) => `fuzz${role}`)]
  const { rows } = await sql<
    Required<Caller>['user']
  >`select id::integer as id, "loginName", status, roles::integer[] as roles
    from ${tableOfUsers(house)} where "loginName" = any(${names})`.execute(house.database.kysely)
  return rows
}

/** Restores the user's initial state, and signs in. */
async function again(house: TestServer, user: Required<Caller>['user']): Promise<string> {
  const { id, loginName, status, roles: held } = user
  await sql`update ${tableOfUsers(house)} set "loginName" = ${loginName}, status = ${status}, roles = ${held}, "deletedAt" = null
    where id = ${id}`.execute(house.database.kysely)
  await sql`update system_credential set hash = ${cheapHash(defaultPassword)}, must_change = false, lapses_at = null
    where user_id = ${id}`.execute(house.database.kysely)
  const answer = await house.server.inject({
    method: 'POST',
    url: '/api/vue-element-admin/user/login',
    payload: { username: loginName, password: defaultPassword },
  })
  return answer.json().data?.token ?? ''
}
