import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { cacheLimit } from '../../src/shell/tabs.ts'
import { isLong } from '../long.ts'
import { dialog, list, open, ready, route, url, useDemo } from './app.ts'
import { isOpen, memoryOf, menu, still, tab, tabBar, tabTitles, visit } from './frame.ts'

useDemo({ isShared: true })

const editOf = (id: number) => `/customer/addcustomer?type=edit&id=${id}`
const keyOfEdit = (id: number) => `/customer/addcustomer?id=${id}&type=edit`
const searchBox = (page: Page) => page.getByRole('search').getByRole('textbox', { name: '名称/编号/账号', exact: true })
const remark = (page: Page) => page.getByRole('form').getByRole('textbox', { name: '备注', exact: true })
const contextMenu = async (page: Page, title: string) => {
  await tab(page, title).click({ button: 'right' })
  await page.getByRole('menu').waitFor()
  return page.getByRole('menu')
}
const choose = async (page: Page, title: string, entry: string) =>
  (await contextMenu(page, title)).getByRole('menuitem', { name: entry, exact: true }).click()
const titlesAre = (page: Page, titles: string[]) => expect.poll(() => tabTitles(page)).toEqual(titles)

let ids: number[]
beforeAll(async () => {
  const editable = { filters: { approvalStatus: { equals: 'approved' } }, sort: 'code' }
  ids = (await list('/customer', editable)).list.map(({ id }) => id!)
})

