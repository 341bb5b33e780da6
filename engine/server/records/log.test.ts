import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetLog } from './logOperation.ts'
import { administratorPassword, createTestServer, type Client, type TestServer } from '../../../tests/server.ts'
import { customerValues } from '../../../tests/customer.ts'
import { isLong } from '../../../tests/long.ts'

let server: TestServer
let auditor: Client & { id: number }
beforeAll(async () => {
  server = await createTestServer()
  auditor = await server.user('auditorone', ['auditor'])
})
afterAll(() => server.close())

interface Entry {
  id: number
  entity: string
  action: string
  recordLabel: string | null
  changes: { field: string; new: string }[] | null
  [field: string]: unknown
}

const log = async (filters: object, as: Client = server.admin) =>
  (await as.get('/setting/operationLog/list', { filters, size: 100, sort: '-occurredAt' })).result.list as Entry[]

test('logs whatever is done to a record: when, by whom, from where, and what changed', async () => {
  const id = await server.create('/customer', await customerValues(server, { name: '启明星' }))
  const { revision } = (await server.admin.get('/customer/detail', { id })).result
  expect(
    await server.admin.post('/customer/update', { id, revision, values: { address: '演示路200号' } }),
  ).toMatchObject({ code: 1 })
  const [update] = await log({ entity: { in: ['customer'] }, action: { in: ['update'] } })
  expect(update).toMatchObject({
    user: { name: '系统管理员' },
    module: 'customer',
    recordId: id,
    recordLabel: '启明星',
    result: 'success',
    ip: '127.0.0.1',
    address: 'local',
    durationMs: expect.any(Number),
    // The time of submission depends on the clock: within the same second it does not change.
    changes: expect.arrayContaining([
      { field: 'address', label: { cn: '注册地址', en: 'Registered address' }, old: '演示路100号', new: '演示路200号' },
    ]),
  })
  expect(
    (await log({ recordLabel: { contains: '启明' }, module: { in: ['customer'] } })).map(({ action }) => action).sort(),
  ).toEqual(['create', 'update', 'viewSensitive'])
  expect((await server.admin.get('/setting/operationLog/detail', { id: update.id })).result.changes).toEqual(
    update.changes,
  )
})

test('logs sign-ins, successful and failed', async () => {
  await expect(server.signIn('auditorone', 'wrong-password')).rejects.toThrow()
  await server.signIn('admin', administratorPassword)
  expect((await log({ action: { in: ['login'] } }))[0]).toMatchObject({
    result: 'success',
    user: { name: '系统管理员' },
  })
  expect((await log({ result: { in: ['failed'] } }))[0]).toMatchObject({
    action: 'loginFailed',
    message: 'auditorone',
    recordId: auditor.id,
  })
})

test('distinguishes sign-ins from the private network, from outside and on the server itself', async () => {
  const addresses = {
    '10.1.2.3': 'private',
    '172.31.0.9': 'private',
    '172.32.0.9': 'public',
    '::1': 'local',
    'fd00::7': 'private',
  }
  for (const [ip, address] of Object.entries({
    ...addresses,
    '::ffff:192.168.1.4': 'private',
    '203.0.113.7': 'public',
  })) {
    await server.database.pool.query(
      "insert into system_history (entity, area, record_id, action, user_id, at, changes, ip) values ('user', 'setting', 1, 'login', 1, '2026-03-15 08:00:00', '{}', $1)",
      [ip],
    )
    expect(await log({ ip: { equals: ip } }), ip).toMatchObject([{ address, durationMs: null }])
  }
  expect((await log({ address: { in: ['private'] } })).length).toBe(4)
})

test('contains no secrets, and masks what is masked elsewhere', async () => {
  const path = '/setting/selfPickupSetting'
  const values = { contactPerson: '王晓', contact: '15412345678', workingTime: '9–18', address: '演示路1号' }
  const { id, revision } = (await server.admin.get(`${path}/detail`)).result
  expect(await server.admin.post(`${path}/update`, { id, revision, values })).toMatchObject({ code: 1 })
  const mobiles = (entries: Entry[]) =>
    entries
      .flatMap(({ changes }) => changes ?? [])
      .filter(({ field }) => field === 'mobile')
      .map((each) => each.new)
  expect(mobiles(await log({ entity: { in: ['user'] } }))[0]).toMatch(/^\d{11}$/)
  // A user who may not view the records sees that something was done, but not what.
  const seen = await log({ entity: { in: ['user', 'selfPickupSetting'] } }, auditor)
  expect(seen.length).toBeGreaterThan(2)
  expect(JSON.stringify(seen)).not.toContain('15412345678')
  expect(seen.map(({ changes }) => changes ?? [])).toEqual(seen.map(() => []))
  expect(mobiles(seen)).toEqual([])
})

