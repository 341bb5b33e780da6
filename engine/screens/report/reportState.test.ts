import { expect, test } from 'vitest'
import { field, label } from '../../../tests/fixtures/screen.tsx'
import type { ReportFilter, ReportPlan } from '../../model/model.ts'
import { listPlanOf, problemOf, readReportState, writeReportState } from './reportState.ts'

const filter = (rest: Partial<ReportFilter>): ReportFilter => ({
  field: 'month',
  label: { cn: '月份', en: 'Month' },
  operator: 'between',
  required: false,
  ...rest,
})
const column = (measure: string) => ({ measure, label: label(measure), width: 100, total: true, sort: true })
const plan: ReportPlan = {
  filters: [
    filter({ defaultFrom: ["month().substring(0, 4) + '-01'", 'month()'], required: true, months: 24 }),
    filter({ field: 'status', operator: 'in', default: 'a,b' }),
  ],
  where: {},
  asOf: field('asOf', 'date'),
  measures: [],
  charts: [],
  groups: [
    { name: 'month', label: label('m'), by: [] },
    { name: 'customer', label: label('c'), by: [] },
  ],
  tabs: [
    { name: 'sums', label: label('s'), columns: [column('amount')], sort: '-amount' },
    { name: 'ages', label: label('a'), columns: [column('old')] },
  ],
}
const today = '2026-03-15'
const scope = { user: { id: 7, name: '周演', roles: [], department: null }, settings: {}, now: `${today} 00:00:00` }
const listOf = (tab?: string) => listPlanOf(plan, plan.tabs, tab, scope)

test('filters start with defaults that depend on the date', () => {
  expect(readReportState({}, plan, listOf(), today)).toEqual({
    group: 'month',
    asOf: today,
    list: {
      search: '',
      filters: { month: { between: ['2026-01', '2026-03'] }, status: { in: ['a', 'b'] } },
      tab: 'sums',
      sort: '-amount',
      page: 1,
      size: 50,
    },
  })
  expect(writeReportState(readReportState({}, plan, listOf(), today), plan, listOf(), today)).toEqual({})
})

test("the reader's choices are in the address, and meaningless values are ignored", () => {
  const chosen = { group: 'customer', asOf: '2026-02-28', 'f.status': '{"in":["c"]}', tab: 'ages', sort: 'old' }
  expect(writeReportState(readReportState(chosen, plan, listOf('ages'), today), plan, listOf('ages'), today)).toEqual(
    chosen,
  )
  expect(
    readReportState({ group: 'other', asOf: 'x', tab: 'ages', sort: 'amount' }, plan, listOf('ages'), today),
  ).toMatchObject({ group: 'month', asOf: today, list: { tab: 'ages', sort: undefined } })
})

test('reports a missing range and the longest one allowed in every language', () => {
  const months = (from: string | null, to: string | null) =>
    problemOf(plan.filters, { month: { between: [from, to] } })?.cn
  expect([
    months('2024-04', '2026-03'),
    months('2024-03', '2026-03'),
    months('2026-01', null),
    months(null, null),
  ]).toEqual([undefined, '月份最多24个月', '请选择月份', '请选择月份'])
  expect(problemOf([filter({ months: 1 })], { month: { between: ['2026-01', '2026-03'] } })).toEqual({
    cn: '月份最多1个月',
    en: 'Month may cover at most 1 month',
  })
  expect(problemOf(plan.filters, {})).toEqual({ cn: '请选择月份', en: 'Please select Month' })
  expect(problemOf([filter({ months: 2 })], { month: { between: [null, '2026-03'] } })).toBeUndefined()
})
