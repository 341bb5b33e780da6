/** The menu as administrators arrange it: order by dragging and by keyboard, names, and visibility. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { dialog, open, useDemo } from './app.ts'
import { fill } from './controls.ts'
import { menu, visit } from './frame.ts'
import { act, button, confirm, ofRow } from './parts.ts'
import { isLong } from '../long.ts'

useDemo()

/** Rows out of sight are not rendered, so the window holds all of them. */
const tall = { height: 2600, stays: true }

const entries = async (page: Page) => (await menu(page).getByRole('link').allInnerTexts()).map((text) => text.trim())
const watched = ['菜单设置', '用户设置', '公告管理', '轮播图管理', '公告与通知']
const order = (page: Page) => expect.poll(async () => (await entries(page)).filter((text) => watched.includes(text)))
const handle = (page: Page, name: string): Locator => button(page.getByRole('main'), `移动${name}`)
/** Found by its handle, since its name may also occur in other rows, for instance as an icon. */
const entry = (page: Page, name: string): Locator =>
  page
    .getByRole('main')
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name: `移动${name}`, exact: true }) })

test.runIf(isLong)('the entry of the open page stays in view after navigation', async () => {
  const page = await open('/home', { fresh: true })
  const current = menu(page).locator('[aria-current=page]')
  const isInView = () =>
    current.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= window.innerHeight
    })
  for (const address of ['/setting/banner', '/home']) {
    await visit(page, address)
    await expect.poll(isInView, { message: address }).toBe(true)
  }
})

test('an entry is moved by dragging and by keyboard, and the menu follows', async () => {
  const page = await open('/setting/menu', tall)
  await order(page).toEqual(['菜单设置', '用户设置', '公告管理', '轮播图管理'])
  await handle(page, '轮播图管理').dragTo(entry(page, '用户设置'), { targetPosition: { x: 120, y: 3 } })
  await order(page).toEqual(['菜单设置', '轮播图管理', '用户设置', '公告管理'])
  await handle(page, '轮播图管理').focus()
  await page.keyboard.press('ArrowDown')
  await order(page).toEqual(['菜单设置', '用户设置', '轮播图管理', '公告管理'])
  await expect
    .poll(() => handle(page, '轮播图管理').evaluate((element) => element === document.activeElement))
    .toBe(true)
  await page.reload()
  await order(page).toEqual(['菜单设置', '用户设置', '轮播图管理', '公告管理'])
})

test.runIf(isLong)('a directory takes an entry of another, but stays on the first level itself', async () => {
  const page = await open('/setting/menu', tall)
  // The entry just above, since dragging further would require scrolling.
  await handle(page, '轮播图管理').dragTo(entry(page, '银行'), { targetPosition: { x: 120, y: 20 } })
  await page.getByRole('main').getByRole('row').filter({ hasText: '轮播图管理' }).waitFor()
  await expect.poll(async () => (await entries(page)).includes('轮播图管理')).toBe(false)
  await menu(page).getByText('银行', { exact: true }).click()
  await menu(page).getByRole('link', { name: '轮播图管理' }).waitFor()
  await handle(page, '银行').dragTo(entry(page, '系统设置'), { targetPosition: { x: 120, y: 20 } })
  await page.getByText('领域和首页只能在第一级').waitFor()
})

test.runIf(isLong)('a new name shows for every user, and a disabled entry is hidden with all below it', async () => {
  const page = await open('/setting/menu', tall)
  await act(page, entry(page, '公告管理'), '编辑')
  await fill(dialog(page).getByRole('form'), '菜单名称', '公告与通知')
  await button(dialog(page), '保存').click()
  await menu(page).getByRole('link', { name: '公告与通知' }).waitFor()
  await act(page, entry(page, '客户管理'), '停用')
  await confirm(page, '停用后下级菜单一并隐藏，确定吗？')
  await expect.poll(() => menu(page).getByText('客户管理').count()).toBe(0)
  expect(await ofRow(entry(page, '菜单设置'), '停用').count()).toBe(0)
  const other = await open('/setting/notice', { user: 'publisher' })
  await menu(other).getByRole('link', { name: '公告与通知' }).waitFor()
})
