import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { picture, upload } from '../../../tests/customer.ts'
import { isLong } from '../../../tests/long.ts'
import { administratorPassword, createTestServer, defaultPassword, type TestServer } from '../../../tests/server.ts'
import type { RecordData } from '../../model/model.ts'
import { canonicalRecord } from '../records/reading/canonical.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import { bringBack, softDelete, updateRecords } from '../records/write.ts'
import { md5 } from './passwords.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const login = async (username: string, password: string, language = 'zh-CN') =>
  (
    await house.server.inject({
      method: 'POST',
      url: '/api/vue-element-admin/user/login',
      headers: { language },
      payload: { username, password },
    })
  ).json()
const info = async (token: string) =>
  (await house.server.inject({ url: '/api/vue-element-admin/user/info', headers: { 'x-token': token } })).json()

describe('signing in', () => {
  it('returns a token, by which its user can be read', async () => {
    const { code, data } = await login('  admin ', administratorPassword)
    expect(code).toBe(20000)
    expect(data.token.length).toBeGreaterThanOrEqual(43)
    expect(await info(data.token)).toEqual({
      code: 20000,
      data: {
        roles: ['admin'],
        name: '系统管理员',
        avatar: '',
        introduction: '',
        id: expect.any(Number),
        username: 'admin',
        department: expect.any(Number),
        mustChangePassword: false,
      },
    })
    const byAddress = await house.server.inject({ url: `/api/vue-element-admin/user/info?token=${data.token}` })
    expect(byAddress.json().code).toBe(20000)
  })

  it('stores neither tokens nor passwords in plain text', async () => {
    const { data } = await login('admin', administratorPassword)
    const { rows } = await sql<{
      text: string
    }>`select s::text as text from system_session s union all select c::text from system_credential c`.execute(
      house.database.kysely,
    )
    expect(rows.length).toBeGreaterThan(1)
    for (const { text } of rows)
      for (const secret of [data.token, administratorPassword, md5(administratorPassword)])
        expect(text).not.toContain(secret)
  })

  it('refuses a wrong password and an unknown name alike, in the requested language', async () => {
    expect(await login('admin', 'wrong-1')).toEqual({ code: 60204, message: '用户名或密码错误', data: null })
    expect(await login('nobody', 'wrong-1', 'en-US')).toEqual({
      code: 60204,
      message: 'Wrong username or password',
      data: null,
    })
    await login('admin', administratorPassword)
  })

  it('locks a name and address after five failures, and never after successes', async () => {
    await house.user('locked', ['support'])
    for (let count = 0; count < 8; count++) expect((await login('locked', defaultPassword)).code).toBe(20000)
    const answers = await Promise.all(Array.from({ length: 8 }, () => login('locked', 'wrong-1')))
    expect(answers.map(({ code }) => code).sort((a, b) => a - b)).toEqual([
      60204, 60204, 60204, 60204, 60204, 60429, 60429, 60429,
    ])
    expect(await login('locked', defaultPassword)).toMatchObject({
      code: 60429,
      message: '登录失败次数过多，请10分钟后再试',
    })
    expect((await login('admin', administratorPassword)).code).toBe(20000)
    await sql`update system_sign_in_failure set at = at - interval '11 minutes'`.execute(house.database.kysely)
    expect((await login('locked', defaultPassword)).code).toBe(20000)
  })

  it('is recorded in the history of the user', async () => {
    await login('admin', 'wrong-1')
    await login('admin', administratorPassword)
    const { rows } = await sql<{
      action: string
    }>`select action from system_history where action like 'login%' order by id desc limit 2`.execute(
      house.database.kysely,
    )
    expect(rows.map(({ action }) => action)).toEqual(['login', 'loginFailed'])
    const { result } = await house.admin.get('/setting/user/list', { search: 'admin' })
    expect(result.list[0]).toMatchObject({
      lastLoginTime: expect.stringMatching(/^2026-03-15/),
      lastLoginAddress: '127.0.0.1',
    })
  })
})