describe('the tab bar', () => {
  test('visiting opens a tab, a reload keeps it, dragging moves it, and home stays first', async () => {
    const page = await open('/home', { stays: true })
    await titlesAre(page, ['首页'])
    await menu(page)
      .getByRole('button', { name: /^客户管理/ })
      .click()
    await menu(page)
      .getByRole('link', { name: /^企业客户/ })
      .click()
    await isOpen(page, '/customer')
    await visit(page, '/customer/addcustomer?type=add')
    await titlesAre(page, ['首页', '企业客户', '新增企业客户'])
    await tab(page, '新增企业客户').dragTo(tab(page, '企业客户'))
    await titlesAre(page, ['首页', '新增企业客户', '企业客户'])
    await tab(page, '企业客户').dragTo(tab(page, '首页'))
    expect(await tab(page, '首页').getAttribute('draggable')).toBe('false')
    await page.reload()
    await isOpen(page, '/customer/addcustomer?type=add')
    await titlesAre(page, ['首页', '新增企业客户', '企业客户'])
  })

  test.runIf(isLong)(
    'middle click and Delete close a tab, arrows move between tabs, and home cannot be closed',
    async () => {
      const page = await open('/customer', { stays: true })
      await visit(page, '/customer/addcustomer?type=add')
      await tab(page, '企业客户').click({ button: 'middle' })
      await titlesAre(page, ['首页', '新增企业客户'])
      expect(route(page)).toBe('/customer/addcustomer?type=add')
      await tab(page, '新增企业客户').focus()
      await page.keyboard.press('ArrowLeft')
      await isOpen(page, '/home')
      await page.keyboard.press('Delete')
      await page.keyboard.press('ArrowRight')
      await isOpen(page, '/customer/addcustomer?type=add')
      await page.keyboard.press('Delete')
      await titlesAre(page, ['首页'])
      await expect.poll(() => tab(page, '首页').evaluate((element) => element === document.activeElement)).toBe(true)
      await tab(page, '首页').click({ button: 'middle' })
      expect(await tabTitles(page)).toEqual(['首页'])
    },
  )

  test('the context menu offers refresh, close, close others and close all, by mouse and by keyboard', async () => {
    const page = await open('/customer', { stays: true })
    await visit(page, '/customer/addcustomer?type=add')
    expect(await (await contextMenu(page, '首页')).getByRole('menuitem').allInnerTexts()).toEqual([
      '刷新',
      '关闭',
      '关闭其他',
      '关闭所有',
    ])
    expect(await page.getByRole('menuitem', { name: '关闭', exact: true }).getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')

    await tab(page, '企业客户').click()
    await isOpen(page, '/customer')
    await searchBox(page).fill('typed')
    await choose(page, '企业客户', '刷新')
    await expect.poll(() => searchBox(page).inputValue()).toBe('')

    await choose(page, '新增企业客户', '关闭')
    await titlesAre(page, ['首页', '企业客户'])
    await visit(page, '/customer/addcustomer?type=add')
    await visit(page, '/home')
    await choose(page, '企业客户', '关闭其他')
    await titlesAre(page, ['首页', '企业客户'])
    await isOpen(page, '/customer')
    await tab(page, '企业客户').focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu').waitFor()
    await page.getByRole('menuitem', { name: '关闭所有', exact: true }).press('Enter')
    await titlesAre(page, ['首页'])
    await isOpen(page, '/home')
  })

  test.runIf(isLong)('many tabs scroll in their bar, and the open one is visible', async () => {
    const page = await open('/customer', { width: 640 })
    for (const id of ids.slice(0, 6)) await visit(page, editOf(id), keyOfEdit(id))
    expect(await tabBar(page).evaluate((bar) => bar.scrollWidth > bar.clientWidth)).toBe(true)
    const seen = () =>
      tabBar(page).evaluate((bar) => {
        const { left, right } = bar.querySelector('[aria-selected=true]')!.getBoundingClientRect()
        const edge = bar.getBoundingClientRect()
        return left >= edge.left - 1 && right <= edge.right + 1
      })
    expect(await seen()).toBe(true)
    await visit(page, '/home')
    expect(await seen()).toBe(true)
  })
})

describe('screens in the background', () => {
  test('two tabs of one route keep their own text, and closing an unsaved one asks first', async () => {
    const page = await open(editOf(ids[0]), { stays: true })
    await remark(page).fill('the first')
    await visit(page, editOf(ids[1]), keyOfEdit(ids[1]))
    await remark(page).fill('the second')
    await titlesAre(page, ['首页', '编辑企业客户', '编辑企业客户'])
    await visit(page, editOf(ids[0]), keyOfEdit(ids[0]))
    expect(await remark(page).inputValue()).toBe('the first')
    await tabBar(page).getByRole('tab').nth(2).click({ button: 'middle' })
    await dialog(page).getByText('内容尚未保存，确定离开吗？', { exact: true }).waitFor()
    await dialog(page).getByRole('button', { name: '取消', exact: true }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await visit(page, editOf(ids[1]), keyOfEdit(ids[1]))
    expect(await remark(page).inputValue()).toBe('the second')
    await tabBar(page).getByRole('tab').nth(2).click({ button: 'middle' })
    await dialog(page).getByRole('button', { name: '确定', exact: true }).click()
    await titlesAre(page, ['首页', '编辑企业客户'])
    expect(await remark(page).inputValue()).toBe('the first')
  })

  test.runIf(isLong)('a save answered late leaves the user on the screen they moved to', async () => {
    const approved = { filters: { approvalStatus: { equals: 'approved' } }, sort: 'code', size: 2 }
    const [, customer] = (await list('/customer', approved)).list
    const page = await open(editOf(customer.id!))
    let answer = () => {}
    const gone = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/customer/update*', async (request) => {
      await gone
      await request.continue()
    })
    await remark(page).fill('saved late')
    const updateRequest = page.waitForRequest('**/api/customer/update*')
    await page.getByRole('form').getByRole('button', { name: '保存', exact: true }).click()
    await updateRequest
    await visit(page, '/setting/notice')
    answer()
    await page.getByText('保存成功', { exact: true }).first().waitFor()
    await titlesAre(page, ['首页', '公告管理'])
    expect(route(page)).toBe('/setting/notice')
  })

  test.runIf(isLong)('a list and a form return with their input and scroll positions within one frame', async () => {
    const page = await open('/customer', { height: 700 })
    await searchBox(page).fill('有限公司')
    await page.getByRole('search').getByRole('button', { name: '查询', exact: true }).click()
    await page.getByRole('button', { name: '下一页', exact: true }).click()
    await expect.poll(() => new URLSearchParams(route(page).split('?')[1]).get('page')).toBe('2')
    await ready(page)
    await expect
      .poll(() => page.getByRole('table', { name: '企业客户', exact: true }).getAttribute('aria-busy'))
      .toBe('false')
    await searchBox(page).fill('not asked yet')
    const rows = page.getByRole('region', { name: '企业客户', exact: true })
    await rows.evaluate((element) => {
      element.scrollTop = 100
    })
    await rows.evaluate((element) => {
      element.scrollLeft = 300
    })
    const address = route(page)
    const scroller = page.getByRole('main').locator('xpath=..')
    // Reads the position that was reached, since the list is redrawn to fit meanwhile.
    const scrolled = await scroller.evaluate(
      (element) =>
        new Promise<number>((resolve) => {
          element.scrollTop = 20
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(element.scrollTop)))
        }),
    )
    expect(scrolled).toBeGreaterThan(0)

    await visit(page, '/customer/addcustomer?type=add')
    expect(await scroller.evaluate((element) => element.scrollTop)).toBe(0)
    await scroller.evaluate((element) => {
      element.scrollTop = 400
    })
    await expect.poll(() => scroller.evaluate((element) => element.scrollTop)).toBe(400)
    await visit(page, '/home')

    /** Clicks the tab and reads what is visible when the next frame is about to be painted. */
    const inOneFrame = (title: string) =>
      tab(page, title).evaluate(
        (element) =>
          new Promise<object>((resolve) => {
            requestAnimationFrame(() => {
              ;(element as HTMLElement).click()
              requestAnimationFrame(() => {
                const rows = document.querySelector('[role=region][aria-label="企业客户"]')!
                resolve({
                  rows: rows.checkVisibility() && rows.querySelectorAll('tbody tr').length > 3,
                  top: rows.scrollTop,
                  left: rows.scrollLeft,
                  page: document.querySelector('main')!.parentElement!.scrollTop,
                })
              })
            })
          }),
      )
    expect(await inOneFrame('企业客户')).toEqual({ rows: true, top: 100, left: 300, page: scrolled })
    expect(route(page)).toBe(address)
    expect(await searchBox(page).inputValue()).toBe('not asked yet')
    expect(await page.getByRole('button', { name: '第2页', exact: true }).getAttribute('aria-current')).toBe('page')
    expect(new URLSearchParams(address.split('?')[1]).get('q')).toBe('有限公司')
    expect(await inOneFrame('新增企业客户')).toMatchObject({ rows: false, page: 400 })
  })

  test.runIf(isLong)('a screen that is not cached starts anew', async () => {
    const page = await open(`/customer/detail?id=${ids[0]}`, { stays: true })
    const opened = (name: string) => page.getByRole('tab', { name, exact: true }).getAttribute('aria-selected')
    await page.getByRole('main').getByRole('tab', { name: '联系人', exact: true }).click()
    await expect.poll(() => opened('联系人')).toBe('true')
    await visit(page, '/home')
    const detailRequest = page.waitForRequest((request) => request.url().includes('/customer/detail?'))
    await tab(page, '客户详情').click()
    await detailRequest
    await isOpen(page, `/customer/detail?id=${ids[0]}`)
    await expect.poll(() => opened('基本信息')).toBe('true')
  })

  test.runIf(isLong)('/redirect/… refreshes a screen, and asks first if it has unsaved work', async () => {
    const page = await open('/customer', { stays: true })
    await searchBox(page).fill('typed')
    await page.goto(`${url()}/#/redirect/customer`)
    await expect.poll(() => searchBox(page).inputValue()).toBe('')
    expect(route(page)).toBe('/customer')

    await visit(page, editOf(ids[0]), keyOfEdit(ids[0]))
    await remark(page).fill('unsaved')
    await page.goto(`${url()}/#/redirect${editOf(ids[0])}`)
    await dialog(page).getByRole('button', { name: '取消', exact: true }).click()
    await isOpen(page, keyOfEdit(ids[0]))
    expect(await remark(page).inputValue()).toBe('unsaved')
    await dialog(page).waitFor({ state: 'detached' })
    await page.goto(`${url()}/#/redirect${editOf(ids[0])}`)
    await dialog(page).getByRole('button', { name: '确定', exact: true }).click()
    await isOpen(page, keyOfEdit(ids[0]))
    await expect.poll(() => remark(page).inputValue()).not.toBe('unsaved')
  })
})

