import { describe, expect, test } from 'vitest'
import { dialog, list, open, useDemo } from './app.ts'
import { languages } from './catalog.ts'
import { menu, openSettings, still, tab, visit } from './frame.ts'
import { colourRules, violations } from './violations.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

describe.each(isLong ? languages : languages.slice(0, 1))('no accessibility violations in %s:', (language) => {
  // Colours, sizes and the frame are the same in every language.
  const isFirst = language === languages[0]
  const words =
    language === 'cn'
      ? {
          submit: '提交审核',
          classes: '客户分类',
          review: '审核',
          settings: '界面设置',
          search: '搜索页面',
          user: /^用户菜单/,
          customers: '企业客户',
          collapse: '收起侧栏',
          expand: '展开侧栏',
          dark: '深色',
          signIn: '登录',
        }
      : {
          submit: 'Submit for approval',
          classes: 'Classification',
          review: 'Review',
          settings: 'Display settings',
          search: 'Search pages',
          user: /^User menu/,
          customers: 'Corporate customers',
          collapse: 'Collapse sidebar',
          expand: 'Expand sidebar',
          dark: 'Dark',
          signIn: 'Log in',
        }

  test('the sign-in page', async () => {
    const page = await open('/login', { language, user: '' })
    await page.getByRole('button', { name: language === 'cn' ? '登录' : 'Log in', exact: true }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await violations(page)).toEqual([])
  })

  // `screens.test.ts` audits each kind of screen in English, among them boards, lists and details.
  test.skipIf(!isLong).each(isFirst ? ['/home', '/customer', '/no/such/page'] : ['/customer'])(
    '%s',
    async (address) => {
      // An address without a screen opens no tab to wait for.
      const stays = address !== '/no/such/page'
      expect(await violations(await open(address, { language, stays }))).toEqual([])
    },
  )

  test('a form with mistakes', async () => {
    const page = await open('/customer/addcustomer?type=add', { language, stays: true })
    await page.getByRole('button', { name: words.submit, exact: true }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await violations(page)).toEqual([])
  })

  test.runIf(isFirst && isLong)('the details of a record', async () => {
    const {
      list: [customer],
    } = await list('/customer', { size: 1 })
    const page = await open(`/customer/detail?id=${customer.id}`, { language, stays: true })
    expect(await violations(page)).toEqual([])
  })

  const overlays = isLong ? (['classes', 'settings', 'search'] as const) : (['classes'] as const)
  test.each(isFirst && isLong ? overlays : [])('a dialog over a list: %s', async (key) => {
    const page = await open('/customer', { language, stays: true })
    await page.getByRole('button', { name: words[key], exact: true }).first().click()
    await dialog(page).waitFor()
    await still(page)
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'hidden' })
  })

  test.runIf(isFirst && isLong)(
    'the frame: user menu, menu of a tab, and collapsed sidebar with an open directory',
    async () => {
      const page = await open('/customer', { language, fresh: true })
      await page.getByRole('button', { name: words.user }).click()
      await page.getByRole('menu').waitFor()
      await still(page)
      expect(await violations(page), 'user menu').toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'hidden' })
      await tab(page, words.customers, language).click({ button: 'right' })
      await page.getByRole('menu').waitFor()
      await still(page)
      expect(await violations(page), 'menu of a tab').toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: words.collapse, exact: true }).click()
      await menu(page, language).getByRole('button').first().press('Enter')
      await menu(page, language)
        .getByRole('link', { name: new RegExp(`^${words.customers}`) })
        .waitFor()
      await still(page)
      expect(await violations(page), 'collapsed sidebar').toEqual([])
    },
  )

  test.runIf(isFirst)('the menu and a list at 390 pixels', async () => {
    // Its cards have links on two lines.
    const page = await open('/contract?part=labor', { language, width: 390, height: 844 })
    await page.getByRole('main').getByRole('listitem').nth(1).waitFor()
    expect(await violations(page), 'list').toEqual([])
    await page.getByRole('button', { name: words.expand, exact: true }).click()
    await menu(page, language).waitFor()
    await still(page)
    expect(await violations(page), 'menu').toEqual([])
  })

  test.runIf(isFirst && isLong)(
    'the dark scheme in another colour: sign-in page, home, list, form with mistakes, detail, dialogs and frame',
    async () => {
      const {
        list: [customer],
      } = await list('/customer', { size: 1 })
      const page = await open('/customer', { language, fresh: true })
      const drawer = await openSettings(page, language)
      await drawer.getByText(words.dark, { exact: true }).click()
      await drawer.getByRole('button', { name: '#13c2c2', exact: true }).click()
      await still(page)
      expect(await violations(page, colourRules), 'settings').toEqual([])
      await page.keyboard.press('Escape')
      await drawer.waitFor({ state: 'hidden' })
      expect(await violations(page, colourRules), 'list').toEqual([])
      await page.getByRole('main').getByRole('button', { name: words.classes, exact: true }).first().click()
      await dialog(page).getByRole('row').nth(1).waitFor()
      await still(page)
      expect(await violations(page, colourRules), 'list in a drawer').toEqual([])
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'hidden' })
      await page.getByRole('button', { name: words.user }).click()
      await page.getByRole('menu').waitFor()
      await still(page)
      expect(await violations(page, colourRules), 'user menu').toEqual([])
      await page.keyboard.press('Escape')
      await page.keyboard.press('Control+k')
      await dialog(page).getByRole('option').first().waitFor()
      await still(page)
      expect(await violations(page, colourRules), 'route search').toEqual([])
      await page.keyboard.press('Escape')
      await dialog(page).waitFor({ state: 'hidden' })

      await visit(page, '/home')
      expect(await violations(page, colourRules), 'home').toEqual([])
      await visit(page, `/customer/detail?id=${customer.id}`)
      await still(page)
      expect(await violations(page, colourRules), 'detail').toEqual([])
      await visit(page, '/customer/addcustomer?type=add')
      await page.getByRole('button', { name: words.submit, exact: true }).click()
      await page.getByRole('alert').first().waitFor()
      await still(page)
      expect(await violations(page, colourRules), 'form').toEqual([])
      await page.evaluate(() => {
        localStorage.removeItem('token')
      })
      await page.reload()
      await page.getByRole('button', { name: words.signIn, exact: true }).click()
      await page.getByRole('alert').first().waitFor()
      await still(page)
      expect(await violations(page, colourRules), 'sign-in page').toEqual([])
    },
  )
})
