/** Passwords set by administrators, and passwords of which the server saw only a digest. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { login } from '../../../tests/login.ts'
import { type Client, createTestServer, defaultPassword, type TestServer } from '../../../tests/server.ts'
import { md5 } from '../identity/passwords.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const mustChange = async (token: string) =>
  (await house.server.inject({ url: '/api/vue-element-admin/user/info', headers: { token } })).json().data
    .mustChangePassword
const parameter = async (as: Client) => (await as.get('/setting/parameter/detail')).result
const change = async (as: Client, values: object) => {
  const { id, revision } = await parameter(house.admin)
  return as.post('/setting/parameter/update', { id, revision, values })
}

test('only administrators may change the default password, and no user is shown any part of it', async () => {
  const finance = await house.user('finance', ['financeManager'])
  expect(await change(finance, { overdueRemindDays: 8 })).toMatchObject({ code: 1 })
  expect(await change(finance, { defaultPassword: 'Taken-2026' })).toMatchObject({
    status: 422,
    errors: [{ field: 'defaultPassword', code: 'read-only' }],
  })
  expect(await change(house.admin, { defaultPassword: 'Given-2026' })).toMatchObject({ code: 1 })
  expect(await change(finance, { overdueRemindDays: 9 })).toMatchObject({ code: 1 })
  for (const as of [finance, house.admin]) expect((await parameter(as)).defaultPassword).toBe('******')
  const made = await house.admin.post('/setting/user/create', {
    values: {
      loginName: 'later',
      realName: '后来的',
      mobile: '15412345678',
      department: await house.findId('/setting/department', '总部'),
      roles: [await house.findId('/setting/role', 'support')],
    },
  })
  expect(made).toMatchObject({ code: 1 })
  expect((await login(house, 'later', 'Given-2026')).code).toBe(20000)
  await sql`update parameter set "defaultPassword" = null`.execute(house.database.kysely)
})

test('an initial password expires unless it is changed, and works again once it is reset', async () => {
  const { id } = await house.user('newcomer', ['support'])
  const reset = () => house.admin.post('/setting/user/resetPassword', { id })
  const lapse = sql`update system_credential set lapses_at = lapses_at - interval '73 hours' where user_id = ${id}`
  await reset()
  expect((await login(house, 'newcomer', defaultPassword)).code).toBe(20000)
  await lapse.execute(house.database.kysely)
  expect(await login(house, 'newcomer', defaultPassword)).toMatchObject({
    code: 60405,
    message: '初始密码已过期，请联系管理员重新设置',
  })
  expect((await login(house, 'newcomer', 'wrong-1')).code).toBe(60204)
  await reset()
  const user = await house.signIn('newcomer', defaultPassword)
  expect(
    await user.post('/partner-user/change-password', {
      original_password: defaultPassword,
      new_password: 'Another-2026',
    }),
  ).toMatchObject({ code: 1 })
  await lapse.execute(house.database.kysely)
  expect((await login(house, 'newcomer', 'Another-2026')).code).toBe(20000)
})

test("both calls refuse the digest of an empty password, a common word or the user's own name", async () => {
  const user = await house.user('common2026', ['support'])
  const common = { status: 422, message: '该密码为空、过于常见或与登录名、姓名相同，请换一个' }
  for (const word of ['', '1', '123456', 'Password1', 'common2026'])
    expect(
      await user.post('/auth/change-password', { OldPassword: md5(defaultPassword), NewPassword: md5(word) }),
      word,
    ).toMatchObject(common)
  expect(
    await user.post('/partner-user/change-password', {
      original_password: defaultPassword,
      new_password: 'Password123',
    }),
  ).toMatchObject(common)
})

test('a password known only by its digest is checked at the next sign-in', async () => {
  for (const [name, next, must] of [
    ['shortly', 'short1', true],
    ['strongly', 'Long-enough-26', false],
  ] as const) {
    const user = await house.user(name, ['support'])
    expect(
      await user.post('/auth/change-password', { OldPassword: md5(defaultPassword), NewPassword: md5(next) }),
    ).toMatchObject({ code: 1 })
    expect(await mustChange(user.token)).toBe(false)
    const { data } = await login(house, name, next)
    expect(await mustChange(data.token), name).toBe(must)
    expect((await house.client(data.token).get('/plans/app')).status, name).toBe(must ? 403 : 200)
  }
})

test('a session ends a day after it began, however much it is used', async () => {
  const user = await house.user('lasting', ['support'])
  const age = (hours: number) =>
    sql`update system_session set created_at = localtimestamp - make_interval(hours => ${hours}) where user_id = ${user.id}`.execute(
      house.database.kysely,
    )
  await age(23)
  expect((await user.get('/plans/app')).status).toBe(200)
  await age(25)
  expect(await user.get('/plans/app')).toMatchObject({ status: 401, message: '登录已过期，请重新登录' })
})
