import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Decimal, decimalOf } from '../../engine/expression/index.ts'
import { initialState } from '../../engine/screens/list/listState.ts'
import { recordsLink } from '../../engine/screens/report/recordsLink.ts'
import { listPlanOf } from '../../engine/screens/report/reportState.ts'
import type { GroupedRow, MeasurePlan, ReportPlan, ReportResult, ScreenPlan } from '../../engine/model/model.ts'
import { contractReport, customerReport } from '../reports.ts'
import { call, list, open, route, useDemo } from './app.ts'
import { catalog, languages, widgets } from './catalog.ts'
import { fill } from './controls.ts'
import { serveCopiedSchemas } from './copiedSchemas.ts'
import { readSheet } from './sheet.ts'
import { violations } from './violations.ts'
import { isLong } from '../long.ts'

// Reports added to those of the product, so that every part of the screen kind is tested.
if (isLong)
  serveCopiedSchemas({
    prepare(schemas) {
      const write = (file: string, report: object) => writeFileSync(path.join(schemas, file), JSON.stringify(report))
      write('customer/customer.report.json', { ...customerReport, menu: {} })
      write('contract/contract.report.json', contractReport)
    },
  })
else useDemo({ isShared: true })

const words = {
  cn: {
    title: '客户报表',
    group: '统计方式',
    salesman: '业务员',
    total: '合计',
    money: '金额',
    table: '数据表',
    months: '每月客户',
    customers: '客户数',
    alert: '请选择提交时间',
    query: '查询',
  },
  en: {
    title: 'Customer report',
    group: 'Group by',
    salesman: 'Salesman',
    total: 'Total',
    money: 'Money',
    table: 'Table',
    months: 'Customers by month',
    customers: 'Customers',
    alert: 'Please select Submission time',
    query: 'Search',
  },
}

