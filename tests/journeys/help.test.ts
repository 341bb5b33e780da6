import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { api, call, open, route, useDemo } from './app.ts'
import { catalog, languages } from './catalog.ts'
import type { HelpAnswer } from '../../engine/model/model.ts'
import { violations } from './violations.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

const words = {
  cn: {
    help: '帮助',
    pages: ['操作手册', '数据字典', '权限表', '配置语言'],
    search: '在本页中查找',
    customers: '客户管理 / 企业客户',
    only: '发票抬头',
  },
  en: {
    help: 'Help',
    pages: ["Operator's manual", 'Data dictionary', 'Permissions', 'The schema language'],
    search: 'Search this page',
    customers: 'Customers / Corporate customers',
    only: 'Invoice title',
  },
}
const help = (page: Page) => page.getByRole('main').getByRole('article')

test.each(isLong ? languages : languages.slice(0, 1))(
  'the help of a screen is one click away, and its pages can be searched, in %s',
  async (language) => {
    const { help: name, pages, search, customers, only } = words[language]
    const page = await open('/customer', { language, stays: true })
    await page.getByRole('banner').getByRole('link', { name, exact: true }).click()
    const heading = help(page).getByRole('heading', { level: 2, name: customers, exact: true })
    await heading.waitFor()
    expect(route(page)).toBe('/help?at=customer.list')
    await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true)
    const searched = help(page).getByRole('searchbox', { name: search, exact: true })
    const isFirst = language === languages[0]
    // Checks only the lines that the search finds, since thousands of lines are alike.
    await searched.fill(only)
    await expect.poll(() => help(page).getByRole('heading', { level: 2 }).count()).toBeLessThan(20)
    await help(page).getByText(only).first().waitFor()
    if (isLong && isFirst) expect(await violations(page), 'manual').toEqual([])

    for (const title of isLong && isFirst ? pages : pages.slice(-1)) {
      await help(page)
        .getByRole('navigation', { name, exact: true })
        .getByRole('link', { name: title, exact: true })
        .click()
      await help(page).getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    }
    await searched.fill('visibleWhen')
    await help(page)
      .getByRole('cell', { name: /schemas\/.*\.json/ })
      .first()
      .waitFor()
    expect(await help(page).getByRole('row').filter({ hasText: 'minItems' }).count()).toBe(0)
    if (isFirst) expect(await violations(page), 'language').toEqual([])
  },
)

test.runIf(isLong)('the help fits a small screen', async () => {
  const page = await open('/help/permissions', { width: 390, height: 844 })
  await help(page).getByRole('heading', { level: 2 }).first().waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await help(page).getByRole('searchbox').fill(words.cn.customers.split(' / ')[1])
  await expect.poll(() => help(page).getByRole('heading', { level: 2 }).count()).toBeLessThan(20)
  expect(await violations(page)).toEqual([])
})

test('the help is cut to what the user may see', async () => {
  const clerk = await call<HelpAnswer>('GET', '/help', {}, { user: 'cashier' })
  const screens = clerk.sections.map(({ id }) => id)
  expect(screens).toContain('customer.list')
  expect(screens).not.toContain('user.list')
  expect(clerk.pages.map(({ name }) => name)).toEqual(['manual', 'data'])
  for (const id of screens)
    expect((await api('GET', '/plans/screen', { name: id }, { user: 'cashier' })).code, id).toBe(1)
  for (const page of ['permissions', 'language'])
    expect((await api('GET', '/help', { page }, { user: 'cashier' })).status).toBe(403)
  expect(
    (await call<HelpAnswer>('GET', '/help', { page: 'data' }, { user: 'cashier' })).sections.map(({ id }) => id),
  ).not.toContain('data-user')
  const whole = await call<HelpAnswer>('GET', '/help')
  expect(whole.sections.map(({ id }) => id).sort()).toEqual(
    Object.values(catalog.screens)
      .filter((screen) => screen.route !== undefined)
      .map((screen) => screen.name)
      .sort(),
  )
})
