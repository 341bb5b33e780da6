// @vitest-environment jsdom
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { json, listen, visit } from '../../tests/http.ts'

const http = await listen()
visit(`${http.origin}/#/customer`)
// Node's fetch has no page, so addresses are resolved here.
const { fetch } = globalThis
vi.stubGlobal('fetch', (path: string, init: RequestInit) => fetch(new URL(path, http.origin), init))
const { legacy, LegacyError, isSignedOut } = await import('./legacy.ts')
const { forget, readUser, signIn } = await import('./session.ts')
const { dropToken, legacyToken, storeToken, token } = await import('./token.ts')
const { language } = await import('./language.ts')

afterAll(http.close)
beforeEach(() => {
  http.seen = []
  http.answer = json({ code: 20000, data: { token: 'T-1' } })
  language.set('cn')
  localStorage.removeItem('username')
  dropToken()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const failure = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Error)
  return error as Error & { code?: number }
}

describe('the older client', () => {
  test('signs in with the trimmed username and the password as typed', async () => {
    await signIn('  admin ', ' secret 1 ')
    const body = '{"username":"admin","password":" secret 1 "}'
    expect(http.seen).toMatchObject([{ method: 'POST', path: '/api/vue-element-admin/user/login', body }])
    expect(http.seen[0].headers['x-token']).toBeUndefined()
    expect([token(), localStorage.getItem('token'), localStorage.getItem('username')]).toEqual(['T-1', 'T-1', 'admin'])
  })

  test('reads the signed-in user with the token in the address and in X-Token', async () => {
    storeToken('T-2')
    http.answer = json({ code: 20000, data: { roles: ['admin'], name: '管理员', avatar: '', introduction: '' } })
    expect(await readUser()).toMatchObject({ roles: ['admin'], name: '管理员' })
    expect([
      http.seen[0].method,
      http.seen[0].path,
      http.seen[0].query.get('token'),
      http.seen[0].headers['x-token'],
    ]).toEqual(['GET', '/api/vue-element-admin/user/info', 'T-2', 'T-2'])
  })

  test('forgets the session at once on logout, and reports it to the server', async () => {
    storeToken('T-3')
    sessionStorage.setItem('MenuPermissions', '["a"]')
    forget()
    expect([token(), legacyToken(), document.cookie, sessionStorage.getItem('MenuPermissions')]).toEqual([
      '',
      '',
      '',
      null,
    ])
    await vi.waitFor(() => expect(http.seen).toHaveLength(1))
    expect([http.seen[0].method, http.seen[0].path, http.seen[0].headers['x-token']]).toEqual([
      'POST',
      '/api/logout',
      'T-3',
    ])
  })

  test('accepts code 20000 and returns its data', async () => {
    http.answer = json({ code: 20000, data: [1, 2] })
    expect(await legacy.get('/thing', { id: '7' })).toEqual([1, 2])
    expect(http.seen[0].query.get('id')).toBe('7')
  })

  test.each([1, 0, 200, 50000, 60204])('takes %i for a refusal and passes on its message, or "Error"', async (code) => {
    http.answer = json({ code, message: '用户名或密码错误' })
    expect(await failure(legacy.post('/thing', {}))).toMatchObject({ code, message: '用户名或密码错误' })
    http.answer = json({ code, message: '' })
    expect(await failure(legacy.post('/thing', {}))).toMatchObject({ code, message: 'Error' })
    http.answer = json({ code })
    expect((await failure(legacy.post('/thing', {}))).message).toBe('Error')
  })

  test('treats an answer of another kind as an error', async () => {
    http.answer = (_, response) => void response.writeHead(502).end('<html>')
    expect(await failure(legacy.post('/thing', {}))).toMatchObject({ code: 0, message: 'Error' })
  })

  test.each([
    [50008, true],
    [50012, true],
    [50014, true],
    [50000, false],
    [401, false],
    [20000, false],
  ])('%i means that the session has ended: %s', (code, isSo) =>
    expect(isSignedOut(new LegacyError(code, ''))).toBe(isSo),
  )

  test('gives up after 5000 ms', async () => {
    const controller = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal)
    http.answer = () => controller.abort()
    expect(await failure(legacy.get('/thing', {}))).toMatchObject({ code: 0, message: '系统错误！请检查网络后重试' })
    http.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"code":')
      controller.abort()
    }
    expect(await failure(legacy.get('/thing', {}))).toMatchObject({ code: 0, message: '系统错误！请检查网络后重试' })
    expect(timeout.mock.calls).toEqual(Array.from({ length: 4 }, () => [5000]))
  })

  test('sends a read once more if nothing came, and nothing else', async () => {
    http.answer = (_, response) => {
      http.answer = json({ code: 20000, data: 'second' })
      response.destroy()
    }
    expect(await legacy.get('/thing', {})).toBe('second')
    http.seen = []
    http.answer = (_, response) => void response.destroy()
    expect(await failure(legacy.post('/thing', {}))).toMatchObject({ code: 0 })
    expect(http.seen).toHaveLength(1)
    expect(await failure(legacy.get('/thing', {}))).toMatchObject({ code: 0 })
    expect(http.seen).toHaveLength(3)
  })

  test("reports in the user's language that there is no answer, and requests that language", async () => {
    language.set('en')
    http.answer = (_, response) => void response.destroy()
    expect((await failure(legacy.get('/thing', {}))).message).toBe('system error! Check the network and try again')
    expect(http.seen[0].headers.language).toBe('en-US')
  })
})

describe('the cookie of the older flow', () => {
  test('holds the token as Admin-Token beside the stored one, and is removed with it', async () => {
    await signIn('admin', 'secret')
    expect(document.cookie).toBe('Admin-Token=T-1')
    dropToken()
    expect(document.cookie).toBe('')
  })

  test('is read by the older client if no token is stored, and never overrides a stored one', async () => {
    document.cookie = 'other=1; path=/'
    document.cookie = 'Admin-Token=a%2Bb; path=/'
    await legacy.get('/thing', {})
    storeToken('stored')
    document.cookie = 'Admin-Token=old; path=/'
    await legacy.get('/thing', {})
    expect(http.seen.map(({ headers }) => headers['x-token'])).toEqual(['a+b', 'stored'])
    document.cookie = 'other=; path=/; max-age=0'
  })

  test('opens no screen by itself: only a stored token counts as signed in', () => {
    document.cookie = 'Admin-Token=T-9; path=/'
    expect(token()).toBe('')
  })
})

describe('the signed-in user', () => {
  test.each([undefined, null, [], 'admin', {}])('must have roles: %j is refused', async (roles) => {
    http.answer = json({ code: 20000, data: { name: 'x', roles } })
    expect((await failure(readUser())).message).toBe('getInfo: roles must be a non-null array!')
  })

  test('must not be null', async () => {
    http.answer = json({ code: 20000, data: null })
    expect((await failure(readUser())).message).toBe('Verification failed, please Login again.')
  })
})
