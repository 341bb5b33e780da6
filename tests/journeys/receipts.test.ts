/**
 * A day of the cashier: the bank's flow is imported, an unknown payer claimed, the money matched to two statements, and
 * one match undone.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ImportPlan, RecordData } from '../../engine/model/model.ts'
import { workbook } from '../importing.ts'
import { call, detail, dialog, list, open, ready, route, useDemo } from './app.ts'
import { catalog } from './catalog.ts'
import { fill } from './controls.ts'
import { fileOf, imported } from './importFiles.ts'
import { act, agreeing, button, confirm, ofRow, row } from './parts.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

const receipts = '/settlement/receipt'
const cashier = { user: 'cashier', stays: true }
const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date())
const idOf = (value: RecordData[string]) => (value as { id: number }).id
const open2 = { status: { in: ['confirmed', 'invoiced'] }, outstandingAmount: { between: ['0.01', null] } }

/** A customer with two statements to pay; a paid one is reopened where the demo has none. */
async function owing(): Promise<{ customer: { id: number; name: string }; statements: RecordData[] }> {
  const openOf = async (customer: number) =>
    (await list('/settlement/statement', { filters: { ...open2, customer: { in: [customer] } }, sort: 'dueDate' })).list
  for (const { customer } of (await list('/settlement/statement', { filters: open2 })).list) {
    const paid = (
      await list('/settlement/receiptMatch', {
        filters: { customer: { in: [idOf(customer)] }, cancelled: { equals: false } },
      })
    ).list
    let statements = await openOf(idOf(customer))
    if (statements.length < 2 && paid.length > 0) {
      await call('POST', '/settlement/receiptMatch/unmatch', {
        id: paid[0].id,
        values: { cancelReason: '测试重新打开' },
      })
      statements = await openOf(idOf(customer))
    }
    if (statements.length >= 2) return { customer: customer as { id: number; name: string }, statements }
  }
  throw new Error('the demo has no customer with statements to pay')
}

type Rows = Parameters<typeof workbook>[1]

/** Imports a file with one wrong row and returns to the list. */
async function importOnScreen(page: Page, plan: ImportPlan, rows: Rows, serial: string): Promise<void> {
  const main = page.getByRole('main')
  const file = fileOf('银行流水.xlsx', await workbook(plan, rows))
  await main.getByRole('link', { name: '导入', exact: true }).click()
  await expect.poll(() => route(page)).toBe('/settlement/receipt/importreceipt')
  await ready(page)
  await button(main, '导入').first().click()
  await fill(dialog(page), '导入文件', file)
  await dialog(page).getByRole('link', { name: '银行流水.xlsx', exact: true }).first().waitFor()
  await button(dialog(page), '开始导入').click()
  await dialog(page).waitFor({ state: 'hidden' })
  await row(page, '银行流水.xlsx').getByText('待确认', { exact: true }).waitFor()
  await ofRow(row(page, '银行流水.xlsx'), '明细').click()
  await page.getByText('付款方名称不能为空').first().waitFor()
  await button(main, '确认写入').click()
  await confirm(page, '将新增1条、更新0条，1条有误的数据不写入，确定吗？')
  await page.getByRole('tab', { name: /^全部/ }).click()
  await row(page, serial).getByText('待认领', { exact: true }).first().waitFor()
  await page.goto(page.url().replace(/#.*/, '#/settlement/receipt'))
  await ready(page)
}

test.runIf(isLong)(
  'a bank flow is imported, its payer claimed, and the money matched to two statements and unmatched from one',
  async () => {
    const plan = (catalog.screens['receipt.imports'].body as { import: ImportPlan }).import
    const { customer, statements } = await owing()
    const first = Number(statements[0].outstandingAmount)
    const amount = (first + 10).toFixed(2)
    const account = (
      await list('/bank/companyAccount', {
        filters: { purpose: { overlaps: ['receipt'] }, status: { in: ['enabled'] } },
      })
    ).list[0]
    const serial = `JOURNEY${Date.now()}`
    const line = (number: number, cells: object) => ({
      receivedDate: today(),
      companyAccount: String(account.accountNo),
      payerName: '测试付款集团有限公司',
      amount,
      bankSerialNo: `${serial}${number}`,
      ...cells,
    })

    const page = await open('/settlement/receipt', cashier)
    const main = page.getByRole('main')
    const rows = [line(1, {}), line(2, { payerName: '', amount: '5' })]
    if (isLong) await importOnScreen(page, plan, rows, `${serial}1`)
    // `imports.test.ts` goes through the screens of an import in the short form.
    else await imported('settlement', plan, '银行流水.xlsx', rows.slice(0, 1))
    const [receipt] = (await list(receipts, { search: `${serial}1` })).list

    const search = main.getByPlaceholder('到账编号/付款方/流水号').filter({ visible: true })
    await search.fill(`${serial}1`)
    await search.press('Enter')
    const found = () => row(page, String(receipt.receiptNo)).first()
    await act(page, found(), '认领')
    await fill(dialog(page), '客户', customer.name)
    await agreeing(dialog(page)).click()
    await found().getByText('已认领', { exact: true }).first().waitFor()
    expect((await detail('/customer', customer.id)).payerNames as string[]).toContain('测试付款集团有限公司')

    await act(page, found(), '核销')
    const money = (box: string) => dialog(page).getByRole('textbox', { name: box, exact: true })
    await expect.poll(() => money('第1行 核销金额').inputValue()).toMatch(/\d/)
    expect(Number((await money('第2行 核销金额').inputValue()).replaceAll(',', ''))).toBe(10)
    const rest = dialog(page).getByRole('status', { name: '核销后剩余' })
    await expect.poll(() => rest.textContent()).toContain('0.00')
    await money('第2行 核销金额').fill('4')
    await expect.poll(() => rest.textContent()).toContain('6.00')
    await money('第2行 核销金额').fill('11')
    await agreeing(dialog(page)).click()
    await dialog(page)
      .getByText(/第2行：核销金额不能超过/)
      .waitFor()
    await money('第2行 核销金额').fill('10')
    await agreeing(dialog(page)).click()
    await dialog(page).waitFor({ state: 'hidden' })
    await expect.poll(async () => (await detail(receipts, receipt.id!)).status).toBe('matched')
    expect(await detail('/settlement/statement', statements[0].id!)).toMatchObject({
      status: 'settled',
      outstandingAmount: '0.00',
    })
    expect((await detail('/settlement/statement', statements[1].id!)).receiptProgress).toBe('part')

    await found()
      .getByRole('link', { name: String(receipt.receiptNo), exact: true })
      .click()
    await expect.poll(() => route(page)).toBe(`/settlement/receiptdetail?id=${receipt.id}`)
    await ready(page)
    await main.getByRole('tab', { name: '核销记录', exact: true }).click()
    await act(page, row(page, String(statements[1].statementNo)).first(), '撤销核销')
    await fill(dialog(page), '撤销原因', '核错账单')
    await agreeing(dialog(page)).click()
    await dialog(page).waitFor({ state: 'hidden' })
    await expect.poll(async () => (await detail(receipts, receipt.id!)).unmatchedAmount).toBe('10.00')
    await main.getByRole('tab', { name: '日志', exact: true }).click()
    await main.getByText('撤销核销', { exact: true }).filter({ visible: true }).first().waitFor()
  },
)
