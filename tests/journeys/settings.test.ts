/** System parameters and payment keys as administrators set them, and their effect on the screens. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { api, call, dialog, open, useDemo } from './app.ts'
import { fill } from './controls.ts'
import { act, button, confirm, row, says } from './parts.ts'
import { isLong } from '../long.ts'

useDemo()

const tab = (page: Page, name: string) => page.getByRole('main').getByRole('tab', { name, exact: true })
const form = (page: Page, name: string): Locator => page.getByRole('form', { name, exact: true })
const box = (scope: Locator, name: string) => scope.getByRole('textbox', { name, exact: true })

test.runIf(isLong)(
  'a parameter is checked, saved and reset to its default, and its history shows who changed it',
  async () => {
    const page = await open('/setting/parameter', { stays: true })
    const parameters = form(page, '系统参数')
    await fill(parameters, '登录失败锁定次数', '30')
    await button(parameters, '保存').click()
    await says(parameters, '登录失败锁定次数必须在3至10之间')
    await fill(parameters, '登录失败锁定次数', '7')
    await fill(parameters, '附加税率', '10')
    await button(parameters, '保存').click()
    await says(page.getByRole('alert').or(page.locator('.ant-message')).first(), '保存成功')
    await expect
      .poll(async () => (await call<{ loginFailLimit: number }>('GET', '/setting/parameter/detail')).loginFailLimit)
      .toBe(7)
    expect(await box(parameters, '登录失败锁定次数').inputValue()).toBe('7')

    await button(parameters, '恢复默认').click()
    await confirm(page, '确定恢复默认值吗？保存后生效')
    await expect.poll(() => box(parameters, '登录失败锁定次数').inputValue()).toBe('5')
    await button(parameters, '保存').click()
    await expect
      .poll(async () => (await call<{ loginFailLimit: number }>('GET', '/setting/parameter/detail')).loginFailLimit)
      .toBe(5)
    await button(parameters, '变更记录').click()
    await says(dialog(page), '登录失败锁定次数：7 → 5')
    await says(dialog(page), '系统管理员')
  },
)

test.runIf(isLong)(
  'the fields of a payment channel show once it is enabled; its keys are stored but never shown',
  async () => {
    const page = await open('/setting/parameter', { stays: true })
    await tab(page, '支付参数').click()
    const payment = form(page, '支付参数')
    await payment.getByRole('switch', { name: '启用在线钱包支付' }).waitFor()
    expect(await payment.getByRole('region', { name: '在线钱包支付' }).count()).toBe(0)
    await fill(payment, '启用在线钱包支付', 'true')
    const wallet = payment.getByRole('region', { name: '在线钱包支付' })
    await button(payment, '保存').click()
    await says(wallet, '请输入私钥')
    const key = 'wallet-private-key-0042'
    for (const [label, value] of [
      ['应用ID', 'app-1'],
      ['商户号', 'M100'],
      ['公钥', 'public key'],
      ['私钥', key],
    ])
      await fill(wallet, label, value)
    // A secret is hidden while it is typed, so its box has no textbox role.
    await wallet.getByLabel('商户密钥', { exact: true }).fill('merchant-secret-0077')
    await button(payment, '保存').click()
    await confirm(page, '修改支付参数将立即生效，确定保存吗？')
    await expect
      .poll(
        async () => (await call<{ walletEnabled: boolean }>('GET', '/setting/paymentParameters/detail')).walletEnabled,
      )
      .toBe(true)

    const again = await open('/setting/parameter?part=payment')
    const kept = form(again, '支付参数').getByRole('region', { name: '在线钱包支付' })
    expect(await box(kept, '私钥').getAttribute('placeholder')).toBe('******0042，不填则不修改')
    expect(await again.content()).not.toContain(key)
  },
)

test.runIf(isLong)('a saved parameter reaches the screens, and a user without permission cannot read it', async () => {
  const page = await open('/setting/parameter', { stays: true })
  const parameters = form(page, '系统参数')
  await fill(parameters, '允许审核本人提交', 'true')
  await button(parameters, '保存').click()
  await expect
    .poll(async () => (await call<{ approveBySelf: boolean }>('GET', '/setting/parameter/detail')).approveBySelf)
    .toBe(true)
  const { result } = await api<{ settings: object }>('GET', '/plans/screen', { route: '/customer' })
  expect(result.settings).toEqual({ parameter: { approveBySelf: true, approvalDays: 1, statementDay: 10 } })
  expect(await api('GET', '/setting/parameter/detail', {}, { user: 'support' })).toMatchObject({ code: 403 })
})

test.runIf(isLong)('a value added to a dictionary is offered in screens that are already open', async () => {
  const customers = await open('/customer/addcustomer?type=add')
  const page = await open('/setting/parameter?part=dictionaries', { stays: true })
  await page.getByRole('textbox', { name: '字典名称/标识' }).fill('industry')
  await page.keyboard.press('Enter')
  await row(page, '所属行业').getByRole('button', { name: '所属行业' }).click()
  const values = page.getByRole('dialog', { name: '字典值', exact: true })
  await values.getByRole('row').filter({ hasText: '制造业' }).waitFor()
  await button(values, '新增').click()
  const adding = page.getByRole('dialog', { name: '新增字典值', exact: true })
  await adding.getByTitle('所属行业').first().waitFor()
  for (const [label, value] of [
    ['值', 'space'],
    ['中文', '航空航天'],
    ['英文', 'Aerospace'],
    ['排序', '5'],
  ])
    await fill(adding, label, value)
  await button(adding, '保存').click()
  await adding.waitFor({ state: 'hidden' })
  await values.getByRole('row').filter({ hasText: '航空航天' }).waitFor()

  // The next request of the open screen brings the change.
  await customers.bringToFront()
  const form = customers.getByRole('form', { name: '新增企业客户' })
  await fill(form, '客户账号', 'someaccount')
  await expect
    .poll(async () => {
      await form.getByRole('combobox', { name: '所属行业', exact: true }).click()
      const offered = await customers
        .locator('.ant-select-dropdown')
        .getByTitle('航空航天', { exact: true })
        .filter({ visible: true })
        .count()
      await customers.keyboard.press('Escape')
      return offered
    })
    .toBe(1)
})

test.runIf(isLong)('the logs show the details of an operation and who signed in', async () => {
  const page = await open('/setting/parameter?part=operations', { user: 'auditor' })
  const signedIn = page.getByRole('cell', { name: '登录', exact: true })
  const entry = page.getByRole('main').getByRole('row').filter({ has: signedIn }).first()
  await entry.waitFor()
  // The default days of the range are fully legible.
  const days = page.getByRole('search').locator('.ant-picker-range input').filter({ visible: true })
  const cut = await days.evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length)
  expect([await days.count(), cut]).toEqual([2, 0])
  await act(page, entry, '详情')
  await says(dialog(page), 'IP地址')
  await page.keyboard.press('Escape')
  await tab(page, '登录日志').click()
  await page
    .getByRole('main')
    .getByRole('tabpanel', { name: '登录日志' })
    .getByRole('row')
    .filter({ hasText: '系统管理员' })
    .first()
    .waitFor()
})
