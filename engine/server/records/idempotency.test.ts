import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues, uscc } from '../../../tests/customer.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'
import { purgeRequests } from './idempotency.ts'
import { isLong } from '../../../tests/long.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const key = (name: string) => ({ 'idempotency-key': name })
const count = async (name: string) => (await house.admin.get('/customer/list', { search: name })).result.total

test('a repeated request gets the same answer, and is done once', async () => {
  const values = await customerValues(house, { name: '重复提交' })
  const first = await house.admin.post('/customer/create', { values }, key('again'))
  expect(first).toMatchObject({ code: 1, result: { id: expect.any(Number) } })
  const again = await house.admin.post('/customer/create', { values }, key('again'))
  expect(again.result).toEqual(first.result)
  expect(await count('重复提交')).toBe(1)
  expect(
    await house.admin.post('/customer/create', { values: { ...values, name: '另一个' } }, key('again')),
  ).toMatchObject({ code: 409 })
  const { rows } = await house.database.pool.query("select answer from system_request where key = 'again'")
  expect(rows).toEqual([{ answer: expect.stringMatching(/^v1\./) }])
})

test('a request repeated after the permission was withdrawn is refused', async () => {
  const { view, create } = house.runtime.derived.catalog.entities.customer.permissions
  const role = { code: 'customerMaker', name: '录入客户', dataScope: 'all', functionPermissions: [view, create] }
  const id = await house.create('/setting/role', role)
  const maker = await house.user('maker', ['customerMaker'])
  const values = await customerValues(house)
  expect(await maker.post('/customer/create', { values }, key('withdrawn'))).toMatchObject({ code: 1 })
  const { revision } = (await house.admin.get('/setting/role/detail', { id })).result
  expect(
    await house.admin.post('/setting/role/update', { id, revision, values: { functionPermissions: [view] } }),
  ).toMatchObject({ code: 1 })
  expect(await maker.post('/customer/create', { values }, key('withdrawn'))).toMatchObject({ code: 403, result: null })
})

test('of two simultaneous requests one acts, and both get the same answer', async () => {
  const values = await customerValues(house, { name: '双击提交' })
  const send = () => house.admin.post('/customer/create', { values }, key('twice'))
  const [first, second] = await Promise.all([send(), send()])
  expect(first).toMatchObject({ code: 1 })
  expect(second.result).toEqual(first.result)
  expect(await count('双击提交')).toBe(1)
})

test('a request repeated while the first is in progress is told so, and keeps its key', async () => {
  const values = await customerValues(house, { name: '仍在处理' })
  const id = await agency(241)
  const first = await house.database.pool.connect()
  const under = (operation: string, part: string) =>
    first.query(
      "insert into system_request (user_id, operation, key, part, digest, at) values (1, $1, 'slow', $2, '', localtimestamp)",
      [operation, part],
    )
  const send = () =>
    Promise.all([
      house.admin.post('/customer/create', { values }, key('slow')),
      house.admin.post('/customer/agency/disable', { ids: [id] }, key('slow')),
    ])
  try {
    await first.query('begin')
    await under('customer.create', '')
    await under('agency.disable', String(id))
    // After any final answer, a browser would send the next attempt as a new request.
    const answer = { status: 503, message: '上一次提交仍在处理中，请稍后重试', headers: { 'retry-after': '5' } }
    expect(await send()).toMatchObject([answer, answer])
  } finally {
    await first.query('rollback')
    first.release()
  }
  expect(await send()).toMatchObject([{ code: 1 }, { code: 1, result: { succeeded: 1 } }])
})

test('a refused attempt frees its key, and each user has separate keys', async () => {
  const values = await customerValues(house, { name: '更正提交' })
  expect(
    await house.admin.post('/customer/create', { values: { ...values, name: null } }, key('mended')),
  ).toMatchObject({ code: 422 })
  expect(await house.admin.post('/customer/create', { values }, key('mended'))).toMatchObject({ code: 1 })
  const stranger = await house.user('stranger', ['auditor'])
  expect(await stranger.post('/customer/create', { values }, key('mended'))).toMatchObject({ code: 403 })
})

test.skipIf(!isLong)('the same key is separate for each user and each operation', async () => {
  const [user, otherUser] = [
    await house.user('keyOne', ['customerManager']),
    await house.user('keyOther', ['customerManager']),
  ]
  const made = async (as: Client, name: string) =>
    as.post('/customer/create', { values: await customerValues(house, { name }) }, key('shared'))
  const answers = [await made(user, '甲的提交'), await made(otherUser, '乙的提交')]
  expect(answers).toMatchObject([{ code: 1 }, { code: 1 }])
  expect(answers[0].result.id).not.toBe(answers[1].result.id)
  const id = await agency(221)
  for (const action of ['disable', 'enable'])
    expect(await house.admin.post(`/customer/agency/${action}`, { id }, key('shared'))).toMatchObject({ code: 1 })
  expect([await times(id, 'disable'), await times(id, 'enable')]).toEqual([1, 1])
})