describe('a session', () => {
  it('is required by everything else, which answers 401 without it', async () => {
    for (const token of ['', 'x'.repeat(43)]) {
      expect(await house.client(token).get('/plans/app')).toMatchObject({
        status: 401,
        code: 401,
        message: '登录已失效，请重新登录',
        result: null,
      })
      expect((await info(token)).code).toBe(50008)
    }
    expect((await house.client('', 'en-US').get('/customer/list')).message).toBe(
      'Your session has ended, please log in again',
    )
  })

  it('is not accepted from a cookie or an address by the calls of the product', async () => {
    const { data } = await login('admin', administratorPassword)
    expect((await house.server.inject({ url: `/api/plans/app?token=${data.token}` })).statusCode).toBe(401)
    expect(
      (
        await house.server.inject({
          url: '/api/plans/app',
          headers: { cookie: `token=${data.token}; Admin-Token=${data.token}` },
        })
      ).statusCode,
    ).toBe(401)
  })

  it('opens files by a separate cookie, which opens nothing else and ends with the session', async () => {
    const signedIn = async (username: string, password: string) => {
      const { headers, ...answer } = await house.server.inject({
        method: 'POST',
        url: '/api/vue-element-admin/user/login',
        payload: { username, password },
      })
      const setCookie = String(headers['set-cookie'])
      return { setCookie, cookie: setCookie.split(';')[0], token: String(answer.json().data.token) }
    }
    const { url } = (await upload(house, house.admin, 'a.png', picture)).result
    const fetched = async (headers: Record<string, string> = {}, address = url) =>
      (await house.server.inject({ url: address, headers })).statusCode

    const { setCookie, cookie, token } = await signedIn('admin', administratorPassword)
    expect(setCookie).toMatch(/^files80=[\w-]{43}; Path=\/api\/files; Max-Age=86400; HttpOnly; SameSite=Strict$/)
    expect(setCookie).not.toContain(token)
    expect(await fetched()).toBe(401)
    expect(await fetched({ cookie: `files80=${'x'.repeat(43)}` })).toBe(401)
    expect(await fetched({ cookie: `Admin-Token=${token}; files80=${token}` })).toBe(401)
    // Without a session, the answer does not reveal whether the file exists.
    expect(await fetched({}, `/api/files/${'0'.repeat(32)}/x.png`)).toBe(401)
    expect(await fetched({ cookie: `other=1; ${cookie}` })).toBe(200)
    expect(await fetched({ token })).toBe(200)
    expect((await house.server.inject({ url: '/api/plans/app', headers: { cookie } })).statusCode).toBe(401)
    const hashes = await sql<{ text: string }>`select s::text as text from system_session s`.execute(
      house.database.kysely,
    )
    expect(JSON.stringify(hashes.rows)).not.toContain(cookie.split('=')[1])

    // A session without a file cookie, old or with the cookie lost, gets one with the next page.
    await sql`update system_session set file_hash = null`.execute(house.database.kysely)
    expect(await fetched({ cookie })).toBe(401)
    const again = await house.server.inject({ url: '/api/vue-element-admin/user/info', headers: { 'x-token': token } })
    expect(again.headers['set-cookie']).toBe(setCookie)
    expect(await fetched({ cookie })).toBe(200)

    const ended = await house.server.inject({ method: 'POST', url: '/api/logout', headers: { token }, payload: {} })
    expect(ended.headers['set-cookie']).toMatch(/^files80=; Path=\/api\/files; Max-Age=0; /)
    expect(await fetched({ cookie })).toBe(401)

    const user = await house.user('filereader', ['support'])
    const own = await signedIn('filereader', defaultPassword)
    expect(await fetched({ cookie: own.cookie })).toBe(200)
    await house.admin.post('/setting/user/disable', { id: user.id })
    expect(await fetched({ cookie: own.cookie })).toBe(401)
  })

  it('is not needed for files of a field declared public, while a record has them', async () => {
    const { result } = await upload(house, house.admin, 'app.apk', Buffer.from('PK\x03\x04 of an app'))
    const fetched = async () => (await house.server.inject({ url: result.url })).statusCode
    expect(await fetched()).toBe(401)
    const id = await house.create('/setting/appVersion', {
      versionName: '9.9.9',
      versionNumber: 999,
      platform: 'android',
      appFile: [{ ...result, status: 'success' }],
      updateContent: '修复问题',
      forcedUpdate: false,
    })
    expect(await fetched()).toBe(200)
    await house.admin.post('/setting/appVersion/disable', { id })
    expect(await house.admin.post('/setting/appVersion/delete', { id })).toMatchObject({ code: 1 })
    expect(await fetched()).toBe(401)
  })

  it('expires, and is extended while it is used', async () => {
    const { token } = await house.signIn('admin', administratorPassword)
    const resting = sql`update system_session set last_seen_at = last_seen_at - interval '2 hours', expires_at = expires_at - interval '2 hours'`
    for (let use = 0; use < 6; use++) {
      await resting.execute(house.database.kysely)
      expect((await house.client(token).get('/plans/app')).code).toBe(1)
    }
    await sql`update system_session set expires_at = localtimestamp - interval '1 minute'`.execute(
      house.database.kysely,
    )
    expect(await house.client(token).get('/plans/app')).toMatchObject({
      status: 401,
      message: '登录已过期，请重新登录',
    })
    expect((await info(token)).code).toBe(50014)
    house.admin = await house.signIn('admin', administratorPassword)
  })

  it('ends on logout', async () => {
    const { token } = await house.signIn('admin', administratorPassword)
    const answer = await house.server.inject({
      method: 'POST',
      url: '/api/logout',
      headers: { 'x-token': token },
      payload: {},
    })
    expect(answer.json().code).toBe(20000)
    expect((await house.client(token).get('/plans/app')).status).toBe(401)
  })

  it('ends when its user is disabled, who can sign in again only once enabled', async () => {
    const user = await house.user('leaver', ['support'])
    expect((await user.get('/plans/app')).code).toBe(1)
    expect((await house.admin.post('/setting/user/disable', { id: user.id })).code).toBe(1)
    expect((await user.get('/plans/app')).status).toBe(401)
    expect(await login('leaver', defaultPassword)).toMatchObject({ code: 60403, message: '该用户已停用，请联系管理员' })
    await house.admin.post('/setting/user/enable', { id: user.id })
    expect((await user.get('/plans/app')).status).toBe(401)
    expect((await login('leaver', defaultPassword)).code).toBe(20000)
  })

  it('ends with any write that disables or deletes its user, even if it is not used until that is undone', async () => {
    const user = await house.user('returner', ['support'])
    const entity = house.runtime.derived.catalog.entities.user
    const write = (values: RecordData) =>
      house.database.kysely.transaction().execute(async (db) => {
        const isUser = sql<boolean>`${sql.ref(`${main}.id`)} = ${user.id}`
        const old = canonicalRecord(
          house.context(),
          entity,
          (await readStored(house.context(), db, entity, [isUser]))[0],
        )
        await updateRecords(house.context(), db, entity, [{ record: { ...old, ...values }, old }])
      })
    for (const [away, back] of [
      [
        () => house.admin.post('/setting/user/disable', { id: user.id }),
        () => house.admin.post('/setting/user/enable', { id: user.id }),
      ],
      [() => write({ status: 'disabled' }), () => write({ status: 'enabled' })],
      [
        () => house.database.kysely.transaction().execute((db) => softDelete(house.context(), db, entity, [user.id])),
        () =>
          house.database.kysely
            .transaction()
            .execute((db) => bringBack(house.context(), db, entity, [{ id: user.id }])),
      ],
    ]) {
      const { token } = await house.signIn('returner', defaultPassword)
      await write({ introduction: token })
      expect((await house.client(token).get('/plans/app')).status).toBe(200)
      await away()
      await back()
      expect((await house.client(token).get('/plans/app')).status).toBe(401)
    }
    expect((await house.admin.get('/plans/app')).status).toBe(200)
  })
})