// `report.view.test.tsx` has the same steps, and `screens.test.ts` opens and audits a report, in the short form.
describe.skipIf(!isLong).each(languages)('in %s', (language) => {
  const say = words[language]

  test('a report regroups, its numbers open the matching records, and its charts have tables', async () => {
    const page = await open('/customer/report', { language })
    const grid = page.getByRole('table', { name: say.title, exact: true })
    await grid.getByRole('cell', { name: say.total, exact: true }).waitFor()
    expect(
      await page.getByRole('search').getByRole('textbox').first().inputValue(),
      'begins with the first day of the year',
    ).toMatch(/^\d{4}-01-01/)
    await page.getByRole('img', { name: say.months, exact: true }).waitFor()
    expect(await violations(page)).toEqual([])

    await page.getByRole('button', { name: `${say.table}: ${say.months}`, exact: true }).click()
    const { list: months } = await call<ReportResult>('GET', '/plans/report', {
      screen: 'customer.report',
      chart: 'months',
      filters: thisYear(),
    })
    const drawn = await page.getByRole('table', { name: say.months, exact: true }).getByRole('row').allInnerTexts()
    expect(drawn.slice(1).map((text) => text.split(/\s+/).slice(0, 2))).toEqual(
      months.map(({ by: [month], values }: GroupedRow) => [month, String(values.customers)]),
    )

    await fill(page.getByRole('main'), say.group, say.salesman)
    await expect.poll(() => route(page)).toContain('group=salesman')
    await grid.getByRole('columnheader', { name: say.salesman, exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    const [, first] = await grid.getByRole('row').all()
    const number = Number(await first.getByRole('link').first().innerText())
    await first.getByRole('link').first().click()
    await expect.poll(() => route(page).split('?')[0]).toBe('/customer')
    const linkFilters = Object.fromEntries(
      [...new URLSearchParams(route(page).split('?')[1])]
        .filter(([, value]) => value)
        .map(([key, value]) => [key.slice(2), JSON.parse(value) as object]),
    )
    expect((await list('/customer', { filters: linkFilters })).total).toBe(number)
    await page.getByText(language === 'cn' ? `共${number}条` : `${number} records`, { exact: true }).waitFor()
  })

  test('nothing is read until the required filters are chosen', async () => {
    const page = await open('/customer/report?f.submissionTime=', { language })
    await page.getByRole('main').getByRole('alert').filter({ hasText: say.alert }).waitFor()
    expect(await page.getByRole('table', { name: say.title, exact: true }).count()).toBe(0)
  })

  test('a report fits 390 pixels and is accessible there', async () => {
    const page = await open('/customer/report', { language, width: 390, height: 844 })
    await page.getByRole('img', { name: say.months, exact: true }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    expect(await violations(page)).toEqual([])
  })
})

const reports = Object.values(catalog.screens).filter(({ kind }) => kind === 'report') as ScreenPlan<ReportPlan>[]
const added = (measure: MeasurePlan) => measure.value.kind === 'sum' || measure.value.kind === 'count'

describe.each(reports)('$name', ({ name, body: plan, entity: about }) => {
  const entity = catalog.entities[about!]
  const now = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  const { filters } = initialState(
    listPlanOf(plan, plan.tabs, undefined, {
      user: { id: 1, name: '', roles: [], department: null },
      settings: {},
      now,
    }),
  )
  const read = (query: object) =>
    call<ReportResult>('GET', '/plans/report', { screen: name, filters, size: 1000, ...query })

  test.runIf(isLong)('its rows add up to its totals under every grouping', async () => {
    for (const tab of plan.tabs) {
      const first = await read({ tab: tab.name })
      expect(first.total, 'rows of the demo').toBeGreaterThan(0)
      for (const group of plan.groups) {
        const { list: rows, total, totals } = await read({ tab: tab.name, group: group.name })
        expect(totals, `${tab.name} by ${group.name}`).toEqual(first.totals)
        if (total > rows.length) continue
        for (const measure of plan.measures.filter((each) => added(each) && each.name in totals)) {
          const sum = rows.reduce((whole, { values }) => whole.plus(decimalOf(values[measure.name])!), new Decimal(0))
          expect(
            sum.equals(decimalOf(totals[measure.name])!),
            `${measure.name} by ${group.name}: ${sum.toFixed()} is ${String(totals[measure.name])}`,
          ).toBe(true)
        }
      }
    }
  })

  test.runIf(isLong)('the records that a number opens add up to that number', async () => {
    let opened = 0
    const seen = new Set<string>()
    for (const tab of plan.tabs) {
      for (const group of plan.groups) {
        // Each measure and each grouping is opened once, and every pair of them in the long run.
        const measures = plan.measures.filter(
          (each) =>
            added(each) &&
            tab.columns.some(({ measure }) => measure === each.name) &&
            (isLong || !seen.has(each.name) || !seen.has(group.name)),
        )
        if (measures.length === 0) continue
        const { list: rows } = await read({ tab: tab.name, group: group.name })
        for (const row of rows.slice(0, 1)) {
          for (const measure of measures) {
            const link = recordsLink(
              plan,
              { measure, group, by: row.by, filters },
              (field) => widgets[entity.fields[field].type].operators,
            )
            if (link === undefined || (!isLong && seen.has(measure.name) && seen.has(group.name))) continue
            seen.add(measure.name).add(group.name)
            opened++
            const linkFilters = Object.fromEntries(
              [...new URLSearchParams(link.split('?')[1])]
                .filter(([, value]) => value)
                .map(([key, value]) => [key.slice(2), JSON.parse(value) as object]),
            )
            const summed = 'of' in measure.value ? measure.value.of : undefined
            const found = await list(entity.endpoint, {
              filters: linkFilters,
              size: 1,
              ...(summed !== undefined && { sums: [summed] }),
            })
            const listed = summed === undefined ? found.total : found.sums![summed]
            expect(
              decimalOf(listed)!.equals(decimalOf(row.values[measure.name])!),
              `${link}: ${listed} is ${String(row.values[measure.name])}`,
            ).toBe(true)
          }
        }
      }
    }
    expect(opened > 0).toBe(plan.records !== undefined)
  })

  // The charts of the customer report are opened above.
  test.skipIf(!isLong).each(plan.charts)(
    'its chart $name has a table of its data',
    async ({ name: chart, tab, group }) => {
      const page = await open(`${catalog.screens[name].route}?${tab === undefined ? '' : `tab=${tab}`}`)
      const label = plan.charts.find((each) => each.name === chart)!.label.cn
      await page.getByRole('button', { name: `数据表: ${label}`, exact: true }).click()
      const { list: rows } = await read({ chart, group })
      await expect
        .poll(() => page.getByRole('table', { name: label, exact: true }).getByRole('row').count())
        .toBeGreaterThan(Math.min(rows.length, 1))
    },
  )
})

/** The filters that the report starts with. */
function thisYear() {
  const today = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
  return {
    submissionTime: { between: [`${today.slice(0, 4)}-01-01 00:00:00`, `${today} 23:59:59`] },
    approvalStatus: { in: ['pending', 'approved'] },
  }
}

test.runIf(isLong)('a report is exported as it is grouped and sorted', async () => {
  const page = await open('/customer/report?group=salesmanMonth&tab=money&sort=-opening')
  const grid = page.getByRole('table', { name: words.cn.title, exact: true })
  await grid.getByRole('cell', { name: words.cn.total, exact: true }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '导出', exact: true }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^客户报表_金额_\d{12}\.xlsx$/)
  const [header, ...rows] = await readSheet(download)
  expect(header).toEqual(['业务员', '提交时间', '期初余额', '平均期初余额', '最晚出账日'])
  const { list: first, total } = await call<ReportResult>('GET', '/plans/report', {
    screen: 'customer.report',
    group: 'salesmanMonth',
    tab: 'money',
    sort: '-opening',
    filters: thisYear(),
    size: 1,
  })
  expect(rows).toHaveLength(total + 1)
  expect(rows[0].slice(0, 3)).toEqual([
    (first[0].by[0] as { name: string }).name,
    first[0].by[1],
    Number(first[0].values.opening),
  ])
})

test.runIf(isLong)(
  'a report as of an earlier day shows the states of that day, and its numbers open nothing',
  async () => {
    const page = await open('/contract/report?asOf=2019-01-01')
    const grid = page.getByRole('table', { name: '合同报表', exact: true })
    await grid.getByRole('cell', { name: '合计', exact: true }).waitFor()
    expect(await page.getByRole('textbox', { name: '截止日期', exact: true }).inputValue()).toBe('2019-01-01')
    const then = await grid.getByRole('rowheader').or(grid.getByRole('cell')).allInnerTexts()
    expect(then).toContain('待生效')
    expect(then).not.toContain('即将到期')
  },
)
