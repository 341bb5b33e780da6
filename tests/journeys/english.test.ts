import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { detail, dialog, list, open, ready, useDemo } from './app.ts'
import { catalog } from './catalog.ts'
import { fill } from './controls.ts'
import { addCustomer, fileOnDisk, newCode, newMobile } from './customer.ts'
import { visit } from './frame.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

/**
 * The Chinese texts that a page shows, including labels and hints for assistive technology. Values of records stay as
 * they were written, and the language switch names each language in itself.
 */
async function chinese(page: Page, data: string): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const found: string[] = [document.title]
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) found.push(walker.currentNode.textContent ?? '')
    for (const element of document.querySelectorAll('[title], [aria-label], [placeholder], [alt]')) {
      for (const name of ['title', 'aria-label', 'placeholder', 'alt']) found.push(element.getAttribute(name) ?? '')
    }
    return found
  })
  const runs = texts.flatMap((text) => text.match(/[\u4e00-\u9fff]+/g) ?? [])
  return [...new Set(runs)].filter((run) => run !== '中文' && !data.includes(run))
}

/** The demo records of these entities and all presets, as one text. */
async function dataOf(...entities: string[]): Promise<string> {
  const records = await Promise.all(entities.map((name) => list(catalog.entities[name].endpoint)))
  return JSON.stringify(records) + JSON.stringify(catalog.presets.map(({ rows }) => rows))
}

const name = 'English test'
const english = {
  corporateName: 'English test limited',
  address: '1 Test road, Suzhou',
  consigneeName: 'Zhou',
  consigneeAddress: '1 Test road, floor 2',
}

/** Fills in the open form, saves it, and opens the new customer from the list. */
async function addInEnglish(page: Page, form: Locator, code: string): Promise<void> {
  await form.getByRole('button', { name: 'Remove Row 1', exact: true }).click()
  const entries: [string, string | string[]][] = [
    ['Customer name', name],
    ['Corporate name', english.corporateName],
    ['Unified social credit code', code],
    ['Business license image', fileOnDisk('营业执照.png')],
    ['Region', '江苏省 / 苏州市 / 吴中区'],
    ['Registered address', english.address],
    ['Billing type', 'No invoice'],
    ['Consignee name', english.consigneeName],
    ['Consignee mobile', newMobile()],
    ['Consignee address', english.consigneeAddress],
    ['Salesman', String((await list('/setting/user', { search: 'sale01' })).list[0].realName)],
    ['Agency', '示范人力资源（苏州）有限公司'],
    ['Service types', ['Labour dispatch', 'Recruitment']],
    ['Payment terms', 'Net 30 days'],
  ]
  for (const [label, entry] of entries) await fill(form, label, entry)
  await form.getByRole('button', { name: 'Submit for approval', exact: true }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByRole('link', { name, exact: true }).click()
}

test('a whole round in English shows no Chinese except in records', async () => {
  const data = await dataOf(
    'customer',
    'agency',
    'customerClassification',
    'customerApproval',
    'user',
    'department',
    'role',
    'notice',
    'banner',
  )
  const code = newCode()
  const page = await open('/home', { language: 'en' })
  expect(await chinese(page, data), 'home').toEqual([])
  await page
    .getByRole('navigation', { name: 'Main menu' })
    .getByRole('button', { name: /^Customers/ })
    .click()
  await page
    .getByRole('navigation', { name: 'Main menu' })
    .getByRole('link', { name: /^Corporate customers/ })
    .click()
  await ready(page)
  await page.getByText(/^\d+ records$/).waitFor()
  await page.getByRole('search').getByRole('button', { name: 'Expand', exact: true }).click()
  expect(await chinese(page, data), 'list').toEqual([])
  await page.getByRole('combobox', { name: 'Approval status', exact: true }).click()
  await page.getByTitle('Pending approval', { exact: true }).first().waitFor()
  expect(await chinese(page, data), 'options').toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Submission time', exact: true }).first().click()
  await page.getByText('This month', { exact: true }).first().waitFor()
  expect(await chinese(page, data), 'calendar').toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await dialog(page).getByText('Pin', { exact: true }).first().waitFor()
  expect(await chinese(page, data), 'columns').toEqual([])
  await dialog(page).getByRole('button', { name: 'Cancel', exact: true }).click()
  for (const name of isLong ? ['Classification', 'Agencies'] : []) {
    await page.getByRole('main').getByRole('button', { name, exact: true }).first().click()
    await dialog(page).getByRole('row').nth(1).waitFor()
    expect(await chinese(page, data), name).toEqual([])
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).click()
    await dialog(page).waitFor({ state: 'hidden' })
  }

  await page.getByRole('link', { name: 'Add', exact: true }).click()
  const form = page.getByRole('form', { name: 'Add enterprise customer', exact: true })
  await form.getByRole('button', { name: 'Submit for approval', exact: true }).click()
  await form.getByText('Please enter Customer name', { exact: true }).waitFor()
  await form.getByText('Please upload Business license image', { exact: true }).waitFor()
  await form.getByRole('button', { name: 'Add a row Contacts', exact: true }).click()
  expect(await chinese(page, data), 'form with mistakes').toEqual([])
  if (isLong) await addInEnglish(page, form, code)
  else await visit(page, `/customer/detail?id=${await addCustomer({ name, values: { uscc: code, ...english } })}`)
  await page.getByRole('heading', { name: 'Customer details', exact: true }).waitFor()
  await ready(page)
  for (const tab of ['Basic', 'Billing and consignee', 'Contacts', 'Approval records', 'Operation log']) {
    await page.getByRole('main').getByRole('tab', { name: tab, exact: true }).click()
    await page.getByRole('tabpanel', { name: tab, exact: true }).waitFor()
    expect(await chinese(page, data), tab).toEqual([])
  }
  if (!isLong) return
  await page.getByRole('main').getByRole('link', { name: 'Edit', exact: true }).click()
  const edit = page.getByRole('form', { name: 'Edit enterprise customer', exact: true })
  await fill(edit, 'Remark', 'Edited in English')
  await edit.getByRole('button', { name: 'Save', exact: true }).click()
  const [added] = (await list('/customer', { search: name })).list
  // The message may still be that of the first save, so the record is polled.
  await expect
    .poll(() => detail('/customer', added.id!))
    .toMatchObject({ remark: 'Edited in English', uscc: code, serviceTypes: ['dispatch', 'recruitment'] })
})

