/**
 * A budget from start to finish: generated from the roster, a line edited, confirmed, and compared with the statement
 * of its month.
 */
import { expect, test } from 'vitest'
import type { RecordData } from '../../engine/model/model.ts'
import { blankPage } from '../../src/demo/pictures/blankPage.ts'
import { detail, dialog, list, open, ready, route, useDemo } from './app.ts'
import { fill } from './controls.ts'
import { fileOf } from './importFiles.ts'
import { act, agree, agreeing, button, confirm, row } from './parts.ts'
import { isLong } from '../long.ts'

useDemo()

const budgets = '/settlement/budget'
const clerk = { user: 'settlementClerk', stays: true }
const month = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date()).slice(0, 7)
const nameOf = ({ person }: RecordData) => (person as { name: string }).name
const idOf = (value: RecordData[string]) => (value as { id: number }).id

/** A statement ready to be confirmed, of a contract without a budget. */
async function unbudgeted(): Promise<RecordData> {
  const { list: open } = await list('/settlement/statement', {
    filters: { billMonth: { between: [month(), month()] }, status: { in: ['generated'] }, disputed: { equals: false } },
    size: 100,
  })
  const { list: made } = await list(budgets, { filters: { month: { between: [month(), month()] } }, size: 100 })
  const taken = new Set(made.map(({ contract }) => idOf(contract)))
  return open.find(({ contract }) => !taken.has(idOf(contract)))!
}

test.runIf(isLong)('a budget is generated, edited, confirmed, and compared with its confirmed statement', async () => {
  const statement = await unbudgeted()
  const customer = await detail('/customer', idOf(statement.customer))
  const page = await open('/settlement/budget', clerk)
  const main = page.getByRole('main')
  await button(main, '生成预算').click()
  await fill(dialog(page), '预算月份', month())
  await fill(dialog(page), '客户', [String(customer.name)])
  await fill(dialog(page), '预留比例', '5')
  await agreeing(dialog(page)).click()
  await agree(page)
  const made = async () =>
    (
      await list(budgets, {
        filters: { contract: { equals: idOf(statement.contract) }, month: { between: [month(), month()] } },
      })
    ).list[0]
  await expect.poll(async () => (await made())?.status).toBe('drafted')
  const budget = await made()
  expect(budget).toMatchObject({
    reserveRate: '5.0000',
    basis: 'roster',
    actualAmount: statement.totalAmount,
    varianceAmount: null,
  })
  expect(Number(budget.headcount)).toBeGreaterThan(0)

  await main.getByPlaceholder('预算编号').fill(String(budget.budgetNo))
  await main.getByPlaceholder('预算编号').press('Enter')
  await row(page, String(budget.budgetNo))
    .first()
    .getByRole('link', { name: String(budget.budgetNo), exact: true })
    .click()
  await expect.poll(() => route(page)).toBe(`/settlement/budget/billdetails?id=${budget.id!}`)
  await ready(page)
  const [first] = (
    await list('/settlement/budgetLine', {
      filters: { budget: { equals: budget.id! }, lineType: { in: ['person'] } },
      sort: 'lineType',
      size: 100,
    })
  ).list
  await act(page, row(page, nameOf(first)).first(), '编辑')
  await fill(dialog(page), '工资', '12345.67')
  await button(dialog(page), '保存').click()
  await dialog(page).waitFor({ state: 'hidden' })
  await expect.poll(async () => (await detail('/settlement/budgetLine', first.id!)).wageAmount).toBe('12345.67')
  const edited = await detail(budgets, budget.id!)
  expect(edited.totalAmount).not.toBe(budget.totalAmount)
  const shown = `￥${Number(edited.totalAmount).toLocaleString('en', { minimumFractionDigits: 2 })}`
  await main.getByRole('definition').filter({ hasText: shown }).first().waitFor()

  await button(main, '确认').first().click()
  await confirm(page, '确认该预算吗？')
  await expect.poll(async () => (await detail(budgets, budget.id!)).status).toBe('confirmed')
  await row(page, nameOf(first)).first().getByText('编辑', { exact: true }).waitFor({ state: 'hidden' })

  // The user who sends statements may not confirm them.
  const desk = await open(`/settlement/accountstatementdetail?id=${statement.id!}`, { user: 'financeManager' })
  const approved = desk.getByRole('main')
  await button(approved, '确认').filter({ visible: true }).first().click()
  await fill(dialog(desk), '确认凭证', fileOf('盖章对账单.pdf', new TextEncoder().encode(blankPage)))
  await dialog(desk).getByRole('link', { name: '盖章对账单.pdf', exact: true }).first().waitFor()
  await agreeing(dialog(desk)).click()
  await expect.poll(async () => (await detail(budgets, budget.id!)).status).toBe('compared')

  await approved.getByRole('tab', { name: '预算对比', exact: true }).click()
  await row(desk, String(budget.budgetNo))
    .filter({ visible: true })
    .first()
    .getByRole('link', { name: String(budget.budgetNo), exact: true })
    .click()
  await expect.poll(() => route(desk)).toBe(`/settlement/budget/billdetails?id=${budget.id!}`)
  await approved.getByText('已对比', { exact: true }).filter({ visible: true }).first().waitFor()
  await approved.getByRole('tab', { name: '对比', exact: true }).click()
  const table = approved.getByRole('table', { name: '对比', exact: true })
  await table.waitFor()
  expect(await table.getByRole('rowheader').allInnerTexts()).toEqual([
    '工资',
    '社保',
    '医保',
    '公积金',
    '补缴',
    '其他福利',
    '服务费',
    '调整',
    '税费',
    '合计',
  ])
  const compared = await detail(budgets, budget.id!)
  const digits = (text: string) => text.replace(/[^\d.-]/g, '')
  const cells = await table
    .getByRole('row')
    .filter({ has: desk.getByRole('rowheader', { name: '合计', exact: true }) })
    .getByRole('cell')
    .allInnerTexts()
  expect(cells.map((text) => Number(digits(text)))).toEqual(
    [compared.totalAmount, compared.actualAmount, compared.varianceAmount, compared.varianceRate].map(Number),
  )
})
