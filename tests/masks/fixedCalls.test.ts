/**
 * The calls that belong to no entity (passwords, uploads, preferences, messages, jobs, works) take nothing that they do
 * not declare, no value of another kind or length, and change nothing of another user. They are read from the table
 * from which the API document is made, so that a new one is tried as well.
 */
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixedOperations, type FixedOperation } from '../../engine/server/http/fixedOperations.ts'
import { customerValues } from '../customer.ts'
import { type Answer, type Client, createTestServer, defaultPassword, type TestServer } from '../server.ts'

let house: TestServer
let tryer: Client & { id: number }
let other: Client & { id: number }
/** What belongs to the other user: a message, a finished job, a work. */
const theirs: Record<'message' | 'job' | 'work', number> = { message: 0, job: 0, work: 0 }

beforeAll(async () => {
  house = await createTestServer()
  const functionPermissions = house.runtime.derived.catalog.permissions.map(({ value }) => value)
  await house.create('/setting/role', { code: 'every', name: '全部', functionPermissions, dataScope: 'self' })
  tryer = await house.user('tryer', ['every'])
  other = await house.user('other', ['every'])
  const { rows } = await house.database.pool.query<{ id: number }>(
    `insert into message (receiver, type, title, "createdBy", revision) values ($1, 'reminder', '{"cn":"提醒"}', $1, 1) returning id`,
    [other.id],
  )
  theirs.message = rows[0].id
  await other.post('/preferences', { key: 'width', value: 'THEIRS' })
  const last = async (table: string) =>
    (await house.database.pool.query<{ id: number }>(`select max(id)::integer as id from ${table}`)).rows[0].id
  await house.create('/customer', await customerValues(house))
  theirs.work = await last('system_work')
  await other.post('/customer/agree', { ids: [987_654_321, 987_654_322], values: {} }, { prefer: 'respond-async' })
  theirs.job = await last('system_job')
  expect(theirs).toEqual({ message: expect.any(Number), job: expect.any(Number), work: expect.any(Number) })
})
afterAll(() => house?.close())

interface Call {
  key: string
  path: string
  operation: FixedOperation
  /** Property of the body → its type in the table. */
  properties: [name: string, type: string | undefined][]
}

/** A call that ends the caller's session, or is made before there is one, is made with its own session. */
const posts = (): Call[] =>
  Object.entries(fixedOperations)
    .filter(([key, { type }]) => key.startsWith('POST ') && type === undefined)
    .map(([key, operation]) => ({
      key,
      path: key.slice('POST '.length),
      operation,
      properties: Object.entries((operation.body?.properties ?? {}) as Record<string, { type?: string }>).map(
        ([name, { type }]) => [name, type],
      ),
    }))

const md5 = (text: string) => createHash('md5').update(text).digest('hex').toUpperCase()
const next = 'Another-2026'
/** A body that is right for everybody, so that only what is added to it or changed in it can be refused. */
const right: Record<string, object> = {
  'POST /vue-element-admin/user/login': { username: 'tryer', password: defaultPassword },
  'POST /logout': {},
  'POST /auth/change-password': { OldPassword: md5(next), NewPassword: md5('Yet-Another-2026') },
  'POST /partner-user/change-password': { original_password: next, new_password: 'Yet-Another-2026' },
  'POST /messages/read': { id: 987_654 },
  'POST /messages/read-all': {},
  'POST /messages/remind': { screen: 'customer.list', entity: 'customer', action: 'approve', id: 987_654 },
  'POST /jobs/cancel': { id: 987_654 },
  'POST /preferences': { key: 'width', value: 'MINE' },
  'POST /schemas/reload': {},
}

/** Properties by which other systems name who acts and what they may, with values of the other user. */
const extra = () => ({
  id: theirs.message,
  user: other.id,
  userId: other.id,
  user_id: other.id,
  receiver: other.id,
  uploaded_by: other.id,
  createdBy: other.id,
  loginName: 'other',
  token: other.token,
  roles: ['admin'],
  permissions: ['*:*:*'],
  admin: true,
  values: { status: 'disabled' },
  entity_name: 'user',
})

