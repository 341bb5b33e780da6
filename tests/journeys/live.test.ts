import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { call, open } from './app.ts'
import { fill } from './controls.ts'
import { developOnCopiedSchemas, serveCopiedSchemas } from './copiedSchemas.ts'
import { isOpen, tab, visit } from './frame.ts'
import { isLong } from '../long.ts'

const listFile = 'customer/customer.list.json'
const entityFile = 'customer/customer.entity.json'
const label = (cn: string, en: string) => `{ "cn": "${cn}", "en": "${en}" }`

/** Access to schema files that a test may change. */
function filesIn(schemas: string) {
  const fileOf = (file: string) => path.join(schemas, file)
  const edit = (file: string, from: string, to: string) => {
    const text = readFileSync(fileOf(file), 'utf8')
    expect(text.split(from).length, `${from} in ${file}`).toBe(2)
    writeFileSync(fileOf(file), text.replace(from, to))
  }
  return { edit, fileOf }
}

const columns = (page: Page): Locator => page.getByRole('tabpanel').getByRole('columnheader')
const issues = (page: Page): Locator =>
  page.getByRole('alert').filter({ has: page.getByRole('heading', { name: '配置文件有1处错误', exact: true }) })
const scrolled = (page: Page) => page.locator('.shell-body').evaluate(({ scrollTop }) => scrollTop)

// A page in production takes new files in the same way, so the short run does not start the sources.
describe.skipIf(!isLong)('during development', () => {
  /** Pages stay open between tests, since each new page reads every module of the client. */
  const low = { height: 500, stays: true }
  const { home, schemas } = developOnCopiedSchemas((around) => {
    // The script has the name of an editor, so it is called like one.
    const editor = path.join(around, 'code')
    writeFileSync(editor, `#!/bin/sh\necho "$@" >> ${path.join(around, 'opened.txt')}\n`)
    chmodSync(editor, 0o755)
    return { LAUNCH_EDITOR: editor }
  })
  const { edit, fileOf } = filesIn(schemas)
  const opened = () => {
    const file = path.join(home, 'opened.txt')
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  }

  test('a saved list file changes the open list, which keeps typed text and scroll position', async () => {
    const page = await open('/customer?page=2&size=10', low)
    const search = page.getByRole('search').getByRole('textbox', { name: '名称/编号/账号', exact: true })
    await search.fill('输到一半')
    await page.locator('.shell-body').evaluate((element) => {
      element.scrollTop = 120
    })
    const before = await scrolled(page)
    expect(before).toBeGreaterThan(0)
    edit(
      listFile,
      '{ "field": "corporateName", "width": 260 }',
      `{ "field": "corporateName", "width": 260, "label": ${label('工商登记名', 'Registered name')} }`,
    )
    await columns(page).filter({ hasText: '工商登记名' }).waitFor()
    edit(
      listFile,
      '    "uscc", "type", "classification", "account",',
      '    "remark", "uscc", "type", "classification", "account",',
    )
    await columns(page).filter({ hasText: '备注' }).waitFor()
    expect(await columns(page).filter({ hasText: '企业名称' }).count()).toBe(0)
    expect(await search.inputValue()).toBe('输到一半')
    expect(page.url()).toContain('page=2')
    expect(await scrolled(page)).toBe(before)
    edit(
      listFile,
      '"order": 10, "icon": "team"',
      '"order": 10, "label": { "cn": "客户台账", "en": "Customer book" }, "icon": "team"',
    )
    await page
      .getByRole('navigation', { name: '主菜单', exact: true })
      .getByRole('link', { name: /^客户台账/ })
      .waitFor()
  })

  test('a saved entity file adds a field to the open form, which keeps typed text, focus and scroll', async () => {
    const page = await open('/customer/addcustomer?type=add', low)
    const form = page.getByRole('tabpanel').getByRole('form')
    await fill(form, '客户名称', '打到一半的公司')
    const remark = form.getByRole('textbox', { name: '备注', exact: true })
    await remark.scrollIntoViewIfNeeded()
    await remark.click()
    await page.keyboard.type('前半')
    const before = await scrolled(page)
    expect(before).toBeGreaterThan(0)
    edit(
      entityFile,
      `"maxLength": 500, "label": ${label('备注', 'Remark')} }`,
      `"maxLength": 500, "label": ${label('附注', 'Note')} },\n    "nickname": { "type": "text", "label": ${label('别称', 'Nickname')} }`,
    )
    await form.getByRole('textbox', { name: '附注', exact: true }).waitFor()
    await page.keyboard.type('后半')
    expect(await form.getByRole('textbox', { name: '附注', exact: true }).inputValue()).toBe('前半后半')
    expect(await scrolled(page)).toBe(before)
    edit('customer/customer.form.json', '"remark"', '"remark", "nickname"')
    await form.getByRole('textbox', { name: '别称', exact: true }).waitFor()
    expect(await form.getByRole('textbox', { name: '客户名称', exact: true }).inputValue()).toBe('打到一半的公司')
    expect(await scrolled(page)).toBe(before)
    expect(
      (await call<{ list: object[] }>('GET', '/customer/list', { fields: ['nickname'], size: 1 })).list[0],
    ).toHaveProperty('nickname')
  })

  test('a saved app.json changes the title, the name of an area and the colour of the open page', async () => {
    const page = await open('/customer', low)
    edit('app.json', '"cn": "人力资源服务后台"', '"cn": "人力后台"')
    await page.waitForFunction(() => document.title.endsWith('人力后台'))
    edit('app.json', '"label": { "cn": "银行", "en": "Bank" }', '"label": { "cn": "银行管理", "en": "Banking" }')
    await page.getByRole('navigation', { name: '主菜单', exact: true }).getByText('银行管理', { exact: true }).waitFor()
    edit('app.json', '#1890ff', '#c81e1e')
    await page.waitForFunction(() => document.documentElement.style.getPropertyValue('--theme') === '#c81e1e')
  })

  test('a broken file is reported with a link to the editor, over the last good screen', async () => {
    const page = await open('/customer', low)
    const good = readFileSync(fileOf(listFile), 'utf8')
    edit(listFile, '"uscc", "type", "classification", "account",', '"uscc", "typo", "classification", "account",')
    await issues(page).waitFor()
    expect(await issues(page).innerText()).toContain('customer has no field "typo". Did you mean "type"?')
    const line = good.slice(0, good.indexOf('"uscc", "type", "classification", "account",')).split('\n').length
    const column = good.split('\n')[line - 1].indexOf('"type"') + 1
    const place = `schemas/${listFile}:${line}:${column}`
    await issues(page)
      .getByRole('button', { name: `打开${place}`, exact: true })
      .click()
    await expect.poll(opened).toContain(`${fileOf(listFile)}:${line}:${column}`)

    await visit(page, '/customer?type=add', '/customer')
    await page
      .getByRole('tabpanel')
      .getByRole('tab', { name: /^已通过/ })
      .click()
    await expect
      .poll(() =>
        page
          .getByRole('tabpanel')
          .getByRole('tab', { name: /^已通过/ })
          .getAttribute('aria-selected'),
      )
      .toBe('true')
    await issues(page).getByRole('button', { name: '收起错误', exact: true }).click()
    expect(await issues(page).count()).toBe(0)
    writeFileSync(fileOf(listFile), good.replace('"uscc", "type", "classification"', '"usc", "type", "classification"'))
    await issues(page).getByText('Did you mean "uscc"?').waitFor()
    writeFileSync(fileOf(listFile), good)
    await issues(page).waitFor({ state: 'hidden' })
  })
})

