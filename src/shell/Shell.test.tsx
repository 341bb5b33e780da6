// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { MenuItem, ScreenPlan } from '../../engine/model/model.ts'
import { json } from '../../tests/http.ts'
import type { Answer } from '../../tests/http.ts'
import { isLong } from '../../tests/long.ts'
import { answered, answers, app, requestsTo, button, click, good, hash, open, shell } from '../../tests/page.tsx'
import { bundleOf } from '../../tests/screen.tsx'
import { fieldOf } from '../../tests/stage.tsx'

const entry = (name: string, route: string, waiting = 0): MenuItem => ({
  id: 1,
  name,
  front_route: route,
  sub_menus: [],
  corner_num: waiting,
  corner_max: 99,
  icon: '',
  noCache: false,
  affix: false,
})

test('/ leads to the home screen of the app', async () => {
  await open('/', { token: 'old' })
  await shell()
  await waitFor(() => expect(hash()).toBe('/home'))
})

test('/redirect/… leads to the path after it, with its query', async () => {
  await open('/redirect/customer/detail?id=7', { token: 'old' })
  await shell()
  await waitFor(() => expect(hash()).toBe('/customer/detail?id=7'))
})

test.each(isLong ? ['/nowhere', '/settlement/nothing', '/settlement/receipt/nothing/at/all'] : ['/settlement/nothing'])(
  '%s is not found',
  async (path) => {
    await open(path, { token: 'old' })
    expect(await screen.findByRole('heading', { name: '页面不存在' })).toBeTruthy()
    expect([hash(), screen.getByRole('link', { name: '返回首页' }).getAttribute('href')]).toEqual([path, '#/home'])
  },
)

test('no tab counts as open where the address leads nowhere', async () => {
  await open('/customer', { token: 'old' })
  await screen.findByRole('tab', { selected: true })
  // What is stored later would be found by the next test.
  await waitFor(() => expect(sessionStorage.getItem('MenuPermissions')).not.toBeNull())
  location.hash = '#/settlement/nothing'
  await screen.findByRole('heading', { name: '页面不存在' })
  expect(screen.queryByRole('tab', { selected: true })).toBeNull()
  expect(screen.getAllByRole('tab').map(({ tabIndex }) => tabIndex)).toContain(0)
})

test('the tab of a screen that was removed keeps its title', async () => {
  const withSchemas =
    (hash: string, answer: Answer): Answer =>
    (request, response) => {
      response.setHeader('x-catalog', hash)
      answer(request, response)
    }
  answers['/plans/app'] = withSchemas('before', good(app))
  await open('/customer', { token: 'old' })
  const { textContent: title } = await screen.findByRole('tab', { selected: true })
  answers['/plans/app'] = withSchemas('after', good({ ...app, screens: app.screens.slice(1) }))
  answers['/plans/screen'] = withSchemas('after', json({ code: 404, message: '', result: null }, 404))
  await act(async () => {
    location.hash = '#/agency'
  })
  await waitFor(() => expect(requestsTo('/plans/app')).toHaveLength(2))
  await act(async () => {
    location.hash = '#/customer'
  })
  await screen.findByRole('heading', { name: '页面不存在' })
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toContain(title)
})

test("the user's permissions are read once and stored for the session", async () => {
  await open('/customer', { token: 'old' })
  await waitFor(() =>
    expect(sessionStorage.getItem('MenuPermissions')).toBe('["customer:customer:view","customer:agency:view"]'),
  )
  expect(requestsTo('/partner-menu/get-user-menus')).toHaveLength(1)
  expect(localStorage.getItem('MenuPermissions')).toBeNull()
})

test('the frame and its first screen are requested while the user is being read', async () => {
  answers['/vue-element-admin/user/info'] = () => undefined
  localStorage.setItem('sessionInUse', '1')
  await open('/customer?page=2', { token: 'old' })
  await waitFor(() => expect(requestsTo('/plans/app').map(({ query }) => query.get('route'))).toContain('/customer'))
})

test.skipIf(!isLong)('what could not be read ahead is read again, without a message', async () => {
  let times = 0
  answers['/plans/app'] = (request, response) =>
    (times++ === 0 ? json({ code: 500, message: '系统错误', result: null }, 500) : good(app))(request, response)
  localStorage.setItem('sessionInUse', '1')
  await open('/nowhere', { token: 'old' })
  await shell()
  expect([times, screen.queryByText('系统错误')]).toEqual([2, null])
})

test('an ended session is handled once, when the user is read', async () => {
  const ended = answered('/plans/app')
  answers['/vue-element-admin/user/info'] = () => undefined
  answers['/plans/app'] = json({ code: 401, message: '登录已过期', result: null }, 401)
  localStorage.setItem('sessionInUse', '1')
  await open('/customer', { token: 'old' })
  await act(() => ended)
  expect([hash(), localStorage.getItem('token')]).toEqual(['/customer', 'old'])
})

