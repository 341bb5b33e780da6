/**
 * The import of customers as an operator does it: from the template to the undo, including what goes wrong on the way.
 */
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { call, detail, dialog, list, open, ready, route, useDemo } from './app.ts'
import { fill } from './controls.ts'
import { newName, wrongCode } from './customer.ts'
import { openSettings, still, tab, visit } from './frame.ts'
import { addBatch, batch, batches, downloaded, fileOf, newRow, plan, savedAs, sheetOf } from './importFiles.ts'
import { expectFocus, moveTo } from './keyboard.ts'
import { act, agreeing, button, confirm, ofRow, row, says } from './parts.ts'
import { colourRules, violations } from './violations.ts'

const byWords = (words: string[], other: string[]) => words.join().localeCompare(other.join())

useDemo({ isShared: true })

const records = '/customer/importcustomer'
const detailOf = (id: number) => `/customer/detailList?batchId=${id}`
const panel = (page: Page, name = '导入批次') => page.getByRole('main').getByRole('region', { name, exact: true })
const rowsOf = (page: Page, name = '客户导入明细') =>
  page.getByRole('main').getByRole('table', { name, exact: true }).getByRole('row')
/** The row that shows the given row number of the file. */
const rowAt = (page: Page, number: number, name?: string) =>
  rowsOf(page, name)
    .filter({ has: page.getByRole('cell', { name: String(number), exact: true }) })
    .first()

/** Label → text of the facts about the batch. */
const facts = (page: Page, name?: string): Promise<Record<string, string>> =>
  panel(page, name)
    .locator('dl')
    .evaluate((dl) =>
      Object.fromEntries(
        [...dl.querySelectorAll('dt')].map((term) => [
          term.textContent ?? '',
          term.nextElementSibling?.textContent?.trim() ?? '',
        ]),
      ),
    )
const counts = async (page: Page) => {
  const {
    总条数: total,
    新增条数: added,
    更新条数: updated,
    成功条数: succeeded,
    跳过条数: skipped,
    失败条数: failed,
  } = await facts(page)
  return [total, added, updated, succeeded, skipped, failed].map(Number)
}
const becomes = (page: Page, status: string) => expect.poll(async () => (await facts(page)).状态).toBe(status)
/** The titles of the marked cells of a row. */
const marked = (place: Locator): Promise<string[]> =>
  place.locator('td[data-problem]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title') ?? ''))

/** Chooses the file in the dialog and starts the import. */
async function uploadIn(page: Page, file: string, remark = '') {
  await button(page.getByRole('main'), '导入').click()
  await fill(dialog(page), '导入文件', file)
  await dialog(page)
    .getByRole('link', { name: file.split('/').at(-1)!, exact: true })
    .first()
    .waitFor()
  if (remark) await fill(dialog(page), '备注', remark)
  await button(dialog(page), '开始导入').click()
  await dialog(page).waitFor({ state: 'hidden' })
}

/** The id of the batch uploaded last. */
const newest = async (): Promise<number> => (await list(batches, { sort: '-id', size: 1 })).list[0].id!

const checked = async (id: number) => expect.poll(async () => (await batch(id)).status).toBe('checked')

const customersOf = async (names: unknown[]): Promise<number> =>
  (
    await Promise.all(
      names.map((name) => list('/customer', { filters: { name: { equals: name } } }).then(({ total }) => total)),
    )
  ).reduce((sum, total) => sum + total, 0)

/** Goes to the record that a row became, and back by the message about the batch. */
async function returnByMessage(page: Page, name: string, id: number): Promise<void> {
  await page.getByRole('tab', { name: /^已写入/ }).click()
  await rowAt(page, 4).getByRole('link', { name, exact: true }).click()
  await expect.poll(() => route(page)).toMatch(/^\/customer\/detail\?id=\d+$/)
  await page.getByRole('main').getByText(name, { exact: true }).first().waitFor()

  await page.getByRole('button', { name: /^消息/ }).click()
  const messages = page.getByRole('dialog', { name: '消息' })
  await messages
    .getByRole('link', { name: /五月新客户\.xlsx/ })
    .first()
    .click()
  await expect.poll(() => route(page)).toContain(detailOf(id))
  await ready(page)
}

