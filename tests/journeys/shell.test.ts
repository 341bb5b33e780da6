import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { MenuItem } from '../../engine/model/model.ts'
import { call, dialog, list, open, ready, route, url, useDemo } from './app.ts'
import { isLong } from '../long.ts'
import { addBatch, batch, newRow, sheetOf } from './importFiles.ts'
import { act } from './parts.ts'
import { isOpen, menu, openSettings, tabBar, tabTitles, visit } from './frame.ts'

useDemo({ isShared: true })

const stored = (page: Page, ...keys: string[]) =>
  page.evaluate((names) => Object.fromEntries(names.map((name) => [name, localStorage.getItem(name)])), keys)
const colourOf = (page: Page, selector: string, property = 'background-color') =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
const banner = (page: Page) => page.getByRole('banner')
const scroller = (page: Page) => page.getByRole('main').locator('xpath=..')
const top = async (page: Page) => (await banner(page).boundingBox())!.y

describe('the settings', () => {
  test.runIf(isLong)(
    'take effect without a reload and are remembered under the keys of the specification',
    async () => {
      const page = await open('/customer', { fresh: true })
      await page.getByRole('search').getByRole('textbox').first().fill('typed')
      const before = [
        await colourOf(page, '[aria-current=page].sidebar-entry'),
        await colourOf(page, '.ant-btn-primary'),
        await colourOf(page, 'main h1 ~ *'),
      ]
      const drawer = await openSettings(page)
      await drawer.getByRole('button', { name: '#722ed1', exact: true }).click()
      for (const choice of ['深色', '超小']) await drawer.getByText(choice, { exact: true }).click()
      for (const name of ['固定页头', '开启标签栏', '侧栏标志'])
        await drawer.getByRole('switch', { name, exact: true }).click()
      await drawer.getByText('English', { exact: true }).click()
      await page
        .getByRole('dialog', { name: 'Display settings' })
        .getByRole('button', { name: 'Close', exact: true })
        .click()
      await page.getByRole('button', { name: 'Collapse sidebar', exact: true }).click()
      const holds = async () => {
        const after = [
          await colourOf(page, '[data-within=true] > .sidebar-entry', 'box-shadow'),
          await colourOf(page, '.ant-btn-primary'),
          await colourOf(page, 'main h1 ~ *'),
        ]
        expect(after[0]).toContain('rgb(114, 46, 209)')
        expect(after[1]).toBe('rgb(114, 46, 209)')
        expect(after[1]).not.toBe(before[1])
        expect(after[2]).toBe('rgb(20, 20, 20)')
        expect(
          await page.getByRole('button', { name: 'Search', exact: true }).evaluate((element) => element.clientHeight),
        ).toBeLessThanOrEqual(24)
        expect(await tabBar(page, 'en').count()).toBe(0)
        expect(
          await menu(page, 'en').evaluate((element) => [element.clientWidth, element.querySelector('ul')!.offsetTop]),
        ).toEqual([65, 0])
        expect(
          await stored(
            page,
            'theme',
            'scheme',
            'size',
            'fixedHeader',
            'showTagsView',
            'sidebarLogo',
            'sidebarStatus',
            'erp-locale',
          ),
        ).toEqual({
          theme: '#722ed1',
          scheme: 'dark',
          size: 'mini',
          fixedHeader: 'true',
          showTagsView: 'false',
          sidebarLogo: 'false',
          sidebarStatus: '0',
          'erp-locale': 'en',
        })
      }
      await expect.poll(() => menu(page, 'en').evaluate((element) => element.clientWidth)).toBe(65)
      expect(before[0]).toBe(before[1])
      await holds()
      expect(await page.getByRole('search').getByRole('textbox').first().inputValue()).toBe('typed')
      await page.reload()
      await ready(page)
      await holds()
      await (await openSettings(page, 'en')).getByRole('button', { name: 'Restore defaults', exact: true }).click()
      await tabBar(page, 'en').waitFor({ state: 'attached' })
      // A user who has chosen nothing gets the defaults of the product.
      expect(await stored(page, 'theme', 'scheme', 'size', 'showTagsView')).toEqual({
        theme: null,
        scheme: null,
        size: null,
        showTagsView: null,
      })
      await expect.poll(() => colourOf(page, '.ant-btn-primary')).toBe(before[1])
    },
  )

  test.runIf(isLong)('the colour scheme of the system applies if chosen, its reduced motion always', async () => {
    const page = await open('/customer', { fresh: true })
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await page.reload()
    await ready(page)
    expect(await page.evaluate(() => document.documentElement.dataset.scheme)).toBe('light')
    expect(await menu(page).evaluate((element) => getComputedStyle(element).transitionDuration)).toBe('0s')
    await (await openSettings(page)).getByText('跟随系统', { exact: true }).click()
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.scheme)).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.scheme)).toBe('light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.evaluate(() => {
      localStorage.removeItem('token')
    })
    await page.reload()
    await page.getByRole('button', { name: '登录', exact: true }).waitFor()
    expect(await colourOf(page, '.login-card')).toBe('rgb(20, 20, 20)')
  })

  test.runIf(isLong)('the header scrolls away or stays fixed, and a list fills the rest of the window', async () => {
    const page = await open('/customer/addcustomer?type=add', { fresh: true, height: 760 })
    await scroller(page).evaluate((element) => {
      element.scrollTop = 300
    })
    expect(await top(page)).toBe(-300)
    await visit(page, '/customer')
    expect(await top(page)).toBe(0)
    const bottom = async () => {
      const { y, height } = (await page.getByRole('navigation', { name: '分页', exact: true }).boundingBox())!
      return y + height
    }
    const rows = () =>
      page.getByRole('region', { name: '企业客户', exact: true }).evaluate((element) => element.clientHeight)
    const [pager, shown] = [await bottom(), await rows()]
    expect(pager).toBeLessThanOrEqual(760)
    await scroller(page).evaluate((element) => {
      element.scrollTop = 1000
    })
    await expect.poll(() => top(page)).toBe(-88)
    await expect.poll(rows).toBeGreaterThan(shown)
    expect(await bottom()).toBeLessThanOrEqual(760)

    await scroller(page).evaluate((element) => {
      element.scrollTop = 0
    })
    await (await openSettings(page)).getByRole('switch', { name: '固定页头', exact: true }).click()
    await page.keyboard.press('Escape')
    await scroller(page).evaluate((element) => {
      element.scrollTop = 1000
    })
    expect(await top(page)).toBe(0)
    expect(await scroller(page).evaluate((element) => element.scrollTop)).toBe(0)
    expect(await bottom()).toBe(pager)
    const {
      list: [customer],
    } = await list('/customer', { size: 1 })
    for (const address of ['/customer/addcustomer?type=add', `/customer/detail?id=${customer.id}`]) {
      await visit(page, address)
      await scroller(page).evaluate((element) => {
        element.scrollTop = 250
      })
      expect(await scroller(page).evaluate((element) => element.scrollTop)).toBeGreaterThan(0)
      expect(await top(page)).toBe(0)
    }
  })
})