test('badges are counted once the screen is drawn', async () => {
  const menu = '/partner-menu/get-user-nav-menu'
  let deliver: (() => void) | undefined
  answers['/plans/screen'] = (request, response) => {
    deliver = () => json({ code: 404, message: '', result: null }, 404)(request, response)
  }
  await open('/customer', { token: 'old' })
  await shell()
  await waitFor(() => expect(deliver).toBeDefined())
  expect(requestsTo(menu).map(({ query }) => query.get('badges'))).toEqual(['later'])
  await act(async () => deliver!())
  await waitFor(() => expect(requestsTo(menu).map(({ query }) => query.get('badges'))).toEqual(['later', null]))
})

test('a menu that fails to load shows the reason and can be loaded again', async () => {
  answers['/partner-menu/get-user-nav-menu'] = json({ code: 500, message: '系统错误', result: null }, 500)
  await open('/nowhere', { token: 'old' })
  expect((await screen.findByRole('alert')).textContent).toContain('菜单加载失败：系统错误')
  answers['/partner-menu/get-user-nav-menu'] = good([entry('首页', '/home')])
  await click(within(screen.getByRole('alert')).getByRole('button', { name: '重试' }))
  expect(
    await within(await screen.findByRole('navigation', { name: '主菜单' })).findByRole('link', { name: /首页/ }),
  ).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('new settings of administrators are noticed in the first answer, even after a navigation', async () => {
  const menu = '/partner-menu/get-user-nav-menu'
  const settings =
    (version: number, answer: Answer): Answer =>
    (request, response) => {
      response.setHeader('x-settings-version', String(version))
      answer(request, response)
    }
  answers[menu] = settings(5, good([]))
  await open('/customer', { token: 'old' })
  await shell()
  await waitFor(() => expect(requestsTo(menu)).toHaveLength(1))
  answers['/plans/screen'] = settings(6, json({ code: 404, message: '', result: null }, 404))
  await act(async () => {
    window.location.hash = '/agency'
  })
  await waitFor(() => expect(requestsTo(menu)).toHaveLength(2))
})

test('the full-screen button reports that the browser lacks full screen', async () => {
  await open('/customer', { token: 'old' })
  await shell()
  await click(await button('全屏'))
  await screen.findByText('you browser can not work')
})

test('the full-screen button enters and leaves full screen', async () => {
  const shown: { element: Element | null } = { element: null }
  const show = async (element: Element | null) => {
    shown.element = element
    document.dispatchEvent(new Event('fullscreenchange'))
  }
  Object.defineProperties(document, {
    fullscreenEnabled: { configurable: true, value: true },
    fullscreenElement: { configurable: true, get: () => shown.element },
    exitFullscreen: { configurable: true, value: () => show(null) },
  })
  document.documentElement.requestFullscreen = () => show(document.documentElement)
  await open('/customer', { token: 'old' })
  await click(await button('全屏'))
  expect(shown.element).toBe(document.documentElement)
  await click(await button('退出全屏'))
  expect(shown.element).toBeNull()
  await button('全屏')
  for (const name of ['fullscreenEnabled', 'fullscreenElement', 'exitFullscreen'])
    delete (document as unknown as Record<string, unknown>)[name]
})

test('the sidebar remembers whether it is open', async () => {
  await open('/customer', { token: 'old' })
  await shell()
  await click(await button('收起侧栏'))
  expect(localStorage.getItem('sidebarStatus')).toBe('0')
  cleanup()
  await open('/customer', { token: 'old' })
  await shell()
  await click(await button('展开侧栏'))
  expect(localStorage.getItem('sidebarStatus')).toBe('1')
})

test('a badge is limited to the number that administrators set', async () => {
  answers['/partner-menu/get-user-nav-menu'] = good([{ ...entry('企业客户', '/customer', 21), corner_max: 20 }])
  await open('/home', { token: 'old' })
  expect((await screen.findByRole('link', { name: /企业客户/ })).textContent).toBe('企业客户20+')
})

test.each([false, true])('a badge shows how many records wait, up to 99 (more than 99: %s)', async (isMany) => {
  answers['/partner-menu/get-user-nav-menu'] = good([entry('企业客户', '/customer', isMany ? 100 : 99)])
  await open('/home', { token: 'old' })
  expect((await screen.findByRole('link', { name: /企业客户/ })).textContent).toBe(`企业客户${isMany ? '99+' : '99'}`)
})

test('the header shows the current location and the controls that the specification names', async () => {
  await open('/customer', { token: 'old' })
  await shell()
  const crumbs = within(screen.getByRole('navigation', { name: '当前位置' })).getAllByRole('listitem')
  expect(crumbs.map(({ textContent }) => textContent)).toEqual(['客户管理', '企业客户'])
  for (const name of ['全屏', /^消息/, '界面设置', '搜索页面', 'English'])
    expect(screen.getByRole('button', { name })).toBeTruthy()
  await click(await shell())
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
    '首页',
    '修改密码',
    '退出登录',
  ])
})