/** The number of forms, and of tabs in all: more than are cached at a time. */
const [forms, all] = [cacheLimit + 2, 50]

test.runIf(isLong)(
  'many tabs keep unsaved work, drop the least recently used, and give their memory back when closed',
  async () => {
    const page = await open('/setting/notice')
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    const closeAll = async () => {
      await choose(page, '首页', '关闭所有')
      if (await dialog(page).isVisible()) await dialog(page).getByRole('button', { name: '确定', exact: true }).click()
      await titlesAre(page, ['首页'])
      await dialog(page).waitFor({ state: 'detached' })
      await still(page)
    }
    const edits = ids.slice(0, forms)
    // Half of them refer to a record that does not exist.
    const details = Array.from({ length: all - 1 - forms }, (_, index) => (index % 2 ? 100_000 + index : ids[index]))
    const openOne = (id: number) => visit(page, `/customer/detail?id=${id}`)

    // Loads everything that is loaded once and stays, before measuring.
    await visit(page, '/customer/addcustomer?type=add')
    await remark(page).fill('unsaved')
    await visit(page, editOf(ids[0]), keyOfEdit(ids[0]))
    await openOne(ids[0])
    await closeAll()
    const before = await memoryOf(session)

    await visit(page, '/customer/addcustomer?type=add')
    await remark(page).fill('unsaved')
    for (const id of edits) await visit(page, editOf(id), keyOfEdit(id))
    for (const id of details) await openOne(id)
    expect(await tabBar(page).getByRole('tab').count()).toBe(all + 1)
    const panels = await page.locator('main > [role=tabpanel]').evaluateAll((elements) => elements.map(({ id }) => id))
    expect(panels).toContain('panel-/customer/addcustomer?type=add')
    expect(panels).toHaveLength(cacheLimit)
    expect(panels).not.toContain(`panel-${keyOfEdit(edits[0])}`)
    await visit(page, '/customer/addcustomer?type=add')
    expect(await remark(page).inputValue()).toBe('unsaved')
    const full = await memoryOf(session)
    expect(full.nodes).toBeGreaterThan(before.nodes * 3)

    await visit(page, '/home')
    await closeAll()
    // Recent answers stay for a minute and take a few megabytes; at most one form stays.
    const after = await memoryOf(session)
    expect(after.nodes, 'DOM nodes').toBeLessThan(before.nodes * 1.3 + 500)
    expect(after.heap, 'bytes of JavaScript').toBeLessThan(before.heap + 8_000_000)
  },
)
