/**
 * The first days of a month for the contract clerk: ending contracts are renewed by hand and by file, signed,
 * terminated and reinstated.
 */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ImportPlan, RecordData } from '../../engine/model/model.ts'
import { workbook } from '../importing.ts'
import { detail, dialog, list, open, ready, route, useDemo } from './app.ts'
import { catalog } from './catalog.ts'
import { fill } from './controls.ts'
import { fileOf } from './importFiles.ts'
import { act, agreeing, button, confirm, ofRow, row } from './parts.ts'
import { isLong } from '../long.ts'

useDemo({ isShared: true })

const contracts = '/contract/contract'
const clerk = { user: 'contractClerk', stays: true }
const today = () => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai' }).format(new Date())
const after = (end: RecordData[string], days: number) =>
  new Date(Date.parse(`${String(end)}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
const idOf = (value: RecordData[string]) => (value as { id: number }).id

/** Contracts of that category and status without a renewal, the first to end first. */
async function unrenewed(category: string, status: string): Promise<RecordData[]> {
  const { list: found } = await list(contracts, {
    filters: {
      category: { equals: category },
      status: { equals: status },
      archived: { equals: false },
      renewedBy: { empty: true },
    },
    sort: 'endDate',
    size: 100,
  })
  return found
}

/** Narrows the list to that contract. */
async function openAt(page: Page, category: 'service' | 'labor', { contractNo }: RecordData) {
  const main = page.getByRole('main')
  await main.getByRole('tab', { name: category === 'service' ? '服务合同' : '劳动合同', exact: true }).click()
  const search = main.getByPlaceholder('合同编号/名称').filter({ visible: true })
  await search.fill(String(contractNo))
  await search.press('Enter')
  await row(page, String(contractNo)).first().waitFor()
}

const rowAction = (page: Page, contractNo: RecordData[string], name: string) =>
  act(page, row(page, String(contractNo)).first(), name)

/** Types a day into the open dialog and leaves the box by Tab, since Enter would submit the dialog. */
async function typeDay(page: Page, label: string, day: string) {
  const box = dialog(page).getByRole('textbox', { name: label, exact: true })
  await box.fill(day)
  await box.press('Tab')
}

test.runIf(isLong)('a contract that ends soon is renewed from the list, signed, and follows the old one', async () => {
  const [old] = await unrenewed('service', 'expiring')
  const page = await open('/contract', clerk)
  await openAt(page, 'service', old)
  await rowAction(page, old.contractNo, '续签')
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('heading', { name: '收费规则' }).waitFor()
  await expect
    .poll(() => drawer.getByLabel('开始日期', { exact: true }).inputValue(), { message: 'it begins the day after' })
    .toBe(after(old.endDate, 1))
  await expect
    .poll(() => drawer.getByRole('button', { name: '删除 第1行' }).count(), { message: 'the fee rules are copied' })
    .toBe(1)
  await button(drawer, '保存').click()
  await drawer.waitFor({ state: 'hidden' })
  const renewedBy = (await detail(contracts, old.id!)).renewedBy
  const draft = await detail(contracts, idOf(renewedBy))
  expect(draft).toMatchObject({
    stage: 'drafted',
    renewalCount: Number(old.renewalCount) + 1,
    customer: { id: idOf(old.customer) },
  })

  await openAt(page, 'service', draft)
  await rowAction(page, draft.contractNo, '签署生效')
  await typeDay(page, '签署日期', today())
  await agreeing(dialog(page)).click()
  await expect.poll(async () => (await detail(contracts, draft.id!)).status).toBe('upcoming')
})

test.runIf(isLong)('a file of renewals drafts some, signs others, and reports the errors of the rest', async () => {
  const plan = (catalog.screens['laborRenewal.imports'].body as { import: ImportPlan }).import
  const [first, second, third] = await unrenewed('labor', 'expiring')
  const line = async ({ id }: RecordData, cells: Record<string, string> = {}) => {
    const whole = await detail(contracts, id!)
    return {
      renewalOf: String(whole.contractNo),
      customer: String((whole.customer as { name: string }).name),
      personName: String(whole.personName),
      personIdNumber: String(whole.personIdNumber),
      termType: '固定期限',
      startDate: after(whole.endDate, 1),
      endDate: after(whole.endDate, 1100),
      ...cells,
    }
  }
  const file = fileOf(
    '四月续签.xlsx',
    await workbook(plan, [
      await line(first),
      await line(second, { signDate: today(), monthlyWage: '8800' }),
      await line(third, { startDate: String(third.endDate) }),
    ]),
  )
  const page = await open('/contract', clerk)
  await page.getByRole('main').getByRole('link', { name: '批量续签导入', exact: true }).first().click()
  await expect.poll(() => route(page)).toBe('/contract/importrecords')
  await ready(page)
  await button(page.getByRole('main'), '导入').first().click()
  await fill(dialog(page), '导入文件', file)
  await dialog(page).getByRole('link', { name: '四月续签.xlsx', exact: true }).first().waitFor()
  await button(dialog(page), '开始导入').click()
  await dialog(page).waitFor({ state: 'hidden' })
  await row(page, '四月续签.xlsx').getByText('待确认', { exact: true }).waitFor()
  await ofRow(row(page, '四月续签.xlsx'), '明细').click()
  await expect.poll(() => route(page)).toMatch(/^\/contract\/detailList\?kind=labor&batchId=\d+$/)
  await page
    .getByText(`续签开始日期必须晚于原合同结束日期${String(third.endDate)}`)
    .first()
    .waitFor()
  await button(page.getByRole('main'), '确认写入').click()
  await confirm(page, '将新增2条、更新0条，1条有误的数据不写入，确定吗？')
  const renewalOf = async ({ id }: RecordData) =>
    (await list(contracts, { filters: { renewalOf: { equals: id } } })).list[0]
  await expect.poll(async () => (await renewalOf(second))?.stage).toBe('signed')
  expect(await renewalOf(first)).toMatchObject({ stage: 'drafted' })
  expect(await renewalOf(third)).toBe(undefined)

  const { contractNo, id } = await renewalOf(second)
  await page.getByRole('tab', { name: /^已写入/ }).click()
  await ofRow(row(page, String(second.contractNo)).first(), '查看').click()
  await page.getByRole('dialog').getByText(String(contractNo)).first().waitFor()
  expect((await detail(contracts, id!)).monthlyWage).toBe('8800.00')
})

test.runIf(isLong)('a terminated contract goes to history and is reinstated the same day', async () => {
  const [contract] = (await unrenewed('labor', 'active')).slice(5)
  const page = await open('/contract', clerk)
  await openAt(page, 'labor', contract)
  await rowAction(page, contract.contractNo, '终止')
  await typeDay(page, '终止日期', today())
  await fill(dialog(page), '终止原因', '协商解除')
  await agreeing(dialog(page)).click()
  await expect.poll(async () => (await detail(contracts, contract.id!)).status).toBe('terminated')

  await page.getByRole('main').getByRole('link', { name: '历史合同', exact: true }).first().click()
  await expect.poll(() => route(page)).toBe('/contract/historyContract')
  await ready(page)
  await row(page, String(contract.contractNo)).first().waitFor()
  await rowAction(page, contract.contractNo, '撤销终止')
  await confirm(page, '确定撤销终止吗？')
  await expect.poll(async () => (await detail(contracts, contract.id!)).status).toBe('active')
  await expect.poll(() => row(page, String(contract.contractNo)).count()).toBe(0)
})