test('customers are imported from the template, corrected, imported again where they failed, and undone', async () => {
  const page = await open('/customer', { stays: true })
  await page
    .getByRole('main')
    .getByRole('link', { name: '导入', exact: true })
    .or(button(page.getByRole('main'), '导入'))
    .first()
    .click()
  await expect.poll(() => route(page)).toBe(records)
  await ready(page)

  const { name, book } = await downloaded(page, () => button(page.getByRole('main'), '下载模板').click())
  expect(name).toBe('客户导入.xlsx')
  const [data, help] = book.sheets
  const required = [
    'name',
    'corporateName',
    'type',
    'uscc',
    'region',
    'address',
    'billingType',
    'consigneeName',
    'consigneeMobile',
    'consigneeAddress',
    'supportStaff',
    'salesman',
    'agency',
    'serviceTypes',
    'paymentTerms',
  ]
  expect(data.rows[0]).toEqual(
    plan.columns.map(({ field, label }) => (required.includes(field) ? `${label.cn} *` : label.cn)),
  )
  expect(data.rows[1]).toEqual(plan.columns.map(({ sample }) => sample))
  expect(data.dataValidations!.find(({ range }) => range.startsWith('C2'))!.values).toContain('个体工商户')
  expect(help.rows.flat()).toContain('各级之间用 / 分隔')

  const good = [newRow(), newRow(), newRow()]
  const nameless = newRow({ name: null, type: '工厂' })
  const mistyped = newRow()
  const lost = newRow({ region: '火星市' })
  const code = String(mistyped.uscc)
  const rows = [
    good[0],
    nameless,
    good[1],
    { ...mistyped, uscc: wrongCode(code) },
    newRow({ uscc: good[0].uscc }),
    lost,
    good[2],
  ]
  data.rows = [...data.rows.slice(0, 2), ...rows.map((cells) => plan.columns.map(({ field }) => cells[field] ?? null))]
  const file = await savedAs('五月新客户.xlsx', book)
  await uploadIn(page, file, '五月第一批')
  await row(page, '五月新客户.xlsx').getByText('待确认', { exact: true }).waitFor()
  const first = await newest()
  const batchNo = String((await batch(first)).batchNo)

  await row(page, '五月新客户.xlsx').getByRole('link', { name: batchNo, exact: true }).click()
  await expect.poll(() => route(page)).toBe(detailOf(first))
  await becomes(page, '待确认')
  expect(await counts(page)).toEqual([7, 3, 0, 0, 0, 4])
  expect(await facts(page)).toMatchObject({ 备注: '五月第一批', 操作人: '系统管理员' })
  const groups = panel(page).getByRole('region', { name: '错误汇总' }).getByRole('row')
  await expect
    .poll(async () =>
      (await groups.allInnerTexts())
        .slice(1)
        .map((text) => text.split('\t').map((part) => part.trim()))
        .sort(byWords),
    )
    .toEqual(
      [
        ['客户名称', '必填项为空', '1', '客户名称不能为空'],
        ['客户类型', '不在可选范围内', '1', '客户类型“工厂”不在可选范围内'],
        ['所在地区', '不存在或已停用', '1', '所在地区“火星市”不存在或已停用'],
        ['统一社会信用代码', '文件内重复', '1', '与第3行重复'],
        ['统一社会信用代码', '校验位错误', '1', '统一社会信用代码校验位错误'],
      ].sort(byWords),
    )
  await page.getByRole('tab', { name: /^失败/ }).click()
  await expect.poll(() => rowsOf(page).count()).toBe(1 + 4)
  expect(await marked(rowAt(page, 4))).toEqual(['客户名称不能为空', '客户类型“工厂”不在可选范围内'])

  // Corrects a row in place: wrong again first, then right.
  await ofRow(rowAt(page, 4), '更正').click()
  const correction = page.getByRole('dialog', { name: '更正', exact: true })
  const at = (label: string) => correction.getByRole('textbox', { name: label, exact: true })
  await says(correction, '客户名称不能为空')
  await says(correction, '客户类型“工厂”不在可选范围内')
  await expect
    .poll(() => at('客户名称').evaluate((input) => input === document.activeElement), {
      message: 'what is wrong has the focus',
    })
    .toBe(true)
  const corrected = newRow()
  await at('客户名称').fill(String(corrected.name))
  await at('客户类型').focus()
  await at('客户类型').blur()
  await says(correction, '客户类型“工厂”不在可选范围内')
  await at('客户类型').fill('作坊')
  await agreeing(correction).click()
  await says(correction, '客户类型“作坊”不在可选范围内')
  expect(await at('客户名称').inputValue()).toBe(corrected.name)
  expect(await correction.getByText('客户名称不能为空').count()).toBe(0)
  expect((await batch(first)).failCount, 'nothing is kept of what is still wrong').toBe(4)
  await at('客户类型').fill('企业')
  await agreeing(correction).click()
  await correction.waitFor({ state: 'hidden' })
  await expect.poll(() => counts(page)).toEqual([7, 4, 0, 0, 0, 3])
  await expect.poll(() => rowsOf(page).count()).toBe(1 + 3)

  await button(panel(page), '确认写入').click()
  expect(await customersOf(good.map((each) => each.name)), 'nothing is written before').toBe(0)
  await confirm(page, '将新增4条、更新0条，3条有误的数据不写入，确定吗？')
  await becomes(page, '部分成功')
  expect(await counts(page)).toEqual([7, 4, 0, 4, 0, 3])
  // `MessageDrawer.test.tsx` follows a message in the short form.
  if (isLong) await returnByMessage(page, String(corrected.name), first)

  // Imports the failed rows again after correcting them.
  const failures = await downloaded(page, () => button(panel(page), '下载失败数据').click())
  expect(failures.name).toBe(`${batchNo}_失败数据.xlsx`)
  const [header, ...failed] = failures.book.sheets[0].rows
  const column = (label: string) => header.findIndex((each) => String(each).startsWith(label))
  expect(header.at(-1)).toBe('失败原因')
  expect(failed.map((cells) => cells.at(-1))).toEqual([
    expect.stringContaining('校验位错误'),
    expect.stringContaining('与第3行重复'),
    expect.stringContaining('“火星市”不存在'),
  ])
  failed[0][column('统一社会信用代码')] = code
  failed[1][column('统一社会信用代码')] = String(newRow().uscc)
  failed[2][column('所在地区')] = '北京市/东城区'
  const again = await savedAs('五月更正.xlsx', failures.book)
  await page
    .getByRole('navigation', { name: '当前位置', exact: true })
    .getByRole('link', { name: '客户导入', exact: true })
    .click()
  await expect.poll(() => route(page)).toBe(records)
  await ready(page)
  await uploadIn(page, again)
  await row(page, '五月更正.xlsx').getByText('待确认', { exact: true }).waitFor()
  const second = await newest()
  await ofRow(row(page, '五月更正.xlsx'), '明细').click()
  await becomes(page, '待确认')
  expect(await counts(page)).toEqual([3, 3, 0, 0, 0, 0])
  expect(await panel(page).getByRole('link', { name: batchNo, exact: true }).getAttribute('href')).toBe(
    `#${detailOf(first)}`,
  )
  await button(panel(page), '确认写入').click()
  await confirm(page, '将新增3条、更新0条，0条有误')
  await becomes(page, '全部成功')
  expect(await customersOf([mistyped.name, lost.name])).toBe(2)

  // Undoes the whole import.
  await button(panel(page), '撤销导入').click()
  await confirm(page, '撤销后新增的数据将删除', 'refuse')
  expect(await customersOf([mistyped.name, lost.name])).toBe(2)
  await button(panel(page), '撤销导入').click()
  await confirm(page, '撤销后新增的数据将删除')
  await becomes(page, '已撤销')
  expect(await customersOf([mistyped.name, lost.name])).toBe(0)
  expect(second).toBeGreaterThan(first)
  // `importUndo.test.ts` refuses to undo what was changed since.
  if (!isLong) return

  await panel(page).getByRole('link', { name: batchNo, exact: true }).click()
  await becomes(page, '部分成功')
  const {
    list: [touched],
  } = await list('/customer', { filters: { name: { equals: good[1].name } } })
  await call('POST', '/customer/update', { id: touched.id!, revision: touched.revision!, values: { remark: '已联系' } })
  await button(panel(page), '撤销导入').click()
  await confirm(page, '撤销后新增的数据将删除')
  await says(page, '以下行写入后已被修改或使用，不能撤销：第5行（系统管理员修改）')
  await becomes(page, '部分成功')
  expect(await customersOf(good.map((each) => each.name))).toBe(3)
  expect(await detail('/customer', touched.id!)).toMatchObject({ remark: '已联系' })
})

