import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { call, detail, list, open, ready, useDemo } from './app.ts'
import { fill } from './controls.ts'
import { addCustomer, newName } from './customer.ts'
import { isOpen, tab, tabBar, visit } from './frame.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

const editOf = (id: number) => `/customer/addcustomer?type=edit&id=${id}`
const keyOfEdit = (id: number) => `/customer/addcustomer?id=${id}&type=edit`
const detailOf = (id: number) => `/customer/detail?id=${id}`
const speak = (page: Page, language: '中文' | 'English') =>
  page.getByRole('banner').getByRole('button', { name: language, exact: true }).click()

describe('tabs with the same title', () => {
  /** The accessible name of each tab, its description, and the record name that it shows. */
  const tabs = (page: Page) =>
    tabBar(page)
      .getByRole('tab')
      .evaluateAll((elements) =>
        elements.map((element) => ({
          name: [...element.querySelectorAll(':not([aria-hidden])')].map(({ textContent }) => textContent).join(''),
          described: element.getAttribute('title') ?? '',
          seen: [...element.querySelectorAll('[data-name]')]
            .map((part) => getComputedStyle(part, '::before').content.slice(1, -1))
            .join(''),
        })),
      )
  const titled = (name: string, record: string, described = record) => ({ name, described, seen: record })
  const home = { name: '首页', described: '', seen: '' }

  test.runIf(isLong)(
    'are told apart by the names of their records, which are not part of their accessible names',
    async () => {
      const names = [newName('甲方'), newName('乙方')]
      const ids = [await addCustomer({ name: names[0] }), await addCustomer({ name: names[1] })]
      const page = await open(editOf(ids[0]), { stays: true })
      await visit(page, editOf(ids[1]), keyOfEdit(ids[1]))
      await visit(page, detailOf(ids[1]))
      const three = [titled('编辑企业客户', names[0]), titled('编辑企业客户', names[1]), titled('客户详情', names[1])]
      await expect.poll(() => tabs(page)).toEqual([home, ...three])
      expect(await tab(page, '编辑企业客户').count()).toBe(2)
      expect(await page.getByRole('tabpanel', { name: '客户详情', exact: true }).count()).toBe(1)

      await visit(page, editOf(ids[0]), keyOfEdit(ids[0]))
      await fill(page.getByRole('tabpanel').getByRole('form'), '备注', '还没有保存')
      await expect
        .poll(async () => (await tabs(page))[1])
        .toEqual(titled('编辑企业客户', names[0], `${names[0]} · 未保存`))
      expect(await tab(page, '编辑企业客户').count()).toBe(2)
      await page.reload()
      await isOpen(page, keyOfEdit(ids[0]))
      await expect.poll(() => tabs(page)).toEqual([home, ...three])
    },
  )

  test.runIf(isLong)('are renamed along with their record, even while their screen is not rendered', async () => {
    const [name, other] = [newName('丙方'), newName('丁方')]
    const id = await addCustomer({ name })
    const page = await open(detailOf(id), { stays: true })
    await visit(page, editOf(id), keyOfEdit(id))
    const form = page.getByRole('tabpanel').getByRole('form')
    await fill(form, '客户名称', other)
    await form.getByRole('button', { name: '保存', exact: true }).click()
    await isOpen(page, '/customer')
    expect(await detail('/customer', id)).toMatchObject({ name: other })
    await expect
      .poll(() => tabs(page))
      .toEqual([home, titled('客户详情', other), { name: '企业客户', described: '', seen: '' }])
  })
})

test.runIf(isLong)('closed rows of a tree stay closed, and open rows open, after a visit to another tab', async () => {
  const { list: departments } = await list('/setting/department')
  const nameOf = ({ name }: RecordData) => String(name)
  const parentOf = ({ parent }: RecordData) => (parent as { id: number } | null)?.id
  const above = departments.filter(({ id }) => departments.some((each) => parentOf(each) === id))
  const closed = above.find((each) => parentOf(each) !== undefined) ?? above[0]
  const below = departments.find((each) => parentOf(each) === closed.id)!
  const page = await open('/setting/user?part=departments', { stays: true })
  const table = page.getByRole('table', { name: '部门', exact: true })
  const shown = (record: RecordData) =>
    table.getByRole('cell', { name: nameOf(record) }).filter({ hasText: new RegExp(`^${nameOf(record)}$`) })
  await shown(below).waitFor()
  await table.getByRole('button', { name: `收起${nameOf(closed)}`, exact: true }).click()
  await shown(below).waitFor({ state: 'detached' })
  const rows = await table.getByRole('row').count()
  await visit(page, '/setting/notice')
  await tab(page, '用户设置').click()
  await isOpen(page, '/setting/user')
  expect(
    await table.getByRole('button', { name: `展开${nameOf(closed)}`, exact: true }).getAttribute('aria-expanded'),
  ).toBe('false')
  expect([await shown(below).count(), await table.getByRole('row').count()]).toEqual([0, rows])
  await table.getByRole('button', { name: `展开${nameOf(closed)}`, exact: true }).click()
  await shown(below).waitFor()
})