test('logs refusals and exports, and views of sensitive values once a day, outside history', async () => {
  const id = await server.create('/customer', await customerValues(server, { name: '拓岚' }))
  const clerk = await server.user('clerkone', ['cashier'])
  expect(await clerk.post('/customer/agree', { id })).toMatchObject({ code: 403 })
  expect((await log({ result: { in: ['denied'] } }))[0]).toMatchObject({
    action: 'agree',
    entity: 'customer',
    module: 'customer',
    recordId: id,
    user: { name: expect.any(String) },
    ip: '127.0.0.1',
    message: expect.stringContaining('没有操作权限'),
    messages: [{ message: { en: expect.stringContaining('You have no operation permission') } }],
  })
  for (let count = 0; count < 2; count++) await server.admin.get('/customer/detail', { id })
  await clerk.get('/customer/detail', { id })
  expect(await log({ action: { in: ['viewSensitive'] }, recordLabel: { contains: '拓岚' } })).toMatchObject([
    { user: { name: '系统管理员' }, result: 'success', recordId: id },
  ])
  await server.admin.get('/customer/export', { screen: 'customer.list' })
  expect((await log({ action: { in: ['export'] } }))[0]).toMatchObject({
    entity: 'customer',
    module: 'customer',
    message: expect.stringMatching(/^×\d+$/),
    ip: '127.0.0.1',
  })
  expect(
    (await server.admin.get('/customer/history', { id })).result.list.map(({ action }: { action: string }) => action),
  ).toEqual(['create'])
})

test('nobody writes the log, and only users with its permission read it', async () => {
  for (const operation of ['create', 'update', 'delete'])
    expect(await server.admin.post(`/setting/operationLog/${operation}`, { id: 1, values: {} })).toMatchObject({
      code: 404,
    })
  const clerk = await server.user('cashierone', ['cashier'])
  expect(await clerk.get('/setting/operationLog/list')).toMatchObject({ code: 403 })
  expect((await auditor.get('/setting/operationLog/list', { size: 1 })).result.total).toBeGreaterThan(5)
})

test.skipIf(!isLong)('a user with entries in the log can still be deleted', async () => {
  const id = await server.create('/setting/user', {
    loginName: 'newcomer',
    realName: '新人',
    mobile: '15400009999',
    department: await server.findId('/setting/department', '总部'),
    roles: [await server.findId('/setting/role', 'cashier')],
  })
  expect(await server.admin.post('/setting/user/delete', { id })).toMatchObject({ code: 1 })
})

test('logs each list or export of sensitive values, with the number of records and the filters', async () => {
  await server.create('/customer', await customerValues(server, { name: '列表一' }))
  const before = (await log({ action: { in: ['viewSensitive'] }, recordId: { empty: true } })).length
  const filters = { name: { contains: '列表' }, consigneeMobile: { contains: '154' } }
  expect((await server.admin.get('/customer/list', { filters, search: '15412345678' })).code).toBe(1)
  // Neither a value that nobody has masked nor a mask is a sensitive view.
  await server.admin.get('/customer/list', { fields: ['name'] })
  await auditor.get('/customer/list')
  await server.admin.get('/customer/list')
  const entries = await log({ action: { in: ['viewSensitive'] }, recordId: { empty: true } })
  expect(entries.length - before).toBeGreaterThanOrEqual(1)
  expect(entries[0]).toMatchObject({
    entity: 'customer',
    user: { name: '系统管理员' },
    message: expect.stringMatching(/^×\d+$/),
  })
  await server.admin.get('/customer/list', { filters: { ...filters, consigneeMobile: { contains: '1' } } })
  const [listed] = await log({ action: { in: ['viewSensitive'] }, recordId: { empty: true } })
  expect(listed.message).toBe('×1 {"name":{"contains":"列表"},"consigneeMobile":"******"}')
  await server.admin.get('/customer/export', { filters: { name: { contains: '列表' } }, fields: ['name'] })
  expect((await log({ action: { in: ['export'] } }))[0].message).toBe('×1 {"name":{"contains":"列表"}}')
  expect(JSON.stringify((await log({})).map(({ message }) => message))).not.toContain('15412345678')
  // The search text may be a value that others see masked: here the customer's account.
  await server.create('/customer', await customerValues(server, { name: '列表二', account: 'hiddenlogin' }))
  await server.admin.get('/customer/list', { search: 'hiddenlogin' })
  const [searched] = await log({ action: { in: ['viewSensitive'] }, recordId: { empty: true } })
  expect(searched.message).toBe('×1 ******')
})