let query: string | undefined
/** One query for all tables, because it runs before and after each call. */
async function queryOfAll(): Promise<string> {
  const { rows: tables } = await house.database.pool.query<{ name: string; own: string | null }>(
    `select t.tablename as name, (select a.attname from pg_attribute as a
       where a.attrelid = format('%I', t.tablename)::regclass and a.attname in ('user_id', 'uploaded_by') limit 1) as own
     from pg_tables as t where t.schemaname = 'public' and t.tablename not in ('system_sign_in_failure')`,
  )
  const sums = tables.map(({ name, own }) => {
    // A sign-in is noted in the user's own record.
    const others =
      name === 'user'
        ? `where t.id <> ${tryer.id}`
        : own === null
          ? ''
          : `where t."${own}" is distinct from ${tryer.id}`
    return `select '${name}' as name, md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as sum from "${name}" as t ${others}`
  })
  return sums.join(' union all ')
}

/** Everything stored, except what every request of the caller writes of the caller themselves. */
async function stored(): Promise<Record<string, string>> {
  query ??= await queryOfAll()
  const { rows } = await house.database.pool.query<{ name: string; sum: string }>(query)
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}

const changedIn = (before: Record<string, string>, after: Record<string, string>): string[] =>
  Object.keys(after).filter((name) => before[name] !== after[name])

const send = (path: string, body: object, as: Client = tryer): Promise<Answer> =>
  as.post(path, body, { 'idempotency-key': randomUUID() })

/** The older calls say in a code what the others say in the status. */
const isRefused = ({ status, code }: Answer): boolean =>
  (status >= 400 && status < 500) || (code >= 50_000 && code !== 50_000) || code === 60_422

test('the right bodies are known for every call', () => {
  expect(Object.keys(right).toSorted()).toEqual(
    posts()
      .map(({ key }) => key)
      .toSorted(),
  )
})

test('properties that a call does not declare change nothing of others, and not what it does', async () => {
  const wrong: string[] = []
  let before = await stored()
  for (const { key, path } of posts()) {
    // Signing in and out write the caller's own session alone.
    const as = path === '/logout' ? await house.signIn('tryer', defaultPassword) : tryer
    const declared = right[key]
    const answer = await send(path, { ...extra(), ...declared }, as)
    if (answer.status >= 500 || answer.code === 50_000) wrong.push(`${key}: ${answer.status} ${answer.message}`)
    const after = await stored()
    const changed = changedIn(before, after).filter((name) => name !== 'system_session')
    if (changed.length > 0) wrong.push(`${key}: wrote ${changed.join()}`)
    before = after
  }
  expect(wrong).toEqual([])
  expect((await other.get('/preferences', { key: 'width' })).result).toBe('THEIRS')
  expect((await other.get('/messages/unread')).result).toEqual({ unread: 1 })
})

const long = 'x'.repeat(300_000)
const wrongFor: Record<string, unknown[]> = {
  string: [5, null, true, [], {}, ['width'], { length: 3 }, long],
  integer: ['5', null, true, 1.5, -1, 0, [1], {}, 1e15 + 0.5, '1; drop', long],
}

test('a value of another kind, or far too long, is refused and changes nothing', async () => {
  const wrong: string[] = []
  let sent = 0
  let before = await stored()
  for (const { key, path, properties } of posts())
    for (const [name, type] of properties) {
      for (const value of wrongFor[type ?? ''] ?? []) {
        sent += 1
        const answer = await send(path, { ...right[key], [name]: value })
        const attempt = `${key} ${name} = ${String(JSON.stringify(value)).slice(0, 40)}`
        if (!isRefused(answer)) wrong.push(`${attempt}: ${answer.status} ${answer.code} ${answer.message}`)
      }
      // Missing.
      const { [name]: _, ...rest } = right[key] as Record<string, unknown>
      const answer = await send(path, rest)
      if (!isRefused(answer)) wrong.push(`${key} without ${name}: ${answer.status} ${answer.code}`)
      const after = await stored()
      const changed = changedIn(before, after)
      if (changed.length > 0) wrong.push(`${key} ${name}: wrote ${changed.join()}`)
      before = after
    }
  expect(wrong).toEqual([])
  expect(sent).toBeGreaterThan(80)
})