describe('switching the language', () => {
  test.runIf(isLong)('switches dates and numbers and keeps typed text, in a form and above a list', async () => {
    const page = await open('/customer', { stays: true })
    await page.getByRole('search').getByRole('textbox', { name: '名称/编号/账号', exact: true }).fill('尚未查询')
    await page.getByText(/^共\d+条$/).waitFor()
    await visit(page, '/customer/addcustomer?type=add')
    const form = page.getByRole('tabpanel').getByRole('form')
    await fill(form, '成立日期', '2024-03-05')
    await fill(form, '信用额度', '1234567.5')
    await form.getByRole('textbox', { name: '备注', exact: true }).fill('输到一半')
    /** The month in the header of the calendar, and its weekdays. */
    const calendar = async (label: string) => {
      await form.getByRole('textbox', { name: label, exact: true }).click()
      const panel = page.locator('.ant-picker-dropdown').filter({ visible: true })
      await panel.waitFor()
      const read = [
        await panel.locator('.ant-picker-header-view').innerText(),
        await panel.locator('thead').innerText(),
      ].map((text) => text.replaceAll(/\s+/g, ''))
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'hidden' })
      return read
    }
    expect(await calendar('成立日期')).toEqual(['2024年3月', '一二三四五六日'])

    await speak(page, 'English')
    const typed = (label: string) => form.getByRole('textbox', { name: label, exact: true }).inputValue()
    expect(await calendar('Date established')).toEqual(['Mar2024', 'SuMoTuWeThFrSa'])
    expect(await Promise.all(['Date established', 'Credit limit', 'Remark'].map(typed))).toEqual([
      '2024-03-05',
      '1,234,567.50',
      '输到一半',
    ])
    await page
      .getByRole('tablist', { name: 'Visited pages' })
      .getByRole('tab', { name: 'Corporate customers', exact: true })
      .click()
    await isOpen(page, '/customer')
    await page.getByText(/^\d+ records$/).waitFor()
    const search = page.getByRole('search').getByRole('textbox').first()
    expect(await search.inputValue()).toBe('尚未查询')

    await speak(page, '中文')
    await page.getByText(/^共\d+条$/).waitFor()
    expect(await search.inputValue()).toBe('尚未查询')
    await tab(page, '新增企业客户').click()
    await isOpen(page, '/customer/addcustomer?type=add')
    expect(await calendar('成立日期')).toEqual(['2024年3月', '一二三四五六日'])
    expect(await typed('备注')).toBe('输到一半')
  })

  // The tests of the form do the same.
  test.runIf(isLong)('translates the reason for a refusal and keeps the unsaved input', async () => {
    const id = await addCustomer({ name: newName('戊方') })
    const page = await open(editOf(id), { stays: true })
    const form = page.getByRole('tabpanel').getByRole('form')
    await fill(form, '备注', '白写了')
    await call('POST', '/customer/delete', { id, revision: (await detail('/customer', id)).revision })
    await form.getByRole('button', { name: '保存', exact: true }).click()
    const formAlert = form.getByRole('alert')
    await formAlert.getByText('数据不存在或已删除', { exact: true }).waitFor()
    await speak(page, 'English')
    await formAlert.getByText('The record does not exist or was deleted', { exact: true }).waitFor()
    expect(await form.getByRole('textbox', { name: 'Remark', exact: true }).inputValue()).toBe('白写了')
    await speak(page, '中文')
    await formAlert.getByText('数据不存在或已删除', { exact: true }).waitFor()
  })
})

test.runIf(isLong)('home refreshes its counts by itself and leaves text typed in another tab alone', async () => {
  const page = await open('/customer')
  await page.clock.install()
  await page.reload()
  await ready(page)
  const search = page.getByRole('search').getByRole('textbox', { name: '名称/编号/账号', exact: true })
  await search.fill('输到一半')
  await visit(page, '/home')
  const waiting = async () => Number(/\d+/.exec(await page.getByRole('link', { name: /^待审核客户/ }).innerText())?.[0])
  const before = await waiting()
  const lists: string[] = []
  page.on('request', (request) => {
    if (/\/customer\/list\?.*\bsize=20\b/.test(request.url())) lists.push(request.url())
  })
  await addCustomer({ name: newName('己方') })
  await page.clock.fastForward('04:00')
  expect(await waiting()).toBe(before)
  await page.clock.fastForward('01:30')
  await expect.poll(waiting).toBe(before + 1)
  expect(lists).toEqual([])
  await tab(page, '企业客户').click()
  await isOpen(page, '/customer')
  expect(await search.inputValue()).toBe('输到一半')
})
