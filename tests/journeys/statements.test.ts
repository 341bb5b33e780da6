/** The settlement clerk on the tenth of the month: a statement is generated, adjusted, sent and confirmed. */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { call, detail, dialog, list, open, ready, route, useDemo } from './app.ts'
import { fill } from './controls.ts'
import { fileOnDisk } from './customer.ts'
import { act, agree, agreeing, button, row, says } from './parts.ts'
import { isLong } from '../long.ts'

useDemo()

const statements = '/settlement/statement'
const clerk = { user: 'settlementClerk', width: 1920, height: 1200, stays: true }
const manager = { ...clerk, user: 'financeManager' }
const nameOf = (value: RecordData[string]) => (value as { name: string }).name

/** The fact under that label in the heading of the statement. */
const fact = (page: Page, label: string): Locator =>
  page
    .getByRole('main')
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first()
const tab = async (page: Page, name: string) => {
  await page.getByRole('main').getByRole('tab', { name, exact: true }).click()
  return page.getByRole('tabpanel', { name, exact: true })
}

test.runIf(isLong)(
  'a statement is generated from costs, adjusted, sent and confirmed; a skipped contract is reported with the reason',
  async () => {
    const { list: found } = await list(statements, {
      filters: { stage: { equals: 'generated' }, disputed: { equals: false }, adjustAmount: { between: ['0', '0'] } },
      sort: '-billMonth',
      size: 100,
    })
    const [old, other] = found.filter(({ billMonth }) => billMonth === found[0].billMonth)
    await call('POST', `${statements}/void`, { id: old.id, values: { voidReason: '费用有误，重新出账' } })

    const page = await open('/settlement/accountstatement', clerk)
    await button(page, '生成账单').click()
    const month = String(old.billMonth)
    await expect
      .poll(() => dialog(page).getByRole('textbox', { name: '账单月份', exact: true }).inputValue(), {
        message: 'the month of today',
      })
      .toBe(month)
    await fill(dialog(page), '客户', [nameOf(old.customer), nameOf(other.customer)])
    await agreeing(dialog(page)).click()
    await agree(page)
    const results = page.getByRole('dialog').filter({ hasText: String(other.statementNo) })
    await results.getByText(`本月已有对账单${String(other.statementNo)}`).waitFor()
    await button(results, '确定').click()

    const {
      list: [made],
    } = await list(statements, {
      filters: {
        customer: { equals: (old.customer as { id: number }).id },
        stage: { equals: 'generated' },
        billMonth: { between: [month, month] },
      },
    })
    expect(made).toMatchObject({ totalAmount: old.totalAmount })
    const search = page.getByRole('main').getByPlaceholder('对账单号')
    await search.fill(String(made.statementNo))
    await search.press('Enter')
    await row(page, String(made.statementNo))
      .getByRole('link', { name: String(made.statementNo), exact: true })
      .click()
    await expect.poll(() => route(page)).toBe(`/settlement/accountstatementdetail?id=${made.id}`)
    await ready(page)

    await button(await tab(page, '调整'), '新增调整').click()
    const form = page.getByRole('form', { name: '新增调整', exact: true })
    await fill(form, '费用项', '应发工资')
    await fill(form, '金额', '-123.45')
    await fill(form, '调整原因', '扣回重复计算的加班工资')
    await button(form, '保存').click()
    await form.waitFor({ state: 'hidden' })
    const adjusted = await detail(statements, made.id!)
    expect(adjusted.adjustAmount).toBe('-123.45')

    await button(page.getByRole('main'), '登记送达').click()
    await fill(dialog(page), '送达方式', '邮件')
    await fill(dialog(page), '送达说明', '客户已回复收到')
    await agreeing(dialog(page)).click()
    await says(page, /^“登记送达”已完成：ZD/)
    // The user who sends a statement may not confirm it.
    const desk = await open(`/settlement/accountstatementdetail?id=${made.id}`, manager)
    await button(desk.getByRole('main'), '确认').click()
    await fill(dialog(desk), '确认凭证', fileOnDisk('营业执照.png'))
    await dialog(desk).getByRole('link', { name: '营业执照.png', exact: true }).first().waitFor()
    await agreeing(dialog(desk)).click()
    await expect.poll(() => fact(desk, '账单状态').innerText()).toBe('已确认')
    expect(await detail(statements, made.id!)).toMatchObject({
      status: 'confirmed',
      confirmMode: 'staff',
      sentAt: expect.any(String),
      totalAmount: adjusted.totalAmount,
    })
    await expect.poll(() => button(desk.getByRole('main'), '重新生成').count(), { message: 'it is locked' }).toBe(0)

    const journal = await tab(desk, '操作日志')
    await expect
      .poll(async () =>
        (await journal.getByRole('row').allInnerTexts()).slice(1).map((line) => /生成|调整|发送|确认/.exec(line)?.[0]),
      )
      .toEqual(['确认', '发送', '调整', '生成'])
  },
)

test.runIf(isLong)('the lines of a statement lead from one to the next', async () => {
  const {
    list: [statement],
  } = await list(statements, { filters: { headcount: { between: ['3', null] } }, size: 1 })
  const { list: lines } = await list('/settlement/statementLine', {
    filters: { statement: { equals: statement.id } },
    sort: 'place',
    size: 3,
  })
  const page = await open(`/settlement/detail?id=${lines[1].id}`, clerk)
  const main = page.getByRole('main')
  await main.getByRole('link', { name: '下一条', exact: true }).click()
  await expect.poll(() => route(page)).toBe(`/settlement/detail?id=${lines[2].id}`)
  await main.getByText(String(lines[2].personName), { exact: true }).filter({ visible: true }).first().waitFor()
  await main.getByRole('link', { name: '上一条', exact: true }).filter({ visible: true }).click()
  await expect.poll(() => route(page)).toBe(`/settlement/detail?id=${lines[1].id}`)
  await act(page, main, '导出')
})