describe('changing the password', () => {
  it('by text: trimmed, checked by the rule, and different from the old one', async () => {
    const user = await house.user('changer', ['support'])
    const change = (original_password: string, new_password: string) =>
      user.post('/partner-user/change-password', { original_password, new_password })
    expect(await change(defaultPassword, 'short-1')).toMatchObject({
      status: 422,
      message: '密码须为8至20位，且至少包含字母、数字、符号中的两种',
    })
    expect((await change(defaultPassword, 'onlyletters')).status).toBe(422)
    expect(await change('wrong-2026', 'Another-2026')).toMatchObject({ status: 422, message: '原始密码错误' })
    expect(await change(defaultPassword, defaultPassword)).toMatchObject({
      status: 422,
      message: '新密码不能与原始密码相同',
    })
    const other = await house.signIn('changer', defaultPassword)
    expect(await change(` ${defaultPassword} `, ' Another-2026 ')).toMatchObject({ code: 1, message: '修改成功' })
    expect((await other.get('/plans/app')).status).toBe(401)
    expect((await user.get('/plans/app')).status).toBe(200)
    expect((await login('changer', defaultPassword)).code).not.toBe(20000)
    expect((await login('changer', 'Another-2026')).code).toBe(20000)
  })

  it('by uppercase MD5', async () => {
    const user = await house.user('digester', ['support'])
    const change = (OldPassword: string, NewPassword: string) =>
      user.post('/auth/change-password', { OldPassword, NewPassword }, { language: 'en-US' })
    expect((await change(defaultPassword, 'Another-2026')).status).toBe(422)
    expect(await change(md5('wrong'), md5('Another-2026'))).toMatchObject({
      status: 422,
      message: 'The original password is wrong',
    })
    const other = await house.signIn('digester', defaultPassword)
    expect(await change(md5(defaultPassword), md5('Another-2026'))).toMatchObject({
      code: 1,
      message: 'Password changed successfully',
    })
    expect([(await other.get('/plans/app')).status, (await user.get('/plans/app')).status]).toEqual([401, 200])
    expect((await login('digester', 'Another-2026')).code).toBe(20000)
  })

  it('is demanded of new users, who may do nothing else before', async () => {
    const { id } = await house.user('newcomer', ['admin'])
    await house.admin.post('/setting/user/resetPassword', { id })
    const user = await house.signIn('newcomer', defaultPassword)
    expect((await info(user.token)).data.mustChangePassword).toBe(true)
    const refused = { status: 403, code: 403, message: '请先修改密码', result: null }
    for (const path of [
      '/plans/app',
      '/partner-menu/get-user-nav-menu',
      '/customer/list',
      '/customer/export',
      '/preferences',
      '/messages/unread',
      `/files/${'0'.repeat(32)}/x.png`,
    ]) {
      expect(await user.get(path), path).toMatchObject(refused)
    }
    for (const path of ['/customer/create', '/setting/user/update', '/common/upload', '/schemas/reload'])
      expect(await user.post(path), path).toMatchObject(refused)
    expect((await user.get('/customer/list', {}, { language: 'en-US' })).message).toBe(
      'Please change the password first',
    )
    await user.post('/partner-user/change-password', {
      original_password: defaultPassword,
      new_password: 'Another-2026',
    })
    expect((await info(user.token)).data.mustChangePassword).toBe(false)
    expect(await user.get('/customer/list')).toMatchObject({ code: 1 })
  })

  it('cannot serve to guess it: five wrong attempts by either call throttle the user', async () => {
    const user = await house.user('guesser', ['support'])
    const byText = (original_password: string) =>
      user.post('/partner-user/change-password', { original_password, new_password: 'Another-2026' })
    const byDigest = (original: string) =>
      user.post('/auth/change-password', { OldPassword: md5(original), NewPassword: md5('Another-2026') })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => (index % 2 ? byText : byDigest)(`wrong-${index}`)),
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([422, 422, 422, 422, 422, 429, 429, 429])
    expect(await byText(defaultPassword)).toMatchObject({ status: 429, message: '密码错误次数过多，请10分钟后再试' })
    expect((await byDigest(defaultPassword)).status).toBe(429)
    await sql`update system_sign_in_failure set at = at - interval '11 minutes'`.execute(house.database.kysely)
    expect(await byText(defaultPassword)).toMatchObject({ code: 1 })
  })

  it.skipIf(!isLong)('repeats its answer, which may have been lost, when sent again, and counts no guess', async () => {
    const user = await house.user('repeater', ['support'])
    const change = (original_password: string, new_password: string, key: string) =>
      user.post('/partner-user/change-password', { original_password, new_password }, { 'idempotency-key': key })
    for (let time = 0; time < (isLong ? 7 : 2); time++)
      expect(await change(defaultPassword, 'Another-2026', 'first')).toMatchObject({ code: 1, message: '修改成功' })
    // Another key or another password reveals nothing, and each counts as a guess.
    expect(await change(defaultPassword, 'Another-2026', 'second')).toMatchObject({ message: '原始密码错误' })
    for (let time = 0; time < 4; time++)
      expect(await change(defaultPassword, `Third-202${time}`, 'first')).toMatchObject({ message: '原始密码错误' })
    expect(await change(defaultPassword, 'Another-2026', 'first')).toMatchObject({ status: 429 })
  })
})
