import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { batch, check, customerRow } from '../../../tests/importing.ts'
import { createTestServer, defaultPassword, type TestServer } from '../../../tests/server.ts'
import type { Value } from '../../model/model.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer({
    change(catalog) {
      for (const name of ['importMaxRows', 'exportMaxRows']) catalog.entities.parameter.fields[name].options.min = 1
      return catalog
    },
  })
})
afterAll(() => house?.close())

async function set(values: Record<string, Value>): Promise<void> {
  const { id, revision } = (await house.admin.get('/setting/parameter/detail')).result
  expect(await house.admin.post('/setting/parameter/update', { id, revision, values })).toMatchObject({ code: 1 })
}
const login = async (username: string, password: string) =>
  (
    await house.server.inject({
      method: 'POST',
      url: '/api/vue-element-admin/user/login',
      payload: { username, password },
    })
  ).json() as { code: number }

test('a session lasts as long as administrators say', async () => {
  await house.user('shortly', ['support'])
  await set({ sessionMinutes: 45 })
  await login('shortly', defaultPassword)
  const { rows } = await sql<{
    minutes: number
  }>`select round(extract(epoch from expires_at - created_at) / 60)::integer as minutes
    from system_session order by created_at desc, expires_at limit 1`.execute(house.database.kysely)
  expect(rows).toEqual([{ minutes: 45 }])
})

test('locks a name after the number of wrong passwords that administrators set', async () => {
  await house.user('locked', ['support'])
  await set({ loginFailLimit: 3 })
  for (let count = 0; count < 3; count++) expect((await login('locked', 'wrong-1')).code).toBe(60204)
  expect((await login('locked', defaultPassword)).code).toBe(60429)
})

test('a password that is too old must be changed first', async () => {
  const user = await house.user('ancient', ['support'])
  const opens = async () => (await user.get('/customer/list')).code
  await sql`update system_credential set changed_at = changed_at - interval '31 days' where user_id = ${user.id}`.execute(
    house.database.kysely,
  )
  expect(await opens()).toBe(1)
  await set({ passwordDays: 30 })
  expect(await user.get('/customer/list')).toMatchObject({ status: 403, message: expect.stringContaining('密码') })
  expect(
    await user.post('/partner-user/change-password', {
      original_password: defaultPassword,
      new_password: 'Another-2026',
    }),
  ).toMatchObject({ code: 1 })
  expect(await opens()).toBe(1)
  await set({ passwordDays: 0 })
})

test('new users get the password that administrators set, and a weak one is refused', async () => {
  await set({ defaultPassword: 'Newcomer-2026' })
  const department = (await house.admin.get('/setting/department/list')).result.list[0].id
  const [role] = (await house.admin.get('/setting/role/list')).result.list
  const made = await house.admin.post('/setting/user/create', {
    values: { loginName: 'newcomer', realName: '新来的', mobile: '15412345678', department, roles: [role.id] },
  })
  expect(made).toMatchObject({ code: 1 })
  expect(made.result.password).toBeUndefined()
  expect((await login('newcomer', 'Newcomer-2026')).code).toBe(20000)
  const { id, revision } = (await house.admin.get('/setting/parameter/detail')).result
  expect(
    await house.admin.post('/setting/parameter/update', { id, revision, values: { defaultPassword: 'onlyletters' } }),
  ).toMatchObject({ status: 422, errors: [{ field: 'defaultPassword', code: 'password' }] })
})

test('limits imports and exports to as many rows as administrators allow', async () => {
  for (const name of ['一号', '二号', '三号'])
    await house.create('/customer', await customerValues(house, { name: `客户${name}` }))
  await set({ exportMaxRows: 2, importMaxRows: 2 })
  expect(await house.admin.get('/customer/export', { screen: 'customer.list' })).toMatchObject({
    status: 422,
    message: expect.stringContaining('2'),
  })
  expect(await batch(house, await check(house, [customerRow(101), customerRow(102)]))).toMatchObject({
    status: 'checked',
  })
  expect(await batch(house, await check(house, [customerRow(103), customerRow(104), customerRow(105)]))).toMatchObject({
    status: 'failed',
    totalCount: 0,
  })
})

test('a badge counts up to the number that administrators set', async () => {
  const most = async () =>
    new Set(
      (await house.admin.get('/partner-menu/get-user-nav-menu')).result.map(
        ({ corner_max }: { corner_max: number }) => corner_max,
      ),
    )
  expect(await most()).toEqual(new Set([99]))
  await set({ badgeMax: 20 })
  expect(await most()).toEqual(new Set([20]))
})
