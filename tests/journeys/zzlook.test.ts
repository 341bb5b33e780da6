import { appendFileSync, mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { dialog, list, open, ready, useDemo, detail } from './app.ts'
import { fill } from './controls.ts'
import { act, button, row } from './parts.ts'

useDemo()
const into = '/tmp/s/pics-desk/look'
mkdirSync(into, { recursive: true })
const note = (text: string) => appendFileSync(`${into}/notes.txt`, `${text}\n`)
const shot = async (page: Page, name: string) => {
  await page.waitForTimeout(400)
  await page.screenshot({ path: `${into}/${name}.png`, animations: 'disabled' })
  const said = await page.locator('.ant-message, .ant-notification').allInnerTexts()
  note(`${name}: ${page.url().replace(/.*#/, '')} ${said.filter(Boolean).join(' | ')}`)
}
const sizes = [
  { size: 'w', width: 1440, height: 900 },
  { size: 'n', width: 390, height: 844 },
]
const main = (page: Page) => page.getByRole('main')

test.each(sizes)('01 assign $size', async ({ size, ...window }) => {
  const page = await open('/customer', window)
  const boxes = main(page).getByRole('checkbox')
  await boxes.nth(1).check(); await boxes.nth(2).check(); await boxes.nth(3).check()
  const b = main(page).getByRole('button', { name: /^分配/ })
  await b.first().click()
  await dialog(page).waitFor()
  await shot(page, `01-assign-${size}`)
  await dialog(page).getByRole('combobox', { name: '业务员', exact: true }).click()
  await page.waitForTimeout(600)
  await shot(page, `20-salesmen-${size}`)
})
test.each(sizes)('04 policy $size', async ({ size, ...window }) => {
  const { list: policies } = await list('/welfare/policy', { filters: { status: { equals: 'draft' }, kind: { equals: 'social' } } })
  const page = await open(`/welfare/policy/addsocial_security?status=edit&id=${policies[0].id}`, window)
  await main(page).getByRole('button', { name: '保存并生效', exact: true }).click()
  await dialog(page).waitFor()
  await page.waitForTimeout(1500)
  await shot(page, `04-policy-${size}`)
})
test.each(sizes)('05 generate expenses $size', async ({ size, ...window }) => {
  const page = await open('/welfare/socialsecurityexpenses/summary', window)
  await button(main(page), '生成费用').click()
  await dialog(page).waitFor()
  await shot(page, `05-generate-${size}`)
  await button(dialog(page), '确定').click()
  await page.waitForTimeout(2500)
  await shot(page, `05-generated-${size}`)
})
test.each(sizes)('06 refused $size', async ({ size, ...window }) => {
  const page = await open('/salary/payroll', { ...window, user: 'payrollClerk' })
  await shot(page, `06-payroll-clerk-${size}`)
  const found = main(page).getByRole('button', { name: /审核通过/ })
  await found.first().hover({ timeout: 3000 }).catch(() => note('no hover'))
  await page.waitForTimeout(600)
  await shot(page, `06-hover-${size}`)
  await found.nth(1).click({ timeout: 3000, force: true }).catch(() => note('no click'))
  await page.waitForTimeout(400)
  await shot(page, `06-clicked-${size}`)
})
test.each(sizes)('09 filters $size', async ({ size, ...window }) => {
  const page = await open('/settlement/statement'.replace('/settlement/statement', '/settlement/accountstatement'), window)
  if (size === 'n') { await button(main(page), '筛选（1）').click(); await page.waitForTimeout(500) }
  await shot(page, `09-filters-${size}`)
})
test.each(sizes)('10 generate statements $size', async ({ size, ...window }) => {
  const page = await open('/settlement/accountstatement', window)
  await button(main(page), '生成账单').click()
  await dialog(page).waitFor()
  await shot(page, `10-generate-${size}`)
  await button(dialog(page), '确定').click()
  await page.waitForTimeout(2500)
  await shot(page, `10-foresee-${size}`)
})
test.each(sizes)('11 dialogs $size', async ({ size, ...window }) => {
  const page = await open('/settlement/invoicing', window)
  const { list: applied } = await list('/settlement/invoice', { filters: { status: { equals: 'applied' } } })
  if (size === 'w') await act(page, row(page, String(applied[0].applyNo)).first(), '开票')
  else {
    const card = main(page).getByRole('listitem').first()
    await button(card, '更多').click(); await page.getByRole('menuitem', { name: '开票', exact: true }).click()
  }
  await dialog(page).waitFor()
  await page.waitForTimeout(800)
  await shot(page, `11-issue-${size}`)
  const pay = await open('/salary/payroll?f.status=' + encodeURIComponent(JSON.stringify({ in: ['submitted'] })), { ...window, user: 'financeManager' })
  await main(pay).getByRole('button', { name: /审核通过/ }).first().click()
  await dialog(pay).waitFor()
  await pay.waitForTimeout(600)
  await shot(pay, `11-approve-${size}`)
})
test.each(sizes)('12 customer and person $size', async ({ size, ...window }) => {
  const { list: customers } = await list('/customer', { filters: { approvalStatus: { equals: 'approved' } } })
  const page = await open(`/customer/detail?id=${customers.at(-1)!.id}`, window)
  await shot(page, `12-customer-${size}`)
  for (const tab of ['人员', '对账单', '账户往来', '办理中']) {
    await main(page).getByRole('tab', { name: tab, exact: true }).click()
    await page.waitForTimeout(900)
    await shot(page, `12-customer-${tab}-${size}`)
  }
  const { list: persons } = await list('/staff/person', { filters: { employmentStatus: { equals: 'active' } } })
  const person = await open(`/staff/persondetail?id=${persons.at(-1)!.id}`, window)
  for (const tab of ['参保情况', '社保', '工资记录']) {
    await main(person).getByRole('tab', { name: tab, exact: true }).click()
    await person.waitForTimeout(900)
    await shot(person, `12-person-${tab}-${size}`)
  }
})
test.each(['cashier', 'payrollClerk', 'support', 'welfareClerk'])('14 home of %s', async (user) => {
  for (const { size, ...window } of sizes) {
    const page = await open('/home', { ...window, user })
    await page.screenshot({ path: `${into}/14-home-${user}-${size}.png`, fullPage: true, animations: 'disabled' })
  }
})
test.each(sizes)('18 review $size', async ({ size, ...window }) => {
  const page = await open('/customer?tab=pending', { ...window, user: 'customerManager' })
  await main(page).getByRole('button', { name: '审核', exact: true }).or(main(page).getByRole('button', { name: /^审核/ })).first().click()
  await dialog(page).waitFor()
  await page.waitForTimeout(800)
  await shot(page, `18-review-${size}`)
  await page.keyboard.press('Escape')
  await page.waitForTimeout(500)
  await page.keyboard.press('?')
  await page.waitForTimeout(700)
  await shot(page, `17-keys-${size}`)
})
test.each(sizes)('21 parameter $size', async ({ size, ...window }) => {
  const page = await open('/staff/persondetail', window)
  await shot(page, `21-parameter-${size}`)
})
test.each(sizes)('15 contract $size', async ({ size, ...window }) => {
  const { list: contracts } = await list('/contract/contract', { filters: { category: { equals: 'labor' }, status: { equals: 'active' } } })
  const page = await open(`/contract`, window)
  await shot(page, `15-contracts-${size}`)
  void contracts
  void ready
  void detail
  void fill
  void ({} as RecordData)
})