test.runIf(isLong)(
  'switching the language in the middle of a form keeps typed text and translates the messages',
  async () => {
    await addCustomer({ name: '语言测试' })
    const page = await open('/customer/addcustomer?type=add', { fresh: true })
    const form = page.getByRole('form')
    await fill(form, '客户名称', '语言测试')
    await fill(form, '统一社会信用代码', '123')
    await fill(form, '服务类型', '劳务派遣')
    await form.getByRole('button', { name: '提交审核', exact: true }).click()
    await form.getByText('请输入企业名称', { exact: true }).waitFor()
    await form.getByText(/^客户名称.*已存在$/).waitFor()
    await page.getByRole('banner').getByRole('button', { name: 'English', exact: true }).click()
    await form.getByText('Please enter Corporate name', { exact: true }).waitFor()
    await form.getByText('Invalid unified social credit code', { exact: true }).waitFor()
    await form.getByText(/^Customer name.*already exists$/).waitFor()
    expect(await form.getByText(/请输入|请选择|已存在/).count()).toBe(0)
    expect(await form.getByRole('textbox', { name: 'Customer name', exact: true }).inputValue()).toBe('语言测试')
    expect(await form.getByRole('textbox', { name: 'Unified social credit code', exact: true }).inputValue()).toBe(
      '123',
    )
    await form.getByTitle('Labour dispatch', { exact: true }).first().waitFor()
    await page.getByRole('banner').getByRole('button', { name: '中文', exact: true }).click()
    await form.getByText('请输入企业名称', { exact: true }).waitFor()
    expect(await form.getByRole('textbox', { name: '客户名称', exact: true }).inputValue()).toBe('语言测试')
    await page.reload()
    await ready(page)
    await page.getByRole('heading', { name: '新增企业客户', exact: true }).waitFor()
  },
)