test('logs reading sensitive values in a history or a work', async () => {
  const viewed = () => log({ action: { in: ['viewSensitive'] }, user: { equals: reader.id } })
  const reader = await server.user('historyreader', ['support', 'customerManager'])
  const own = { supportStaff: reader.id }
  const [id, other] = [
    await server.create('/customer', await customerValues(server, { name: '往事一', ...own })),
    await server.create('/customer', await customerValues(server, { name: '往事二', ...own })),
  ]
  await auditor.get('/customer/history', { id })
  for (let count = 0; count < 2; count++) await reader.get('/customer/history', { id })
  expect(await viewed()).toMatchObject([{ recordId: id, recordLabel: '往事一' }])
  const [{ work }] = (await server.admin.get('/customer/history', { id: other })).result.list
  expect((await reader.get(`/works/${work}`)).code).toBe(1)
  expect(await viewed()).toMatchObject([{ entity: 'customer', message: '×1' }, { recordId: id }])
  expect(await log({ action: { in: ['viewSensitive'] }, user: { equals: auditor.id } })).toEqual([])
})

test('logs the sensitive values that the refusal of a stale save shows', async () => {
  const id = await server.create('/customer', await customerValues(server, { name: '迟到', account: 'firstone' }))
  const save = (account: string) => server.admin.post('/customer/update', { id, revision: 1, values: { account } })
  expect(await save('laterone')).toMatchObject({ code: 1 })
  const views = () => log({ action: { in: ['viewSensitive'] }, recordId: { equals: id } })
  expect(await views()).toEqual([])
  expect(await save('latertwo')).toMatchObject({
    status: 409,
    conflict: { fields: { account: { base: 'firstone', theirs: 'laterone' } } },
  })
  expect(await views()).toMatchObject([{ entity: 'customer', recordId: id }])
})

test('limits the entries for a user who is refused again and again', async () => {
  const refused = await server.user('refusedone', ['cashier'])
  for (let count = 0; count < 105; count++) await refused.post('/customer/agree', { id: 100_000 + count })
  const entries = await log({ result: { in: ['denied'] }, user: { equals: refused.id } })
  expect(entries).toHaveLength(100)
  expect(entries.map(({ message }) => String(message)).filter((message) => message.endsWith('（+5）'))).toHaveLength(1)
  // An invalid id is refused as well.
  expect(await refused.post('/customer/agree', { id: { toString: 1 } })).toMatchObject({ status: 403 })
})

test('forgets views, exports, refusals and sign-ins after the days set, and keeps changes', async () => {
  const id = await server.create('/customer', await customerValues(server, { name: '旧事' }))
  await server.admin.get('/customer/detail', { id })
  const actions = async () =>
    (
      await server.database.pool.query('select action from system_history where entity = $1 and record_id = $2', [
        'customer',
        id,
      ])
    ).rows.map(({ action }: { action: string }) => action)
  const aged = (days: number) =>
    sql`update system_history set at = ${server.context().now}::timestamp - make_interval(days => ${days}) where record_id = ${id} and entity = 'customer'`.execute(
      server.database.kysely,
    )
  await aged(729)
  await forgetLog(server.context())
  expect(await actions()).toEqual(['create', 'viewSensitive'])
  await aged(731)
  await forgetLog(server.context())
  expect(await actions()).toEqual(['create'])
})

test.skipIf(!isLong)('forgets a work only after its history, and not before its time', async () => {
  const id = await server.create('/customer', await customerValues(server))
  const { kysely } = server.database
  const {
    rows: [{ work }],
  } = await sql<{
    work: number
  }>`select work from system_history where entity = 'customer' and record_id = ${id}`.execute(kysely)
  const isKept = async () => {
    await forgetLog(server.context())
    return (await sql`select from system_work where id = ${work}`.execute(kysely)).rows.length > 0
  }
  const age = (days: number) =>
    sql`update system_work set at = ${server.context().now}::timestamp - make_interval(days => ${days}) where id = ${work}`.execute(
      kysely,
    )
  await age(731)
  expect(await isKept()).toBe(true)
  await sql`delete from system_history where work = ${work}`.execute(kysely)
  await age(729)
  expect(await isKept()).toBe(true)
  await age(731)
  expect(await isKept()).toBe(false)
})
