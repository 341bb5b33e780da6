// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { json, page } from '../../tests/http.ts'
import {
  answered,
  answers,
  requestsTo,
  button,
  choose,
  click,
  closed,
  everyCall,
  hash,
  info,
  open,
  origin,
  shell,
  type,
} from '../../tests/page.tsx'
import { isLong } from '../../tests/long.ts'

describe('without a token', () => {
  const wanted = ['/', '/home', '/customer?tab=pending', '/no/such/page', '/redirect/customer']
  test.each(wanted)('%s leads to the sign-in page, which remembers it', async (path) => {
    await open(path)
    await button('登录')
    expect(hash()).toBe(`/login?redirectUrl=${encodeURIComponent(path)}`)
    expect(everyCall().filter((path) => path !== '/api/plans/public')).toEqual([])
  })

  test('signing in leads to the requested page', async () => {
    await open('/customer?tab=pending')
    await button('登录')
    await type('用户名', ' admin ')
    await type('密码', 'secret')
    await click(await button('登录'))
    await shell()
    expect([hash(), localStorage.getItem('token'), localStorage.getItem('username')]).toEqual([
      '/customer?tab=pending',
      'fresh',
      'admin',
    ])
    await waitFor(() => expect(requestsTo('/partner-menu/get-user-nav-menu')[0]?.headers.token).toBe('fresh'))
  })

  test.each(['//evil.com', 'https://evil.com', 'javascript:alert(1)', '/login'])(
    'a redirectUrl of %s leads home',
    async (wanted) => {
      await open(`/login?redirectUrl=${encodeURIComponent(wanted)}`)
      await type('用户名', 'admin')
      await type('密码', 'secret')
      await click(await button('登录'))
      await shell()
      await waitFor(() => expect(hash()).toBe('/home'))
      expect(window.location.origin).toBe(origin)
    },
  )

  test('missing input is reported, and nothing is sent', async () => {
    await open('/login')
    await click(await button('登录'))
    expect((await screen.findAllByRole('alert')).map(({ textContent }) => textContent)).toEqual([
      '请输入用户名',
      '请输入密码',
    ])
    expect(requestsTo('/vue-element-admin/user/login')).toEqual([])
  })

  test.skipIf(!isLong)('a refusal is shown for five seconds', async () => {
    answers['/vue-element-admin/user/login'] = json({ code: 60204, message: '用户名或密码错误', data: null })
    await open('/login')
    await type('用户名', 'admin')
    await type('密码', 'wrong')
    const waits = vi.spyOn(globalThis, 'setTimeout')
    await click(await button('登录'))
    expect((await screen.findByRole('alert')).textContent).toBe('用户名或密码错误')
    const [over] = waits.mock.calls.find(([, milliseconds]) => milliseconds === 5000)!
    waits.mockRestore()
    await act(async () => (over as () => void)())
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('401', () => {
  test('silently ends the session and leads to the sign-in page, which remembers the address', async () => {
    answers['/partner-menu/get-user-nav-menu'] = json({ code: 401, message: '登录已过期', result: null }, 401)
    await open('/customer?page=2', { token: 'old' })
    await button('登录')
    expect([hash(), localStorage.getItem('token')]).toEqual([
      `/login?redirectUrl=${encodeURIComponent('/customer?page=2')}`,
      null,
    ])
    expect(screen.queryByText('登录已过期')).toBeNull()
  })

  test('changes nothing on the sign-in page', async () => {
    const held: (() => void)[] = []
    const ended = answered('/partner-menu/get-user-nav-menu')
    const refusal = json({ code: 401, message: '', result: null })
    answers['/partner-menu/get-user-nav-menu'] = (request, response) => held.push(() => refusal(request, response))
    await open('/customer', { token: 'old' })
    await waitFor(() => expect(held).toHaveLength(1))
    await act(async () => {
      window.location.hash = '/login?redirectUrl=%2Fbank'
    })
    await button('登录')
    held[0]()
    await act(() => ended)
    expect(hash()).toBe('/login?redirectUrl=%2Fbank')
  })
})

describe('logging out', () => {
  test('asks first, and shows no message when cancelled', async () => {
    await open('/customer', { token: 'old' })
    await choose('退出登录')
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText('确定退出登录吗？')).toBeTruthy()
    await click(within(dialog).getByRole('button', { name: '取消' }))
    await closed()
    expect([hash(), localStorage.getItem('token'), requestsTo('/logout').length]).toEqual(['/customer', 'old', 0])
    expect(document.querySelector('.ant-message-notice')).toBeNull()
  })

  test('forgets the session and leads to the sign-in page', async () => {
    await open('/customer', { token: 'old' })
    await waitFor(() =>
      expect(sessionStorage.getItem('MenuPermissions')).toBe('["customer:customer:view","customer:agency:view"]'),
    )
    await choose('退出登录')
    await click(within(await screen.findByRole('dialog')).getByRole('button', { name: '确定' }))
    await button('登录')
    expect([hash(), localStorage.getItem('token'), sessionStorage.getItem('MenuPermissions'), document.cookie]).toEqual(
      ['/login', null, null, ''],
    )
    await waitFor(() => expect(requestsTo('/logout')[0]?.headers['x-token']).toBe('old'))
  })
})

describe('a session that the older client reports as ended', () => {
  const texts = {
    cn: ['确认退出', '您已退出登录，可以取消以停留在当前页面，或重新登录', '重新登录', '取消'],
    en: [
      'Confirm logout',
      'You have been logged out, you can cancel to stay on this page, or log in again',
      'Re-Login',
      'Cancel',
    ],
  }
  test.each([
    [50008, 'cn'],
    [50012, 'en'],
    [50014, 'en'],
  ] as const)('%i asks in %s whether to stay or log in again', async (code, language) => {
    answers['/vue-element-admin/user/info'] = json({ code, message: 'ended' })
    await open('/customer', { token: 'old', language })
    const [title, text, again, cancel] = texts[language]
    const dialog = await screen.findByRole('dialog', { name: title })
    expect([within(dialog).getByText(text), within(dialog).getByRole('button', { name: again })]).toHaveLength(2)
    await click(within(dialog).getByRole('button', { name: cancel }))
    await closed()
    expect([hash(), localStorage.getItem('token')]).toEqual(['/customer', 'old'])
  })

  test('Re-Login resets the token and reloads the page', async () => {
    answers['/vue-element-admin/user/info'] = json({ code: 50014, message: 'ended' })
    await open('/customer', { token: 'old' })
    const impossible: string[] = []
    page.virtualConsole.on('jsdomError', ({ message }) => impossible.push(message))
    await click(within(await screen.findByRole('dialog')).getByRole('button', { name: '重新登录' }))
    // jsdom cannot reload a page, and reports that.
    await waitFor(() => expect(impossible).toEqual([expect.stringMatching('Not implemented: navigation')]))
    expect([localStorage.getItem('token'), document.cookie, hash()]).toEqual([null, '', '/customer'])
  })

  test.skipIf(!isLong)('any other code shows an error for five seconds and offers to try again', async () => {
    answers['/vue-element-admin/user/info'] = json({ code: 50000 })
    const waits = vi.spyOn(globalThis, 'setTimeout')
    await open('/customer', { token: 'old' })
    await waitFor(() => expect(screen.getAllByText('Error')).toHaveLength(2))
    expect(waits.mock.calls.map(([, milliseconds]) => milliseconds)).toContain(5000)
    waits.mockRestore()
    expect(screen.queryByRole('dialog')).toBeNull()
    answers['/vue-element-admin/user/info'] = json({ code: 20000, data: info })
    await click(await button('重试'))
    await shell()
  })

  test.each([
    [{ ...info, roles: [] }, 'getInfo: roles must be a non-null array!'],
    [null, 'Verification failed, please Login again.'],
  ])('a user without roles, or no user at all, is reported, with an offer to log in again', async (data, text) => {
    answers['/vue-element-admin/user/info'] = json({ code: 20000, data })
    await open('/customer', { token: 'old' })
    expect((await screen.findAllByText(text)).length).toBeGreaterThan(0)
    expect(screen.queryByRole('button', { name: /^用户菜单/ })).toBeNull()
    await button('重新登录')
  })
})