test('a change of language takes effect at once and is stored', async () => {
  await open('/customer', { token: 'old' })
  await shell()
  await click(await button('English'))
  expect(within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getByText('Corporate customers')).toBeTruthy()
  expect(localStorage.getItem('erp-locale')).toBe('en')
  await waitFor(() =>
    expect(requestsTo('/partner-menu/get-user-nav-menu').map(({ headers }) => headers.language)).toContain('en-US'),
  )
})

test.skipIf(!isLong)('texts that the server worded in a list are requested in the other language', async () => {
  const label = { cn: '名称', en: 'Name' }
  const body = {
    columns: [{ field: 'name', label, width: 100, sum: false, sort: false, hidden: false }],
    filters: [],
    pageSize: 20,
    tabs: [],
    where: {},
    marks: [],
    actions: [],
    paths: { list: '/customer/list' },
  }
  const plan: ScreenPlan = {
    name: 'customer',
    kind: 'list',
    area: 'customer',
    route: '/customer',
    title: { cn: '企业客户', en: 'Corporate customers' },
    parameters: [],
    entity: 'customer',
    permission: '',
    noCache: false,
    file: '',
    body,
  }
  answers['/plans/screen'] = good(bundleOf(plan, [fieldOf('text', 'name', { maxLength: 60 })]))
  answers['/preferences'] = good(null)
  answers['/customer/list'] = (request, response) =>
    good({
      list: [{ id: 1, revision: 1, name: request.headers.language === 'en-US' ? 'Approved' : '已通过' }],
      total: 1,
      sums: {},
      counts: [],
    })(request, response)
  await open('/customer', { token: 'old' })
  await screen.findByText('已通过')
  await click(await button('English'))
  await screen.findByText('Approved')
})

test.each([
  ['企业', '/customer'],
  ['qykh', '/customer'],
  ['corprate', '/customer'],
  ['agency', '/agency'],
  ['/agen', '/agency'],
])('the page search finds %s by title, pinyin, path or a near match', async (text, route) => {
  await open('/home', { token: 'old' })
  await shell()
  await waitFor(() => expect(sessionStorage.getItem('MenuPermissions')).not.toBeNull())
  await act(async () => {
    fireEvent.keyDown(window, { key: 'k', ctrlKey: true })
  })
  const input = await screen.findByRole('combobox', { name: '搜索页面' })
  // Pages that the user may not open are not offered.
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    '企业客户客户管理',
    '机构客户管理',
  ])
  await act(async () => {
    fireEvent.change(input, { target: { value: text } })
  })
  await act(async () => {
    fireEvent.keyDown(input, { key: 'Enter' })
  })
  expect(hash()).toBe(route)
})

test('the page search finds nothing for unrelated text', async () => {
  await open('/home', { token: 'old' })
  await click(await button('搜索页面'))
  const input = await screen.findByRole('combobox', { name: '搜索页面' })
  await act(async () => {
    fireEvent.change(input, { target: { value: 'xyzzy' } })
  })
  await screen.findByText('没有找到匹配的页面')
})

test('by default there are a settings button, a tab bar and a logo, and the header scrolls away', async () => {
  await open('/customer', { token: 'old' })
  await shell()
  expect(['showTagsView', 'fixedHeader', 'sidebarLogo', 'theme'].map((key) => localStorage.getItem(key))).toEqual([
    null,
    null,
    null,
    null,
  ])
  const shown = () => ({
    tags: screen.queryByRole('tablist', { name: '已打开的页面' }) !== null,
    logo: document.querySelector('.sidebar-logo') !== null,
    fixed: document.querySelector('.shell-body')!.getAttribute('data-fixed'),
  })
  expect(shown()).toEqual({ tags: true, logo: true, fixed: 'false' })
  await click(await button('界面设置'))
  for (const name of ['开启标签栏', '侧栏标志', '固定页头']) await click(await screen.findByRole('switch', { name }))
  expect(shown()).toEqual({ tags: false, logo: false, fixed: 'true' })
  await click(await button('恢复默认'))
  expect(shown()).toEqual({ tags: true, logo: true, fixed: 'false' })
})

test.skipIf(!isLong)(
  'a new theme colour applies at once through design tokens: no file is fetched, no stylesheet added',
  async () => {
    await open('/customer', { token: 'old' })
    const { keepAppearance } = await import('./appearance.ts')
    keepAppearance()
    await click(await button('界面设置'))
    const input = await screen.findByLabelText('自选颜色')
    const sheets = () => [...document.querySelectorAll('link, style[href], script')].map((element) => element.outerHTML)
    const before = sheets()
    const fetched = vi.spyOn(globalThis, 'fetch')
    const sent = vi.spyOn(XMLHttpRequest.prototype, 'open')
    await act(async () => {
      fireEvent.change(input, { target: { value: '#aa3300' } })
    })
    expect(localStorage.getItem('theme')).toBe('#aa3300')
    expect(document.documentElement.style.getPropertyValue('--theme')).toBe('#aa3300')
    expect([sheets(), fetched.mock.calls, sent.mock.calls]).toEqual([before, [], []])
    vi.restoreAllMocks()
    await click(await button('恢复默认'))
  },
)