describe('in production', () => {
  const { edit, fileOf } = filesIn(serveCopiedSchemas().schemas)
  const reload = async (page: Page) => {
    await page.getByRole('button', { name: /^用户菜单/ }).click()
    await page.getByRole('menuitem', { name: '重新读取配置', exact: true }).click()
  }

  test.runIf(isLong)(
    'reading the files again changes the open screen at once and others with their next answer',
    async () => {
      const page = await open('/customer', { stays: true })
      const other = await open('/customer', { user: 'customerManager', stays: true })
      const search = page.getByRole('search').getByRole('textbox', { name: '名称/编号/账号', exact: true })
      await search.fill('输到一半')
      edit(
        listFile,
        '{ "field": "corporateName", "width": 260 }',
        `{ "field": "corporateName", "width": 260, "label": ${label('工商登记名', 'Registered name')} }`,
      )
      await reload(page)
      await columns(page).filter({ hasText: '工商登记名' }).waitFor()
      expect(await search.inputValue()).toBe('输到一半')
      await other.getByRole('tabpanel').getByRole('button', { name: '查询', exact: true }).click()
      await columns(other).filter({ hasText: '工商登记名' }).waitFor()
    },
  )

  test('a family that is taken out leaves the menu and its page, and comes back with its records', async () => {
    const route = '/welfare/accumulationfund/additionalstaff'
    const page = await open('/customer', { stays: true })
    await visit(page, route)
    const rows = page.getByRole('tabpanel').getByRole('row')
    const before = await rows.count()
    expect(before).toBeGreaterThan(1)
    const file = fileOf('welfare/accumulationfund.family.json')
    const text = readFileSync(file, 'utf8')
    const entries = page.locator(`nav a[href$="${route}"]`)
    expect(await entries.count()).toBe(1)
    rmSync(file)
    await reload(page)
    await page.getByRole('main').getByRole('heading', { name: '页面不存在', exact: true }).waitFor()
    await entries.waitFor({ state: 'detached' })
    writeFileSync(file, text)
    await reload(page)
    await entries.waitFor()
    await expect.poll(() => rows.count()).toBe(before)
  })

  test.runIf(isLong)(
    'broken files change nothing and are reported over the page without a link to an editor',
    async () => {
      const page = await open('/customer', { stays: true })
      const good = readFileSync(fileOf(listFile), 'utf8')
      edit(listFile, '"sort": "-submissionTime"', '"sort": "-submissionTimes"')
      await reload(page)
      await issues(page).waitFor()
      expect(await issues(page).getByRole('button').allInnerTexts()).toEqual([''])
      expect(await issues(page).innerText()).toContain(`schemas/${listFile}:`)
      await visit(page, '/setting/notice')
      await tab(page, '企业客户').click()
      await isOpen(page, '/customer')
      writeFileSync(fileOf(listFile), good)
      await reload(page)
      await issues(page).waitFor({ state: 'hidden' })
    },
  )

  test.runIf(isLong)('a user without permission is not offered to read the files again', async () => {
    const page = await open('/customer', { user: 'customerManager', stays: true })
    await page.getByRole('button', { name: /^用户菜单/ }).click()
    await page.getByRole('menuitem', { name: '退出登录', exact: true }).waitFor()
    expect(await page.getByRole('menuitem', { name: '重新读取配置', exact: true }).count()).toBe(0)
  })
})