test.runIf(isLong)('the template and the details of a batch are in English for a user of that language', async () => {
  const id = await addBatch(await sheetOf('May.xlsx', [newRow(), newRow({ name: null })], 'en'))
  await checked(id)
  const page = await open(records, { language: 'en' })
  const { book } = await downloaded(page, () => button(page.getByRole('main'), 'Download template').click())
  expect(book.sheets[0].rows[0].slice(0, 4)).toEqual([
    'Customer name *',
    'Corporate name *',
    'Customer type *',
    'Unified social credit code *',
  ])
  await row(page, 'May.xlsx').getByText('Checked', { exact: true }).waitFor()
  await ofRow(row(page, 'May.xlsx'), 'Details').click()
  await ready(page)
  const batchPanel = panel(page, 'Import batch')
  await batchPanel.getByText('Customer name is required', { exact: true }).waitFor()
  expect(await facts(page, 'Import batch')).toMatchObject({
    Status: 'Checked',
    'Total rows': '2',
    'To add': '1',
    Failed: '1',
  })
  const wrong = rowAt(page, 3, 'Customer import details')
  expect(await marked(wrong)).toEqual(['Customer name is required'])
  await ofRow(wrong, 'Correct').click()
  await says(page.getByRole('dialog', { name: 'Correct', exact: true }), 'Customer name is required')
  await page.keyboard.press('Escape')
  await button(batchPanel, 'Write').click()
  await page.getByRole('dialog').filter({ hasText: 'Add 1, update 0; 1 row with errors is left out. Write?' }).waitFor()
})

