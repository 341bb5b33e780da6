import { compile } from '../engine/schema/compile.ts'
import { readSchemas } from '../engine/server/catalog/sources.ts'
import type { Catalog } from '../engine/model/model.ts'
import { lists } from '../src/lists.ts'

const label = (cn: string, en: string) => ({ cn, en })

/**
 * Counts customers by month, classification, salesman or both; the second tab is for users who may approve customers.
 */
export const customerReport = {
  route: '/customer/report',
  entity: 'customer',
  title: label('客户报表', 'Customer report'),
  permission: 'customer:report:view',
  permissionLabels: {
    'customer:report:view': label('查看', 'View'),
    'customer:report:export': label('导出', 'Export'),
    'customer:report:margin': label('毛利', 'Margin'),
  },
  filters: [
    {
      field: 'submissionTime',
      required: true,
      months: 24,
      defaultFrom: ["month().substring(0, 4) + '-01-01 00:00:00'", "today() + ' 23:59:59'"],
    },
    'classification',
    'salesman',
    { field: 'approvalStatus', default: 'pending,approved' },
  ],
  where: { type: 'enterprise' },
  groups: [
    { name: 'month', label: label('月份', 'Month'), by: [{ field: 'submissionTime', unit: 'month' }] },
    { name: 'classification', by: ['classification'] },
    { name: 'salesman', by: ['salesman'] },
    { name: 'salesmanMonth', by: ['salesman', { field: 'submissionTime', unit: 'month' }] },
    { name: 'services', by: ['serviceTypes'] },
  ],
  measures: {
    customers: { count: true, label: label('客户数', 'Customers') },
    approved: { count: true, where: { approvalStatus: 'approved' }, label: label('已通过', 'Approved') },
    opening: { sum: 'openingBalance' },
    average: { avg: 'openingBalance', label: label('平均期初余额', 'Average opening balance') },
    change: { change: 'customers' },
    days: { max: 'statementDay', label: label('最晚出账日', 'Latest statement day') },
    rate: { formula: 'round(approved / customers * 100, 2)', type: 'percent', label: label('通过率', 'Approval rate') },
  },
  tabs: [
    {
      name: 'summary',
      label: label('汇总', 'Summary'),
      columns: ['customers', 'approved', 'rate'],
      sort: '-customers',
    },
    {
      name: 'money',
      label: label('金额', 'Money'),
      permission: 'customer:report:margin',
      columns: ['opening', 'average', { measure: 'days', total: false }],
    },
    {
      name: 'compared',
      label: label('环比', 'Month on month'),
      columns: ['customers', { measure: 'change', total: false }],
    },
  ],
  charts: [
    {
      name: 'months',
      label: label('每月客户', 'Customers by month'),
      draw: 'bars',
      group: 'month',
      measures: ['customers', 'approved'],
      lines: ['approved'],
    },
    {
      name: 'classes',
      label: label('客户分类', 'Classification'),
      draw: 'ring',
      group: 'classification',
      measures: ['customers'],
      tab: 'summary',
    },
    {
      name: 'salesmen',
      label: label('业务员排行', 'Top salesmen'),
      draw: 'top',
      group: 'salesman',
      measures: ['opening'],
      sort: '-opening',
      limit: 2,
      tab: 'money',
    },
  ],
  records: 'customer.list',
  export: 'customer:report:export',
}

/** Contracts by their status on the current day. */
export const contractReport = {
  route: '/contract/report',
  entity: 'contract',
  title: label('合同报表', 'Contract report'),
  filters: ['status', 'salesman'],
  asOf: { label: label('截止日期', 'As of') },
  groups: [
    { name: 'status', by: ['status'] },
    { name: 'salesman', by: ['salesman'] },
  ],
  measures: { contracts: { count: true }, active: { count: true, where: { status: ['active', 'expiring'] } } },
  tabs: [{ name: 'all', label: label('全部', 'All'), columns: ['contracts', 'active'] }],
}

/** The same customers on a dashboard: this month against the last, all until now, and the last three months. */
export const customerBoard = {
  route: '/customer/board',
  title: label('客户看板', 'Customer board'),
  permission: 'home:dashboard:view',
  blocks: [
    {
      kind: 'figures',
      name: 'month',
      label: label('本月', 'This month'),
      entity: 'customer',
      permission: 'customer:report:view',
      period: { field: 'submissionTime' },
      measures: { customers: { count: true }, opening: { sum: 'openingBalance' } },
    },
    {
      kind: 'figures',
      name: 'all',
      label: label('累计', 'All'),
      entity: 'customer',
      permission: 'customer:report:margin',
      filter: { approvalStatus: 'approved' },
      period: { field: 'submissionTime', upTo: true },
      measures: { customers: { count: true } },
    },
    {
      kind: 'chart',
      name: 'trend',
      label: label('趋势', 'Trend'),
      entity: 'customer',
      permission: 'customer:report:view',
      period: { field: 'submissionTime', months: 4 },
      by: [{ field: 'submissionTime', unit: 'month' }],
      measures: { customers: { count: true }, opening: { sum: 'openingBalance' } },
      draw: 'bars',
      lines: ['opening'],
    },
    ...[{ kind: 'figures' }, { kind: 'chart', by: [{ field: 'submissionTime', unit: 'month' }], draw: 'line' }].map(
      (rest, index) => ({
        ...rest,
        name: ['open', 'openMonths'][index],
        label: label('进行中', 'Open'),
        entity: 'customer',
        permission: 'customer:report:view',
        period: { field: 'submissionTime', until: 'approvalTime', months: [1, 4][index] },
        measures: { customers: { count: true } },
      }),
    ),
    {
      kind: 'chart',
      name: 'top',
      label: label('排行', 'Top'),
      entity: 'customer',
      permission: 'customer:report:view',
      by: ['salesman'],
      measures: { opening: { sum: 'openingBalance' } },
      draw: 'top',
      sort: '-opening',
      limit: 1,
    },
    {
      kind: 'chart',
      name: 'services',
      label: label('服务构成', 'Services'),
      entity: 'contract',
      permission: 'customer:report:view',
      filter: { status: 'drafted' },
      by: [{ field: 'serviceTypes', each: true }],
      measures: { contracts: { count: true } },
      draw: 'ring',
      sort: '-contracts',
      limit: 1,
    },
  ],
}

/** The product's catalog with these screens added. */
export function catalogWith(screens: Record<string, object>): Catalog {
  const { catalog, issues } = compile(
    [
      ...readSchemas('schemas'),
      ...Object.entries(screens).map(([path, content]) => ({
        path: `schemas/${path}.json`,
        text: JSON.stringify(content),
      })),
    ],
    lists,
  )
  if (!catalog) throw new Error(JSON.stringify(issues, null, 1))
  return catalog
}