test('a user who has lost the right is refused even if the answer is known', async () => {
  const user = await house.user('keyLost', ['customerManager'])
  const values = await customerValues(house, { name: '失权重发' })
  const send = () => user.post('/customer/create', { values }, key('lost'))
  expect(await send()).toMatchObject({ code: 1 })
  const [auditor, { result }] = [
    await house.findId('/setting/role', 'auditor'),
    await house.admin.get('/setting/user/detail', { id: user.id }),
  ]
  const update = { id: user.id, revision: result.revision, values: { roles: [auditor] } }
  expect(await house.admin.post('/setting/user/update', update)).toMatchObject({ code: 1 })
  expect(await send()).toMatchObject({ code: 403 })
})

test('a key is forgotten after seven days', async () => {
  const id = await agency(231)
  const send = () => house.admin.post('/customer/agency/disable', { id }, key('old'))
  const aged = async (age: string) => {
    await house.database.pool.query(
      `update system_request set at = localtimestamp - interval '${age}' where key = 'old'`,
    )
    await purgeRequests(house.database.kysely)
  }
  expect(await send()).toMatchObject({ code: 1 })
  await aged('6 days 23 hours')
  expect(await send()).toMatchObject({ code: 1 })
  await aged('7 days 1 hour')
  // The agency is disabled already.
  expect(await send()).toMatchObject({ code: 409 })
})

const agency = (number: number) =>
  house.create('/customer/agency', {
    code: `J${number}`,
    name: `机构${number}`,
    kind: 'partner',
    uscc: uscc(91_000 + number),
    cities: ['310100'],
  })
const times = async (id: number, action: string) =>
  (await house.admin.get('/customer/agency/history', { id })).result.list.filter(
    (entry: { action: string }) => entry.action === action,
  ).length

test('each of many records is done once, and the answer is the same again', async () => {
  const ids = [await agency(201), await agency(202), await agency(203)]
  await house.admin.post('/customer/agency/disable', { id: ids[1] })
  const send = () => house.admin.post('/customer/agency/disable', { ids }, key('many'))
  const first = await send()
  expect(first.result).toMatchObject({ succeeded: 2, failed: [{ id: ids[1] }] })
  expect((await send()).result).toEqual(first.result)
  // Without the key they are refused, being disabled already.
  expect((await house.admin.post('/customer/agency/disable', { ids })).result).toMatchObject({ succeeded: 0 })
  expect(await Promise.all(ids.map((id) => times(id, 'disable')))).toEqual([1, 1, 1])
  const other = await agency(204)
  for (const wanted of [[ids[0]], [other]])
    expect(await house.admin.post('/customer/agency/disable', { ids: wanted }, key('many'))).toMatchObject({
      code: 409,
    })
})

test('a call on many records that broke midway continues with the others', async () => {
  const ids = [await agency(211), await agency(212)]
  const query = (text: string) => house.database.pool.query(text)
  await query(`create function break() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`)
  await query(
    `create trigger break before update on agency for each row when (old.id = ${ids[1]}) execute function break()`,
  )
  const send = () => house.admin.post('/customer/agency/disable', { ids }, key('broken'))
  expect(await send()).toMatchObject({ code: 500 })
  await query('drop trigger break on agency')
  expect((await send()).result).toEqual({ succeeded: 2, failed: [] })
  expect(await Promise.all(ids.map((id) => times(id, 'disable')))).toEqual([1, 1])
})

test.skipIf(!isLong)('what a server did before it was killed is answered by another server', async () => {
  const values = await customerValues(house, { name: '未答已存' })
  const catalog = join(house.dataDir, 'catalog.json')
  writeFileSync(catalog, JSON.stringify(house.runtime.derived.catalog))
  const killed = spawn(
    process.execPath,
    ['--import', 'tsx', 'tests/answerProcess.ts', house.database.url, house.dataDir, catalog],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(killed, 'exit')
  const [address] = await once(killed.stdout, 'data')
  const answer = fetch(`${String(address).trim()}/api/customer/create`, {
    method: 'POST',
    headers: { token: house.admin.token, 'content-type': 'application/json', ...key('killed') },
    body: JSON.stringify({ values }),
  })
  await expect(answer).rejects.toThrow()
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(await count('未答已存')).toBe(1)
  const again = await house.admin.post('/customer/create', { values }, key('killed'))
  expect(again).toMatchObject({ code: 1, result: { id: expect.any(Number) } })
  expect(await count('未答已存')).toBe(1)
  expect((await house.admin.get('/customer/detail', { id: again.result.id })).result.name).toBe('未答已存')
})