test.runIf(isLong)(
  'two batches open in two tabs, which start anew when shown again; an unknown batch is reported',
  async () => {
    const [first, second] = [
      await addBatch(await sheetOf('甲.xlsx', [newRow(), newRow({ name: null })])),
      await addBatch(await sheetOf('乙.xlsx', [newRow()])),
    ]
    await checked(first)
    await checked(second)
    const page = await open(detailOf(first), { stays: true })
    await page.getByRole('tab', { name: /^失败/ }).click()
    await expect.poll(() => rowsOf(page).count()).toBe(1 + 1)
    await visit(page, detailOf(second))
    await panel(page).getByText('乙.xlsx', { exact: true }).waitFor()
    await page.getByRole('tab', { name: /^可写入/ }).click()
    const tabs = tab(page, '客户导入明细')
    expect(await tabs.evaluateAll((each) => each.map((item) => item.getAttribute('title')))).toEqual([
      (await batch(first)).batchNo,
      (await batch(second)).batchNo,
    ])
    await tabs.first().click()
    await panel(page).getByText('甲.xlsx', { exact: true }).waitFor()
    await page.getByRole('tab', { name: /^失败/, selected: true }).waitFor()
    expect(await facts(page)).toMatchObject({ 总条数: '2', 失败条数: '1' })
    await tabs.last().click()
    await panel(page).getByText('乙.xlsx', { exact: true }).waitFor()
    await page.getByRole('tab', { name: /^全部/, selected: true }).waitFor()
    expect(await facts(page)).toMatchObject({ 总条数: '1', 失败条数: '0' })
    // The chosen tab is part of the address, so that it can be shared.
    await visit(page, `${detailOf(first)}&tab=failed`, detailOf(first))
    await page.getByRole('tab', { name: /^失败/, selected: true }).waitFor()
    await expect.poll(() => rowsOf(page).count()).toBe(1 + 1)
    await visit(page, detailOf(second))

    await button(panel(page), '取消导入').click()
    await confirm(page, '将停止本次导入，已写入的数据保留，继续吗？')
    await becomes(page, '已取消')
    expect(await button(panel(page), '确认写入').count()).toBe(0)
    expect((await batch(first)).status, 'the other one goes on waiting').toBe('checked')

    await visit(page, '/customer/detailList')
    await says(page, '请从列表进入')
    await visit(page, '/customer/detailList?batchId=99999999')
    await says(page, '数据不存在或已删除')
    await page.getByRole('main').getByRole('alert').getByRole('link', { name: '客户导入', exact: true }).click()
    await expect.poll(() => route(page)).toBe(records)
  },
)

