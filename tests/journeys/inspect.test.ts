import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { api, call, open, route, useDemo } from './app.ts'
import { isLong } from '../long.ts'
import { fill } from './controls.ts'
import { menu } from './frame.ts'
import { violations } from './violations.ts'

useDemo({ isShared: true })

/** `schemas/….json:12:5` of the first occurrence of the text in the file. */
function placeOf(file: string, fragment: string): string {
  const text = readFileSync(`schemas/${file}`, 'utf8')
  const at = text.indexOf(fragment)
  expect(at, `${fragment} in ${file}`).toBeGreaterThan(-1)
  const before = text.slice(0, at).split('\n')
  return `schemas/${file}:${before.length}:${before.at(-1)!.length + 1}`
}
const lineOf = (file: string, fragment: string) => placeOf(file, fragment).split('/').at(-1)!.replace(/:\d+$/, '')

const inspector = (page: Page): Locator => page.getByRole('complementary', { name: '配置来源', exact: true })
const begin = async (page: Page) => {
  await page.keyboard.press('Alt+Shift+KeyX')
  await inspector(page).waitFor()
}
/** What the inspector shows after a click on the part. */
async function inspected(page: Page, part: Locator, heading: string): Promise<string> {
  await part.click()
  await inspector(page).getByRole('heading', { level: 2 }).filter({ hasText: heading }).waitFor()
  await inspector(page).getByRole('heading', { level: 3 }).first().waitFor()
  return inspector(page).innerText()
}

describe('a user who may inspect', () => {
  test('sees where a field is declared, its rules, and why it is required or hidden right now', async () => {
    const page = await open('/customer/addcustomer?type=add', { stays: true })
    const form = page.getByRole('tabpanel').getByRole('form')
    const uscc = form.getByRole('textbox', { name: '统一社会信用代码', exact: true })
    const line = lineOf('customer/customer.entity.json', '"uscc": {')
    await fill(form, '客户类型', '企业')
    await fill(form, '开票类型', '不开票')
    await begin(page)
    const field = await inspected(page, uscc, '统一社会信用代码')
    expect(field).toContain(placeOf('customer/customer.entity.json', '"uscc": {'))
    expect(field).toContain(placeOf('customer/customer.form.json', '"uscc", "licenseImage"'))
    expect(field).toContain(`${line} 的 requiredWhen 成立，因为 type 为 enterprise`)
    expect(await violations(page)).toEqual([])

    await form.getByRole('heading', { level: 1 }).click()
    const hidden = inspector(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: '税号', exact: true }) })
    await hidden.getByText("billingType != 'none' 不成立，因为 billingType 为 none").waitFor()
    await hidden.getByRole('button', { name: '税号', exact: true }).click()
    await inspector(page)
      .getByText(
        `${lineOf('customer/customer.entity.json', '"taxNumber": {')} 的 visibleWhen 不成立，因为 billingType 为 none`,
      )
      .waitFor()

    await page.keyboard.press('Escape')
    await inspector(page).waitFor({ state: 'hidden' })
    await fill(form, '客户类型', '境外机构代表处')
    await begin(page)
    expect(await inspected(page, uscc, '统一社会信用代码')).toContain(
      `${line} 的 requiredWhen 不成立，因为 type 为 overseas`,
    )
  })

  test.runIf(isLong)('sees which rule gives a message, and where it is declared', async () => {
    const page = await open('/customer/addcustomer?type=add', { stays: true })
    const form = page.getByRole('tabpanel').getByRole('form')
    await fill(form, '客户类型', '企业')
    await fill(form, '统一社会信用代码', '52100000500000001R')
    const message = form.getByRole('status').filter({ hasText: '与客户类型不符' })
    await message.waitFor()
    await begin(page)
    expect(await inspected(page, message, '统一社会信用代码')).toContain(
      placeOf('customer/customer.form.json', '"cn": "统一社会信用代码的前两位'),
    )
    await page.keyboard.press('Escape')
    await inspector(page).waitFor({ state: 'hidden' })
  })

  test.runIf(isLong)(
    'sees the source of columns, filters, actions and menu entries, and no click takes effect',
    async () => {
      // Other tests have added customers that wait for approval.
      const page = await open('/customer?tab=approved', { stays: true })
      const panel = page.getByRole('tabpanel')
      const before = route(page)
      await begin(page)
      expect(
        await inspected(page, panel.getByRole('columnheader', { name: '客户名称', exact: true }), '列: 客户名称'),
      ).toContain(placeOf('customer/customer.list.json', '"field": "name"').replace(/:\d+$/, ''))
      expect(
        await inspected(page, panel.getByText('统一社会信用代码', { exact: true }).first(), '筛选项: 统一社会信用代码'),
      ).toContain(placeOf('customer/customer.list.json', '"uscc", "type"'))
      const action = await inspected(page, panel.getByRole('link', { name: '新增', exact: true }), '操作: 新增')
      expect(action).toContain(placeOf('customer/customer.list.json', '"create", "import"'))
      expect(action).toContain('customer:customer:add')
      expect(await inspected(page, menu(page).getByRole('link', { name: /^企业客户/ }), '菜单项: 企业客户')).toContain(
        placeOf('customer/customer.list.json', '"menu"'),
      )

      const approved = panel.getByRole('row').filter({ hasText: '已通过' }).first()
      const text = await inspected(page, approved.getByRole('cell').nth(1), '列: 客户编号')
      expect(text).toContain('此处未显示')
      expect(text).toContain('审核')
      expect(text).toContain('approvalStatus 为 approved')
      expect(route(page)).toBe(before)
      await inspector(page).getByRole('button', { name: '结束（Esc）', exact: true }).click()
      await panel.getByRole('link', { name: '新增', exact: true }).click()
      await expect.poll(() => route(page)).toContain('/customer/addcustomer')
    },
  )

  test.runIf(isLong)('can also start inspecting from the user menu, in English', async () => {
    const page = await open('/customer', { language: 'en', stays: true })
    await page.getByRole('button', { name: /^User menu/ }).click()
    await page.getByRole('menuitem', { name: /^Inspect the schema/ }).click()
    const english = page.getByRole('complementary', { name: 'Where it comes from', exact: true })
    // Until the inspector is visible, a click goes to the list.
    await english.waitFor()
    await page.getByRole('tabpanel').getByRole('columnheader', { name: 'Customer type', exact: true }).click()
    await english.getByRole('heading', { name: 'Column: Customer type type', exact: true }).waitFor()
    await english.getByText('customer:customer:view', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await english.waitFor({ state: 'hidden' })
  })
})

test.runIf(isLong)(
  'a user who may not inspect is offered and answered nothing, and no plan contains source positions',
  async () => {
    const page = await open('/customer', { user: 'customerManager', stays: true })
    await page.keyboard.press('Alt+Shift+KeyX')
    await page.getByRole('button', { name: /^用户菜单/ }).click()
    await page.getByRole('menuitem', { name: '退出登录', exact: true }).waitFor()
    expect(await page.getByRole('menuitem', { name: /^查看配置来源/ }).count()).toBe(0)
    expect(await inspector(page).count()).toBe(0)
    expect(
      await api(
        'GET',
        '/plans/inspect',
        { screen: 'customer.list', part: 'column', name: 'code' },
        { user: 'customerManager' },
      ),
    ).toMatchObject({ status: 403, result: null })
    expect(
      JSON.stringify(await call('GET', '/plans/screen', { name: 'customer.list' }, { user: 'customerManager' })),
    ).not.toMatch(/"line":|"column":\d/)
  },
)
