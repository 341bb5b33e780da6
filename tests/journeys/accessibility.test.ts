import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { dialog, list, open, useDemo } from './app.ts'
import { languages } from './catalog.ts'

useDemo()

/** Serious and critical violations, as one line each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'] }))
  return found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target }) => target.join(' ')).join(' | ')}`)
}

describe.each(languages)('in %s', (language) => {
  const words = language === 'cn'
    ? { submit: '提交审核', classes: '客户分类', review: '审核', settings: '界面设置', search: '搜索页面' }
    : { submit: 'Submit', classes: 'Classification', review: 'Review', settings: 'Display settings', search: 'Search pages' }
  const bypassPolicy = true

  test('the sign-in page', async () => {
    const page = await open('/login', { language, user: '', bypassPolicy })
    await page.getByRole('button', { name: language === 'cn' ? '登录' : 'Log in', exact: true }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await violations(page)).toEqual([])
  })

  test.each(['/home', '/customer', '/no/such/page'])('%s', async (address) => {
    expect(await violations(await open(address, { language, bypassPolicy }))).toEqual([])
  })

  test('a form with mistakes', async () => {
    const page = await open('/customer/addcustomer?type=add', { language, bypassPolicy })
    await page.getByRole('button', { name: words.submit, exact: true }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('the details of a record', async () => {
    const { list: [customer] } = await list('/customer', { size: 1 })
    expect(await violations(await open(`/customer/detail?id=${customer.id}`, { language, bypassPolicy }))).toEqual([])
  })

  test.each(['classes', 'settings', 'search'] as const)('what opens over a list: %s', async (key) => {
    const page = await open('/customer', { language, bypassPolicy })
    await page.getByRole('button', { name: words[key], exact: true }).first().click()
    await dialog(page).waitFor()
    await page.waitForFunction(() => document.getAnimations().every((animation) => animation.playState !== 'running'))
    expect(await violations(page)).toEqual([])
  })
})