// The progress texts have a test of their own; this one shows them on a busy server.
test.runIf(isLong)('a large file is checked in the background while the details show the progress', async () => {
  const page = await open(records, { stays: true })
  const begin = newName('大')
  const rows = Array.from({ length: 10_000 }, (_, index) =>
    newRow({
      name: `${begin}号${index}`,
      corporateName: `${begin}（测试）有限公司${index}`,
      account: `${begin.slice(1)}_${index}`,
      ...(index % 1000 === 7 && { region: null }),
    }),
  )
  const id = await addBatch(await sheetOf('大文件.xlsx', rows))
  await visit(page, detailOf(id))
  await page.getByRole('progressbar', { name: '导入进度', exact: true }).waitFor()
  await says(page, /^正在检查：已读\d+行/)
  expect(await button(panel(page), '确认写入').count()).toBe(0)
  await visit(page, '/customer')
  await checked(id)
  await visit(page, detailOf(id))
  await becomes(page, '待确认')
  expect(await counts(page)).toEqual([10_000, 9990, 0, 0, 0, 10])
  expect(await page.getByRole('progressbar', { name: '导入进度', exact: true }).count()).toBe(0)
  await button(panel(page), '取消导入').click()
  await confirm(page, '将停止本次导入，已写入的数据保留，继续吗？')
  await becomes(page, '已取消')
})

test.runIf(isLong)(
  'a file of another format, too large, or without required columns is refused with the reason',
  async () => {
    const page = await open(records, { stays: true })
    await button(page.getByRole('main'), '导入').click()
    const entry = dialog(page)
    await fill(entry, '导入文件', fileOf('旧.xls', 'x'))
    await says(page, '旧.xls: 仅支持.xlsx格式的文件')
    await entry.locator('input[type=file]').evaluate((input: HTMLInputElement) => {
      const files = new DataTransfer()
      files.items.add(new File([new Uint8Array(100 * 1024 * 1024 + 1)], '太大.xlsx'))
      input.files = files.files
      input.dispatchEvent(new Event('change', { bubbles: true }))
    })
    await says(page, '太大.xlsx: 文件大小不能超过100MB')
    expect(await entry.getByRole('listitem').count()).toBe(0)
    await fill(entry, '导入文件', fileOf('文本.xlsx', '客户名称,企业名称\n甲,乙\n'))
    await says(entry, '这是文本文件（如CSV或网页），不是Excel工作簿，请用表格软件打开并另存为.xlsx')
    await button(entry, '开始导入').click()
    await says(entry, '文件上传失败，请重试或移除')
    const wrong = await sheetOf('缺列.xlsx', [newRow()], 'cn', ['name', 'corporateName', 'remark'])
    await fill(entry, '导入文件', wrong)
    await button(entry, '开始导入').click()
    await entry.waitFor({ state: 'hidden' })
    await row(page, '缺列.xlsx').getByText('失败', { exact: true }).waitFor()
    await ofRow(row(page, '缺列.xlsx'), '明细').click()
    await panel(page)
      .getByRole('alert')
      .getByText(/^导入模板不正确：缺少列“客户类型”，缺少列“统一社会信用代码”.*请下载最新模板$/)
      .waitFor()
    expect(await button(panel(page), '确认写入').count()).toBe(0)
  },
)

test.runIf(isLong)('a user who may only view sees the buttons, and each is refused', async () => {
  const id = await addBatch(await sheetOf('只读.xlsx', [newRow(), newRow({ name: null })]))
  await checked(id)
  const {
    list: [role],
  } = await list('/setting/role', { filters: { code: { equals: 'auditor' } } })
  const { functionPermissions } = await detail('/setting/role', role.id!)
  await call('POST', '/setting/role/update', {
    id: role.id!,
    revision: role.revision!,
    values: { functionPermissions: [...(functionPermissions as string[]), 'customer:import:view'] },
  })
  const page = await open(records, { user: 'auditor' })
  // A message stays for seconds, so only newly added ones are counted.
  await page.evaluate((text) => {
    const page = window as unknown as { noticeCount: number }
    page.noticeCount = 0
    new MutationObserver((changes) => {
      page.noticeCount += changes.filter(({ addedNodes }) =>
        [...addedNodes].some((node) => node.textContent?.includes(text)),
      ).length
    }).observe(document.body, { childList: true, subtree: true })
  }, '您没有操作权限，请向上级获取权限后再试！')
  let countBefore = 0
  const refused = async (place: Locator, name: string) => {
    await act(page, place, name)
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { noticeCount: number }).noticeCount), { message: name })
      .toBeGreaterThan(countBefore)
    countBefore = await page.evaluate(() => (window as unknown as { noticeCount: number }).noticeCount)
    expect(await page.getByRole('dialog').count(), name).toBe(0)
  }
  await refused(page.getByRole('main'), '导入')
  await refused(row(page, '只读.xlsx'), '确认写入')
  await ofRow(row(page, '只读.xlsx'), '明细').click()
  await becomes(page, '待确认')
  for (const name of ['取消导入', '下载失败数据']) await refused(panel(page), name)
  await refused(rowAt(page, 3), '更正')
  expect((await batch(id)).status).toBe('checked')
})