describe('the menu', () => {
  const entry = (id: number, name: string, route: string, count: number, below: MenuItem[] = []): MenuItem => ({
    id,
    name,
    front_route: route,
    sub_menus: below,
    corner_num: count,
    corner_max: 99,
    icon: '',
    noCache: false,
    affix: false,
  })
  const deep = [
    entry(1, '首页', '/home', 0),
    entry(2, '一层', '', 199, [
      entry(3, '二层', '', 99, [entry(4, '三层', '', 99, [entry(5, '四层', '/customer', 99)])]),
      entry(6, '满了', '/full', 100),
    ]),
  ]
  const answers = (page: Page, items: MenuItem[]) =>
    page.route('**/partner-menu/get-user-nav-menu*', (intercepted) =>
      intercepted.fulfill({ json: { code: 1, message: '', result: items } }),
    )

  test('a directory shows the sum of the numbers of its pages', async () => {
    const items = await call<MenuItem[]>('GET', '/partner-menu/get-user-nav-menu')
    const sums = items.filter(({ sub_menus }) => sub_menus.length > 0)
    expect(sums.some(({ corner_num }) => corner_num > 0)).toBe(true)
    for (const { corner_num, sub_menus } of sums)
      expect(corner_num, 'no further than the frame shows').toBe(
        Math.min(
          100,
          sub_menus.reduce((sum, each) => sum + each.corner_num, 0),
        ),
      )
  })

  test.runIf(isLong)('opens at the current page at the greatest depth, and shows more than 99 as 99+', async () => {
    const page = await open('/setting/notice')
    await answers(page, deep)
    await page.reload()
    await menu(page).getByRole('button', { name: '一层 99+', exact: true }).waitFor()
    expect(await menu(page).getByRole('link').allInnerTexts()).toEqual(['首页'])
    await visit(page, '/customer')
    expect(await menu(page).getByRole('link', { name: '四层 99', exact: true }).getAttribute('aria-current')).toBe(
      'page',
    )
    expect(await menu(page).getByRole('button', { name: '三层 99', exact: true }).getAttribute('aria-expanded')).toBe(
      'true',
    )
    await menu(page).getByRole('link', { name: '满了 99+', exact: true }).waitFor()
    // A page reached from an entry of the menu belongs to that entry.
    await visit(page, '/customer/addcustomer?type=add')
    expect(await menu(page).getByRole('link', { name: '四层 99', exact: true }).getAttribute('aria-current')).toBe(
      'page',
    )
    await menu(page).getByRole('button', { name: '二层 99', exact: true }).press('ArrowLeft')
    expect(await menu(page).getByRole('link', { name: '四层 99', exact: true }).count()).toBe(0)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await isOpen(page, '/home')
  })

  test.runIf(isLong)('a collapsed menu opens directories beside it, by pointer and by keyboard', async () => {
    const page = await open('/setting/notice', { fresh: true })
    await answers(page, deep)
    await page.reload()
    await page.getByRole('button', { name: '收起侧栏', exact: true }).click()
    const directory = menu(page).getByRole('button', { name: '一层 99+', exact: true })
    await directory.hover()
    await menu(page).getByRole('button', { name: '二层 99', exact: true }).click()
    await menu(page).getByRole('button', { name: '三层 99', exact: true }).waitFor()
    await page.mouse.move(700, 500)
    await menu(page).getByRole('button', { name: '三层 99', exact: true }).waitFor({ state: 'detached' })

    await directory.press('Enter')
    expect(
      await menu(page)
        .getByRole('button', { name: '二层 99', exact: true })
        .evaluate((element) => element === document.activeElement),
    ).toBe(true)
    await page.keyboard.press('Escape')
    expect(await directory.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('ArrowRight')
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await isOpen(page, '/customer')
    expect(await directory.getAttribute('aria-expanded')).toBe('false')
  })
})

describe('the header', () => {
  test.runIf(isLong)('shows the path to the current page, and leads back along it', async () => {
    const {
      list: [customer],
    } = await list('/customer', { size: 1 })
    const page = await open(`/customer/detail?id=${customer.id}`, { stays: true })
    const crumbs = page.getByRole('navigation', { name: '当前位置', exact: true })
    expect(await crumbs.getByRole('listitem').allInnerTexts()).toEqual(['客户管理', '企业客户', '客户详情'])
    await crumbs.getByRole('link', { name: '企业客户', exact: true }).click()
    await isOpen(page, '/customer')
    expect(await crumbs.getByRole('listitem').allInnerTexts()).toEqual(['客户管理', '企业客户'])
  })

  test.runIf(isLong)(
    'the user menu offers home, a change of password, and a logout that asks for confirmation',
    async () => {
      const page = await open('/customer', { stays: true })
      const user = banner(page).getByRole('button', { name: /^用户菜单/ })
      await user.click()
      await expect
        .poll(() => page.getByRole('menuitem').allInnerTexts())
        .toEqual(['首页', '修改密码', '查看配置来源 (Alt+Shift+X)', '重新读取配置', '退出登录'])
      await page.getByRole('menuitem', { name: '首页', exact: true }).click()
      await isOpen(page, '/home')
      await user.click()
      await page.getByRole('menuitem', { name: '修改密码', exact: true }).click()
      await dialog(page).getByRole('textbox', { name: '原始密码' }).waitFor()
      await dialog(page).getByRole('button', { name: '取消', exact: true }).click()
      await dialog(page).waitFor({ state: 'hidden' })
      await user.click()
      await page.getByRole('menuitem', { name: '退出登录', exact: true }).click()
      await dialog(page).getByRole('button', { name: '取消', exact: true }).click()
      await dialog(page).waitFor({ state: 'detached' })
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(await tabTitles(page)).toEqual(['首页', '企业客户'])
    },
  )

  test.runIf(isLong)('toggles the full screen, or warns where the browser cannot', async () => {
    const page = await open('/setting/notice')
    await banner(page).getByRole('button', { name: '全屏', exact: true }).click()
    await banner(page).getByRole('button', { name: '退出全屏', exact: true }).click()
    await banner(page).getByRole('button', { name: '全屏', exact: true }).waitFor()
    await page.evaluate(() => {
      Object.defineProperty(document, 'fullscreenEnabled', { value: false })
    })
    await banner(page).getByRole('button', { name: '全屏', exact: true }).click()
    await page.getByText('you browser can not work', { exact: true }).waitFor()
  })

  test.runIf(isLong)(
    'switching the language changes antd, dates, numbers and menu at once and keeps typed text',
    async () => {
      const page = await open('/customer', { fresh: true })
      const search = page
        .getByRole('search')
        .getByRole('textbox', { name: /^(名称\/编号\/账号|Name, code or account)$/ })
      await search.fill('typed')
      await page.getByRole('search').getByRole('button', { name: '展开', exact: true }).click()
      const calendar = async (label: string) => {
        await page.getByRole('textbox', { name: label, exact: true }).first().click()
        const text = await page.locator('.ant-picker-dropdown:visible thead').first().innerText()
        await page.keyboard.press('Escape')
        return text
      }
      expect(await calendar('提交时间')).toMatch(/一\s+二\s+三/)
      await page.getByText(/^共\d+条$/).waitFor()
      await banner(page).getByRole('button', { name: 'English', exact: true }).click()
      await page.getByText(/^\d+ records$/).waitFor()
      await menu(page, 'en')
        .getByRole('link', { name: /^Corporate customers/ })
        .waitFor()
      expect(await calendar('Submission time')).toMatch(/Mo\s+Tu\s+We/)
      expect(await search.inputValue()).toBe('typed')
      const listRequest = page.waitForRequest((request) => request.url().includes('/api/customer/list'))
      await page.getByRole('search').getByRole('button', { name: 'Search', exact: true }).click()
      expect((await listRequest).headers().language).toBe('en-US')
      await page.getByText('No records match', { exact: true }).waitFor()
      expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
    },
  )

  test.runIf(isLong)('arrows select and Enter opens; a typing mistake is forgiven, nonsense is not', async () => {
    const page = await open('/setting/notice', { stays: true })
    await page.keyboard.press('Control+k')
    const box = page.getByRole('combobox', { name: '搜索页面', exact: true })
    await box.fill('corprate customers')
    await dialog(page)
      .getByRole('option', { name: /^企业客户/ })
      .waitFor()
    await box.fill('qwertyuiop')
    await page.getByText('没有找到匹配的页面', { exact: true }).waitFor()
    await box.fill('客户')
    await dialog(page).getByRole('option').nth(1).waitFor()
    await page.keyboard.press('ArrowDown')
    const chosen = dialog(page).getByRole('option', { selected: true })
    expect(await dialog(page).getByRole('option').nth(1).getAttribute('aria-selected')).toBe('true')
    const title = (await chosen.locator('span').innerText()).trim()
    await page.keyboard.press('Enter')
    await dialog(page).waitFor({ state: 'hidden' })
    await tabBar(page).getByRole('tab', { name: title, exact: true, selected: true }).waitFor()
  })

  test('opening a page requests nothing twice, and its rows before the code of its list', async () => {
    const page = await open('/customer')
    const address = page.url()
    // Closes the previous page, which would still send requests.
    await page.goto(`${url()}/api/health`)
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      // The menu is requested without its badges, which are counted after the rows.
      sent.push(pathname + (searchParams.has('badges') ? '?badges' : ''))
    })
    await page.goto(address)
    await ready(page)
    // Controls load after the rows, and later requests are not part of opening the page.
    const calls = sent.filter((path) => path.startsWith('/api/'))
    expect(calls.filter((path, index) => calls.indexOf(path) !== index)).toEqual([])
    expect(calls).not.toContain('/api/plans/screen')
    expect(calls).toContain('/api/customer/list')
    const rows = sent.indexOf('/api/customer/list')
    await expect.poll(() => sent.findIndex((path) => path.includes('tree.view'))).toBeGreaterThan(rows)
    expect(rows).toBeLessThan(20)
  })

  test('the page of a signed-in user names the files that it loads', async () => {
    const { headers } = await fetch(`${url()}/`, { headers: { cookie: 'Admin-Token=x' } })
    const named = [...headers.get('link')!.matchAll(/<\/assets\/([\w.]+)-[\w-]+\.js>/g)].map(([, name]) => name)
    expect(named).toEqual(['index', 'libraries', 'frame', 'list.view'])
  })

  test.runIf(isLong)(
    'rows are shown although the filters cannot be loaded, which is reported and tried again',
    async () => {
      const page = await open('/home', { fresh: true })
      let isDown = true
      await page.route('**/assets/controls-*.js', (intercepted) =>
        isDown ? intercepted.fulfill({ status: 404 }) : intercepted.continue(),
      )
      await page.goto(`${url()}/#/customer`)
      await page.reload()
      await ready(page)
      const problem = page.getByRole('alert').filter({ hasText: '部分内容加载失败' })
      await problem.waitFor()
      isDown = false
      await problem.getByRole('button', { name: '重试', exact: true }).click()
      await page.getByRole('search').getByRole('combobox').first().waitFor()
      expect(await problem.count()).toBe(0)
    },
  )

  test.runIf(isLong)('a progress bar runs while a screen opens and while a call is under way', async () => {
    const page = await open('/setting/notice')
    const bar = page.getByRole('progressbar', { name: '加载中', exact: true })
    await bar.waitFor({ state: 'detached' }).catch(() => undefined)
    await expect.poll(() => bar.count()).toBe(0)
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/customer/list*', async (intercepted) => {
      await held
      await intercepted.continue()
    })
    await page.evaluate(() => {
      window.location.hash = '#/customer'
    })
    await bar.waitFor({ state: 'attached' })
    await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThanOrEqual(20)
    release()
    await ready(page)
    await expect.poll(() => bar.count()).toBe(0)
  })
})

