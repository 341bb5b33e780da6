import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GroupedRow, ReportResult } from '../../engine/schema/model.ts'
import { contractReport, customerReport } from '../reports.ts'
import { call, list, open, password, route, useServer } from './app.ts'
import { languages } from './catalog.ts'
import { fill } from './controls.ts'
import { copyDemo } from './demoFolder.ts'
import { startServer } from './server.ts'
import { readSheet } from './sheet.ts'
import { violations } from './violations.ts'

// Reports that the product does not have, on its demo data: every part of the kind is seen, whatever screens there are.
const schemas = mkdtempSync(path.join(tmpdir(), 'formwork-reports-'))
let end: () => Promise<void>
beforeAll(async () => {
  cpSync('schemas', schemas, { recursive: true })
  writeFileSync(path.join(schemas, 'customer/customer.report.json'), JSON.stringify({ ...customerReport, menu: {} }))
  writeFileSync(path.join(schemas, 'contract/contract.report.json'), JSON.stringify(contractReport))
  const { folder, remove } = copyDemo()
  const server = await startServer({ folder, demo: true, environment: { ADMIN_PASSWORD: password, SCHEMAS_DIR: schemas } })
  useServer(server.url)
  end = async () => {
    await server.stop()
    remove()
  }
})
afterAll(async () => {
  await end?.()
  rmSync(schemas, { recursive: true, force: true })
})

const words = {
  cn: { title: '客户报表', group: '统计方式', salesman: '业务员', total: '合计', money: '金额', table: '数据表', months: '每月客户', customers: '客户数', alert: '请选择提交时间', query: '查询' },
  en: { title: 'Customer report', group: 'Put together by', salesman: 'Salesman', total: 'Total', money: 'Money', table: 'Table', months: 'Customers by month', customers: 'Customers', alert: 'Please select Submission time', query: 'Query' },
}

describe.each(languages)('in %s', (language) => {
  const say = words[language]

  test('a report is put together anew, its numbers are those of the list that they open, and its charts have tables', async () => {
    const page = await open('/customer/report', { language, bypassPolicy: true })
    const grid = page.getByRole('table', { name: say.title, exact: true })
    await grid.getByRole('cell', { name: say.total, exact: true }).waitFor()
    expect(await page.getByRole('search').getByRole('textbox').first().inputValue(), 'begins with the first day of the year').toMatch(/^\d{4}-01-01/)
    await page.getByRole('img', { name: say.months, exact: true }).waitFor()
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: `${say.table}: ${say.months}`, exact: true }).click()
    const { list: months } = await call<ReportResult>('GET', '/plans/report', { screen: 'customer.report', chart: 'months', filters: thisYear() })
    const drawn = await page.getByRole('table', { name: say.months, exact: true }).getByRole('row').allInnerTexts()
    expect(drawn.slice(1).map((text) => text.split(/\s+/).slice(0, 2))).toEqual(months.map(({ by: [month], values }: GroupedRow) => [month, String(values.customers)]))

    await fill(page.getByRole('main'), say.group, say.salesman)
    await expect.poll(() => route(page)).toContain('group=salesman')
    await grid.getByRole('columnheader', { name: say.salesman, exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    const [, first] = await grid.getByRole('row').all()
    const number = Number(await first.getByRole('link').first().innerText())
    await first.getByRole('link').first().click()
    await expect.poll(() => route(page).split('?')[0]).toBe('/customer')
    const asked = Object.fromEntries([...new URLSearchParams(route(page).split('?')[1])].filter(([, value]) => value).map(([key, value]) => [key.slice(2), JSON.parse(value) as object]))
    expect((await list('/customer', { filters: asked })).total).toBe(number)
    await page.getByText(language === 'cn' ? `共${number}条` : `${number} records`, { exact: true }).waitFor()
  })

  test('nothing is read before what must be chosen is chosen', async () => {
    const page = await open('/customer/report?f.submissionTime=', { language })
    await page.getByRole('main').getByRole('alert').filter({ hasText: say.alert }).waitFor()
    expect(await page.getByRole('table', { name: say.title, exact: true }).count()).toBe(0)
  })

  test('it is used at 390 pixels', async () => {
    const page = await open('/customer/report', { language, width: 390, height: 844, bypassPolicy: true })
    await page.getByRole('img', { name: say.months, exact: true }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await violations(page)).toEqual([])
  })
})

/** As the report begins. */
function thisYear() {
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  return { submissionTime: { between: [`${today.slice(0, 4)}-01-01 00:00:00`, `${today} 23:59:59`] }, approvalStatus: { in: ['pending', 'approved'] } }
}

test('the rows are taken along as they stand', async () => {
  const page = await open('/customer/report?group=salesmanMonth&tab=money&sort=-opening')
  const grid = page.getByRole('table', { name: words.cn.title, exact: true })
  await grid.getByRole('cell', { name: words.cn.total, exact: true }).waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '导出', exact: true }).click()])
  expect(download.suggestedFilename()).toMatch(/^客户报表_金额_\d{12}\.xlsx$/)
  const [header, ...rows] = await readSheet(download)
  expect(header).toEqual(['业务员', '提交时间', '期初余额', '平均期初余额', '最晚出账日'])
  const { list: first, total } = await call<ReportResult>('GET', '/plans/report', { screen: 'customer.report', group: 'salesmanMonth', tab: 'money', sort: '-opening', filters: thisYear(), size: 1 })
  expect(rows).toHaveLength(total + 1)
  expect(rows[0].slice(0, 3)).toEqual([(first[0].by[0] as { name: string }).name, first[0].by[1], Number(first[0].values.opening)])
})

test('as of another day what time decides is another, and numbers of then open nothing', async () => {
  const page = await open('/contract/report?asOf=2019-01-01')
  const grid = page.getByRole('table', { name: '合同报表', exact: true })
  await grid.getByRole('cell', { name: '合计', exact: true }).waitFor()
  expect(await page.getByRole('textbox', { name: '截止日期', exact: true }).inputValue()).toBe('2019-01-01')
  const then = await grid.getByRole('rowheader').or(grid.getByRole('cell')).allInnerTexts()
  expect(then).toContain('待生效')
  expect(then).not.toContain('即将到期')
})