test.runIf(isLong)('an import is uploaded, corrected and written with the keyboard alone', async () => {
  const press = (key: string) => page.keyboard.press(key)
  const page = await open(records, { stays: true })
  await button(page.getByRole('main'), '导入').focus()
  await press('Enter')
  await moveTo(page, button(dialog(page), '上传 导入文件'))
  const chooser = page.waitForEvent('filechooser')
  await press('Enter')
  const [sound, nameless] = [newRow(), newRow({ name: null })]
  await (await chooser).setFiles(await sheetOf('键盘.xlsx', [sound, nameless]))
  await dialog(page).getByRole('link', { name: '键盘.xlsx', exact: true }).waitFor()
  await moveTo(page, button(dialog(page), '开始导入'))
  await press('Enter')
  await dialog(page).waitFor({ state: 'hidden' })
  await row(page, '键盘.xlsx').getByText('待确认', { exact: true }).waitFor()
  // Reaching the content of rows by Tab is proven for all lists elsewhere.
  await ofRow(row(page, '键盘.xlsx'), '明细').focus()
  await press('Enter')
  await becomes(page, '待确认')
  await ofRow(rowAt(page, 3), '更正').focus()
  await press('Enter')
  const correction = page.getByRole('dialog', { name: '更正', exact: true })
  await expectFocus(correction.getByRole('textbox', { name: '客户名称', exact: true }), 'what is wrong')
  const name = String(newRow().name)
  await page.keyboard.type(name)
  await press('Enter')
  await correction.waitFor({ state: 'hidden' })
  await expect.poll(() => counts(page)).toEqual([2, 2, 0, 0, 0, 0])
  await button(panel(page), '确认写入').focus()
  await press('Enter')
  await agreeing(page.getByRole('dialog').filter({ hasText: '将新增2条' })).waitFor()
  await moveTo(page, agreeing(page.getByRole('dialog').filter({ hasText: '将新增2条' })))
  await press('Enter')
  await becomes(page, '全部成功')
  expect(await customersOf([sound.name, name])).toBe(2)
})

test.runIf(isLong)(
  'the batches, upload, details with mistakes, and correction are accessible, also in dark colours',
  async () => {
    const id = await addBatch(
      await sheetOf('无障碍.xlsx', [newRow(), newRow({ name: null, type: '工厂', region: '火星市' })]),
    )
    await checked(id)
    const page = await open(records, { fresh: true })
    const isFine = async (what: string) => {
      await still(page)
      expect(await violations(page), what).toEqual([])
    }
    await isFine('records')
    await button(page.getByRole('main'), '导入').click()
    await fill(dialog(page), '导入文件', fileOf('文本.xlsx', 'a,b'))
    await dialog(page).getByRole('alert').first().waitFor()
    await isFine('upload')
    await visit(page, detailOf(id))
    await panel(page).getByRole('region', { name: '错误汇总' }).waitFor()
    await rowAt(page, 3).waitFor()
    await isFine('details')
    const settings = await openSettings(page)
    await settings.getByText('深色', { exact: true }).click()
    await page.keyboard.press('Escape')
    await settings.waitFor({ state: 'hidden' })
    await still(page)
    expect(await violations(page, colourRules), 'details in the dark').toEqual([])
    await ofRow(rowAt(page, 3), '更正').click()
    await says(page.getByRole('dialog', { name: '更正', exact: true }), '客户名称不能为空')
    await isFine('correction in the dark')
  },
)