describe('at 390 pixels', () => {
  const phone = { width: 390, height: 844, stays: true }

  test('the menu is a drawer, the tabs scroll, and no screen is wider than the window', async () => {
    const page = await open('/customer', phone)
    const {
      list: [customer],
    } = await list('/customer', { size: 1 })
    const fits = async () =>
      expect(
        await page.evaluate(() =>
          [document.scrollingElement!, document.querySelector('main')!.parentElement!].map(
            (element) => element.scrollWidth - element.clientWidth,
          ),
        ),
        route(page),
      ).toEqual([0, 0])
    await fits()
    expect(await menu(page).count()).toBe(0)
    await banner(page).getByRole('button', { name: '展开侧栏', exact: true }).click()
    await menu(page).getByRole('link', { name: '首页', exact: true }).click()
    await isOpen(page, '/home')
    await menu(page).waitFor({ state: 'hidden' })
    await fits()
    for (const address of ['/customer/addcustomer?type=add', `/customer/detail?id=${customer.id}`]) {
      await visit(page, address)
      await fits()
    }
    // In a narrow font four tabs may fit, so two more are opened.
    for (const address of isLong ? ['/settlement/report', '/setting/user'] : []) await visit(page, address)
    if (isLong) expect(await tabBar(page).evaluate((bar) => bar.scrollWidth > bar.clientWidth)).toBe(true)
    await visit(page, '/customer')
    for (const name of isLong ? ['服务机构', '列设置'] : ['服务机构']) {
      // The toolbar of a phone has room for one action; the others are behind 更多.
      const bar = page.locator('.list-toolbar').filter({ visible: true })
      await act(page, bar, name)
      const { width } = (await dialog(page).boundingBox())!
      expect(width).toBeLessThanOrEqual(390)
      await fits()
      await dialog(page)
        .getByRole('button', { name: /^(关闭|取消|Close)$/ })
        .first()
        .click()
      await dialog(page).waitFor({ state: 'hidden' })
    }
    await expect
      .poll(() =>
        page
          .getByRole('navigation', { name: '分页', exact: true })
          .evaluate((element) => element.getBoundingClientRect().bottom - window.innerHeight),
      )
      .toBeLessThanOrEqual(0)
  })

  test('a list shows cards with their identity, state and next action fully visible', async () => {
    const page = await open('/customer', phone)
    const cards = page.getByRole('list', { name: '企业客户', exact: true }).getByRole('listitem')
    const {
      list: [customer],
    } = await list('/customer', { size: 1, sort: '-submissionTime' })
    const card = cards.first()
    await card.getByRole('link', { name: String(customer.name), exact: true }).waitFor()
    for (const part of [card.getByRole('link', { name: String(customer.code) }), card.getByRole('button').last()]) {
      const { x, width, height } = (await part.boundingBox())!
      expect([x >= 0, x + width <= 390, height > 10]).toEqual([true, true, true])
    }
    expect(await page.getByRole('table').count()).toBe(0)

    // Tickets differ only at the end of a long number.
    const tickets = await open('/welfare/socialsecurity/additionalstaff', phone)
    const ofTickets = tickets.getByRole('main').getByRole('list').getByRole('listitem')
    await ofTickets.first().waitFor()
    const cardTexts = await ofTickets.evaluateAll((all) =>
      all.map((each) =>
        [...each.querySelectorAll<HTMLElement>('strong, .card-second')].map(
          ({ innerText, scrollWidth, clientWidth }) => scrollWidth <= clientWidth && innerText,
        ),
      ),
    )
    expect(cardTexts.flat()).not.toContain(false)
    expect(new Set(cardTexts.map((texts) => texts.join(' '))).size, 'each says which ticket it is').toBe(
      cardTexts.length,
    )
  })

  test.runIf(isLong)(
    'the sums above cards are fully visible; of many, only the first show until expanded',
    async () => {
      const page = await open('/settlement/receipt', phone)
      const isWhole = async (page: Page, count: number) => {
        const sums = page.getByRole('group', { name: '合计', exact: true }).getByRole('definition')
        await expect.poll(() => sums.count()).toBe(count)
        for (const sum of await sums.all()) {
          const { x, width } = (await sum.boundingBox())!
          expect([x >= 0, x + width <= 390], await sum.innerText()).toEqual([true, true])
        }
      }
      await isWhole(page, 4)
      const {
        list: [payroll],
      } = await list('/salary/payroll', { size: 1 })
      const wages = await open(`/salary/payrolldetail?id=${payroll.id}`, phone)
      await isWhole(wages, 4)
      const group = wages.getByRole('group', { name: '合计', exact: true })
      await group.getByRole('button', { name: '展开', exact: true }).click()
      await expect.poll(() => group.getByRole('definition').count()).toBeGreaterThan(4)
    },
  )

  test.runIf(isLong)('a card shows whichever of two alternative amount columns its record has', async () => {
    const { list: movements } = await list('/settlement/settlementJournal', {
      filters: { subject: { equals: 'receipt' }, action: { in: ['match'] } },
      size: 1,
    })
    const { id } = movements[0].customer as { id: number }
    const page = await open(`/customer/detail?id=${id}`, phone)
    await page.getByRole('tab', { name: '余额流水', exact: true }).click()
    const cards = page.getByRole('list', { name: '余额流水', exact: true }).getByRole('listitem')
    await cards
      .filter({ hasText: '核销' })
      .first()
      .getByText(/^支出 ￥[\d,.]+$/)
      .waitFor()
    await cards
      .filter({ hasText: '登记' })
      .first()
      .getByText(/^收入 ￥[\d,.]+$/)
      .waitFor()
  })

  test.runIf(isLong)('an error in a file is shown once, with an example that is fully visible', async () => {
    const id = await addBatch(await sheetOf('错误.xlsx', [newRow({ name: null }), newRow()]))
    await expect.poll(async () => (await batch(id)).status).toBe('checked')
    const page = await open(`/customer/detailList?batchId=${id}`, phone)
    for (const cell of await page.getByRole('region', { name: '错误汇总' }).getByRole('cell').all()) {
      const { x, width } = (await cell.boundingBox())!
      expect([x >= 0, x + width <= 390], await cell.innerText()).toEqual([true, true])
    }
    const card = page.getByRole('main').getByRole('list').getByRole('listitem').first()
    await card.waitFor()
    const text = await card.innerText()
    const problemLine = text.split('\n').find((line) => /不能为空|不正确|不存在/.test(line))!
    expect(text.split(problemLine)).toHaveLength(2)
    expect(text).not.toMatch(/([\u4e00-\u9fff]{2,})：\1/)
  })

  test.runIf(isLong)('an empty table in a form says so within the visible width', async () => {
    const page = await open('/customer/addcustomer?type=add', phone)
    const empty = page.getByRole('main').getByRole('table').getByText('暂无数据', { exact: true })
    await empty.first().waitFor()
    for (const each of await empty.all()) {
      const { x, width } = (await each.boundingBox())!
      expect([x >= 0, x + width <= 390]).toEqual([true, true])
    }
  })

  test.runIf(isLong)('a wider window restores the sidebar as it was', async () => {
    const page = await open('/setting/notice', { width: 1100 })
    await page.setViewportSize({ width: 900, height: 800 })
    await menu(page).waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1100, height: 800 })
    await expect.poll(() => menu(page).evaluate((element) => element.clientWidth)).toBe(205)
  })
})