test('a body that is no object is refused', async () => {
  const wrong: string[] = []
  for (const { key, path, properties } of posts())
    for (const body of [[], ['a'], [{ id: 1 }], 'text', 5, null, true]) {
      const { statusCode, body: text } = await house.server.inject({
        method: 'POST',
        url: `/api${path}`,
        headers: { token: path === '/logout' ? 'none' : tryer.token, 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      })
      const { code } = JSON.parse(text) as { code: number }
      const isBad = statusCode >= 500 || code === 50_000 || (properties.length > 0 && [1, 20_000].includes(code))
      if (isBad) wrong.push(`${key} ${JSON.stringify(body)}: ${statusCode} ${text.slice(0, 120)}`)
    }
  expect(wrong).toEqual([])
})

test('what is another user’s is answered like what does not exist, and stays as it is', async () => {
  const wrong: string[] = []
  const before = await stored()
  const answerText = ({ status, code, message, result }: Answer, id: number) =>
    JSON.stringify([status, code, message, result ?? null]).replaceAll(new RegExp(`"id":${id}\\b`, 'g'), '"id":#')
  for (const [key, { parameters = {}, body }] of Object.entries(fixedOperations)) {
    const [method, path] = key.split(' ')
    const names = Object.keys((body?.properties ?? parameters) as object)
    if (!names.includes('id') && !path.endsWith('/:id')) continue
    const ids = path.startsWith('/works') ? [theirs.work] : Object.values(theirs)
    for (const id of ids) {
      const callWith = (id: number) =>
        method === 'POST'
          ? send(path, { ...right[key], id })
          : tryer.get(path.replace(':id', String(id)), 'id' in parameters ? { id } : {})
      const [some, none] = [answerText(await callWith(id), id), answerText(await callWith(987_654_321), 987_654_321)]
      if (some !== none) wrong.push(`${key} ${id}: ${some} — ${none}`)
    }
  }
  expect(wrong).toEqual([])
  expect(changedIn(before, await stored())).toEqual([])
})

test('parameters of any kind and length are answered without an error of the server', async () => {
  const wrong: string[] = []
  const values = [
    '',
    '0',
    '-1',
    '1.5',
    '9'.repeat(30),
    'null',
    '[]',
    '{}',
    '{"a":',
    '%',
    "'",
    '\uFFFF',
    long.slice(0, 20_000),
  ]
  for (const [key, { parameters = {} }] of Object.entries(fixedOperations)) {
    const [method, path] = key.split(' ')
    if (method !== 'GET') continue
    const inPath = [...path.matchAll(/:\w+/g)].map(([name]) => name)
    for (const name of [...Object.keys(parameters), ...inPath])
      for (const value of values) {
        const rest = Object.fromEntries(
          Object.keys(parameters)
            .filter((each) => each !== name)
            .flatMap((each) => (each === 'screen' ? [[each, 'settlementReport']] : [])),
        )
        const to = inPath.reduce(
          (all, each) => all.replace(each, each === name ? encodeURIComponent(value.slice(0, 90)) : '1'),
          path,
        )
        const answer = await tryer.get(to, name.startsWith(':') ? rest : { ...rest, [name]: value })
        if (answer.status >= 500 || answer.code === 50_000)
          wrong.push(`${key} ${name}=${value.slice(0, 40)}: ${answer.status} ${answer.message}`)
      }
  }
  expect(wrong).toEqual([])
})
