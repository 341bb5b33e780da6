import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contracts, employer, serviceValues, sign } from '../../../tests/contract.ts'
import { customerValues } from '../../../tests/customer.ts'
import { catalogWith, contractReport, customerBoard, customerReport } from '../../../tests/reports.ts'
import { createTestServer, type Client, type TestServer } from '../../../tests/server.ts'
import type { GroupedRow, RecordData, Value } from '../../model/model.ts'
import { forgetLog } from '../records/logOperation.ts'

let house: TestServer
let seller: Client & { id: number }
let clerk: Client & { id: number }
let classes: number[]

/** Month, classification, salesman, opening balance, approved. */
const made: [string, number | null, 0 | 1, string, boolean][] = [
  ['2026-01-31 23:59:59', 0, 0, '100.10', true],
  ['2026-01-01 00:00:00', 0, 1, '200.20', true],
  ['2026-03-02 09:00:00', 1, 0, '0.03', false],
  ['2026-03-05 09:00:00', null, 0, '-50.00', true],
]
beforeAll(async () => {
  house = await createTestServer({
    change: () =>
      catalogWith({
        'customer/customer.report': customerReport,
        'contract/contract.report': contractReport,
        'customer/numbers.board': customerBoard,
      }),
  })
  const category = '/customer/customerClassification'
  classes = [await house.create(category, { name: '甲类' }), await house.create(category, { name: '乙类' })]
  await house.create('/setting/role', {
    code: 'reader',
    name: '看报表',
    functionPermissions: ['customer:report:view', 'home:dashboard:view'],
    dataScope: 'self',
  })
  seller = await house.user('seller1', ['看报表'])
  clerk = await house.user('clerk1', ['contractClerk'])
  const salesmen = [seller.id, (await house.user('seller2', ['sales'])).id]
  for (const [time, index, salesman, opening, approved] of made) {
    const id = await house.create(
      '/customer',
      await customerValues(house, {
        salesman: salesmen[salesman],
        ...(index !== null && { classification: classes[index] }),
      }),
    )
    await sql`update customer set "submissionTime" = ${time}, "openingBalance" = ${opening}, "approvalStatus" = ${approved ? 'approved' : 'pending'} where id = ${id}`.execute(
      house.database.kysely,
    )
  }
})
afterAll(() => house?.close())

const year = { submissionTime: { between: ['2026-01-01', '2026-12-31'] } }
const readReport = (query: Record<string, unknown> = {}, as: Client = house.admin) =>
  as.get('/plans/report', { screen: 'customer.report', filters: year, ...query })
const named = (value: Value): Value =>
  Array.isArray(value) ? value.map(named).join('+') : typeof value === 'object' && value !== null ? value.name! : value
const rows = async (query: Record<string, unknown>, as?: Client) => {
  const { code, message, result } = await readReport(query, as)
  if (code !== 1) throw new Error(message)
  return (result.list as GroupedRow[]).map(({ by, values }) => [...by.map(named), ...Object.values(values)])
}

describe('the rows', () => {
  test('are counted by month, with their totals and values computed from counts', async () => {
    expect(await rows({ group: 'month' })).toEqual([
      ['2026-01', 2, 2, '100.0000'],
      ['2026-03', 2, 1, '50.0000'],
    ])
    expect((await readReport({ group: 'month' })).result).toMatchObject({
      total: 2,
      totals: { customers: 4, approved: 3, rate: '75.0000' },
    })
  })

  test('of a month show the change since the month before, even if the filter excludes that month', async () => {
    const compared = (group: string, [from, to]: string[], more: object = {}) =>
      rows({
        tab: 'compared',
        group,
        filters: { submissionTime: { between: [`${from} 00:00:00`, `${to} 23:59:59`] }, ...more },
      })
    await sql`update customer set "submissionTime" = '2026-02-28 23:59:59' where "openingBalance" = 200.20`.execute(
      house.database.kysely,
    )
    try {
      expect(await compared('month', ['2026-01-01', '2026-12-31'])).toEqual([
        ['2026-01', 1, null],
        ['2026-02', 1, '0.0000'],
        ['2026-03', 2, '100.0000'],
      ])
      // February is read even for March alone, and the other filters apply to it.
      expect(await compared('month', ['2026-03-01', '2026-03-31'])).toEqual([['2026-03', 2, '100.0000']])
      expect(await compared('month', ['2026-03-01', '2026-03-31'], { salesman: { in: [seller.id] } })).toEqual([
        ['2026-03', 2, null],
      ])
      // The other salesman's February does not count for this one.
      expect(await compared('salesmanMonth', ['2026-03-01', '2026-03-31'])).toEqual([
        ['用户seller1', '2026-03', 2, null],
      ])
      expect(await compared('salesman', ['2026-01-01', '2026-12-31'])).toEqual([
        ['用户seller1', 3, null],
        ['用户seller2', 1, null],
      ])
    } finally {
      await sql`update customer set "submissionTime" = '2026-01-01 00:00:00' where "openingBalance" = 200.20`.execute(
        house.database.kysely,
      )
    }
  })

  test('are grouped by a field, by several, and by each value of a list', async () => {
    expect(await rows({ group: 'classification', sort: 'customers' })).toEqual([
      ['乙类', 1, 0, '0.0000'],
      [null, 1, 1, '100.0000'],
      ['甲类', 2, 2, '100.0000'],
    ])
    expect((await rows({ group: 'salesmanMonth' })).map((row) => row.slice(0, 3))).toEqual([
      ['用户seller1', '2026-03', 2],
      ['用户seller1', '2026-01', 1],
      ['用户seller2', '2026-01', 1],
    ])
    await sql`update customer set "serviceTypes" = '{dispatch,recruitment}' where "openingBalance" = 100.10`.execute(
      house.database.kysely,
    )
    await sql`update customer set "serviceTypes" = '{recruitment,dispatch}' where "openingBalance" = 200.20`.execute(
      house.database.kysely,
    )
    expect((await rows({ group: 'services' })).map((row) => row.slice(0, 2))).toEqual([
      ['dispatch', 2],
      ['dispatch+recruitment', 2],
    ])
  })

  test('add up exactly, with an average to two places', async () => {
    expect(await rows({ group: 'month', tab: 'money' })).toEqual([
      ['2026-01', '300.30', '150.15', 10],
      ['2026-03', '-49.97', '-24.99', 10],
    ])
    expect((await readReport({ tab: 'money' })).result.totals).toEqual({
      opening: '250.33',
      average: '62.58',
      days: 10,
    })
  })

  test('are sorted by a visible number, and come page by page', async () => {
    expect((await rows({ group: 'salesman', tab: 'money', sort: '-opening' })).map(([name]) => name)).toEqual([
      '用户seller2',
      '用户seller1',
    ])
    expect((await rows({ group: 'salesman', tab: 'money', sort: 'opening' })).map(([name]) => name)).toEqual([
      '用户seller1',
      '用户seller2',
    ])
    expect((await readReport({ group: 'salesmanMonth', page: 2, size: 2 })).result).toMatchObject({
      list: [{ values: { customers: 1 } }],
      total: 3,
    })
    expect((await readReport({ sort: '-opening' })).code).toBe(422)
  })

  test('are limited by the filters and by the report itself', async () => {
    expect(await rows({ filters: { ...year, classification: { under: classes[0] } }, group: 'salesman' })).toEqual([
      ['用户seller1', 1, 1, '100.0000'],
      ['用户seller2', 1, 1, '100.0000'],
    ])
    await sql`update customer set type = 'overseas' where "openingBalance" = 0.03`.execute(house.database.kysely)
    expect((await readReport()).result.totals.customers).toBe(3)
    await sql`update customer set type = 'enterprise' where "openingBalance" = 0.03`.execute(house.database.kysely)
  })

  test('have totals even if there are none', async () => {
    expect(
      (await readReport({ filters: { submissionTime: { between: ['2020-01-01', '2020-12-31'] } } })).result,
    ).toEqual({
      list: [],
      total: 0,
      totals: { customers: 0, approved: 0, rate: null },
    })
  })
})

describe('refused requests', () => {
  test.each([
    ['nothing where something must be chosen', { filters: {} }, '请选择提交时间'],
    ['a range with an open end', { filters: { submissionTime: { between: ['2026-01-01', null] } } }, '请选择提交时间'],
    [
      'a range that is too long',
      { filters: { submissionTime: { between: ['2024-03-01', '2026-03-01'] } } },
      '提交时间最多24个月',
    ],
    [
      'a field that the report does not ask for',
      { filters: { ...year, remark: { contains: 'a' } } },
      '企业客户没有字段“remark”',
    ],
    ['another grouping', { group: 'remark' }, '请求格式不正确：group'],
    ['another tab', { tab: 'other' }, '请求格式不正确：tab'],
    ['another chart', { chart: 'other' }, '请求格式不正确：chart'],
    ['a screen that is no report', { screen: 'customer.list' }, '页面不存在'],
  ])('%s', async (_, query, message) => expect(await readReport(query)).toMatchObject({ message }))

  test('accepts twenty-four months', async () =>
    expect((await readReport({ filters: { submissionTime: { between: ['2024-04-01', '2026-03-31'] } } })).code).toBe(1))
})

describe('a reader', () => {
  test('gets what the data scope covers: rows, totals and charts', async () => {
    expect(await rows({ group: 'salesman' }, seller)).toEqual([['用户seller1', 3, 2, '66.6700']])
    expect((await readReport({ group: 'month' }, seller)).result.totals).toMatchObject({ customers: 3, approved: 2 })
    expect(
      (await readReport({ chart: 'classes' }, seller)).result.list.map(({ values }: GroupedRow) => values.customers),
    ).toEqual([1, 1, 1])
  })

  test('needs the permissions of the report, the tab, the chart and the export', async () => {
    const refused = { code: 403, message: '您没有操作权限，请向上级获取权限后再试！' }
    expect(await readReport({}, clerk)).toMatchObject(refused)
    expect((await readReport({}, seller)).code).toBe(1)
    expect(await readReport({ tab: 'money' }, seller)).toMatchObject(refused)
    expect(await readReport({ chart: 'salesmen' }, seller)).toMatchObject(refused)
    expect(await seller.get('/plans/report/export', { screen: 'customer.report', filters: year })).toMatchObject(
      refused,
    )
    expect((await seller.get('/plans/screen', { name: 'customer.report' })).result.granted).toMatchObject({
      'customer:report:view': true,
      'customer:report:margin': false,
      'customer:report:export': false,
    })
  })

  test('may choose among the people whom the report filters by', async () => {
    expect((await seller.get('/setting/user/options', { search: 'seller' })).result.list.length).toBeGreaterThan(0)
  })
})

describe('charts', () => {
  test('have their own grouping, include empty months, and are limited in number', async () => {
    expect(await rows({ chart: 'months', group: 'salesman' })).toEqual([
      ['2026-01', 2, 2],
      ['2026-02', 0, 0],
      ['2026-03', 2, 1],
    ])
    expect(await rows({ chart: 'salesmen' })).toEqual([
      ['用户seller2', '200.20'],
      ['用户seller1', '50.13'],
    ])
    expect(await rows({ chart: 'classes' })).toEqual([
      ['甲类', 2],
      ['乙类', 1],
      [null, 1],
    ])
  })
})

describe('a board', () => {
  const block = async (name: string, as = house.admin) =>
    (await as.get('/plans/block', { screen: 'numbers.board', name })).result

  test('compares this month with the one before, with the change', async () => {
    expect(await block('month')).toEqual({
      list: [],
      total: 0,
      totals: { customers: 2, opening: '-49.97' },
      before: { customers: 0, opening: '0.00' },
      change: { customers: null, opening: null },
    })
    const submitted = (at: string) =>
      sql`update customer set "submissionTime" = ${at}::timestamp where "openingBalance" = 0.03`.execute(
        house.database.kysely,
      )
    // Today is the fifteenth, so it is compared with fifteen days of the month before.
    await submitted('2026-02-16 00:00:00')
    expect(await block('month')).toMatchObject({ before: { customers: 0 } })
    await submitted('2026-02-15 23:59:59')
    expect(await block('month')).toMatchObject({
      totals: { customers: 1, opening: '-50.00' },
      before: { customers: 1, opening: '0.03' },
      change: { customers: '0', opening: null },
    })
    await sql`update customer set "submissionTime" = '2026-03-02 09:00:00' where "openingBalance" = 0.03`.execute(
      house.database.kysely,
    )
  })

  test('covers everything up to the end of a month', async () => {
    expect(await block('all')).toMatchObject({
      totals: { customers: 3 },
      before: { customers: 2 },
      change: { customers: '50' },
    })
  })

  test('draws the last months, including empty ones, and the top entries', async () => {
    expect((await block('trend')).list).toEqual([
      { by: ['2025-12'], values: { customers: 0, opening: '0.00' } },
      { by: ['2026-01'], values: { customers: 2, opening: '300.30' } },
      { by: ['2026-02'], values: { customers: 0, opening: '0.00' } },
      { by: ['2026-03'], values: { customers: 2, opening: '-49.97' } },
    ])
    expect(await block('top')).toMatchObject({
      list: [{ by: [{ name: '用户seller2' }], values: { opening: '200.20' } }],
      total: 2,
      totals: { opening: '250.33' },
    })
  })

  test('counts what is in progress in each month of which it has a day', async () => {
    await sql`update customer set "approvalTime" = case when "submissionTime" >= '2026-02-01' then null when "openingBalance" = 200.20 then timestamp '2026-01-31 09:00:00' else timestamp '2026-02-01 09:00:00' end`.execute(
      house.database.kysely,
    )
    expect((await block('openMonths')).list).toEqual(
      [
        ['2025-12', 0],
        ['2026-01', 2],
        ['2026-02', 1],
        ['2026-03', 2],
      ].map(([month, customers]) => ({ by: [month], values: { customers } })),
    )
    expect(await block('open')).toMatchObject({
      totals: { customers: 2 },
      before: { customers: 1 },
      change: { customers: '100' },
    })
  })

  test('answers users who have the permission, within their data scope', async () => {
    expect(await block('top', seller)).toMatchObject({
      list: [{ by: [{ name: '用户seller1' }] }],
      total: 1,
      totals: { opening: '50.13' },
    })
    expect(await seller.get('/plans/block', { screen: 'numbers.board', name: 'all' })).toMatchObject({ code: 403 })
    expect(await clerk.get('/plans/block', { screen: 'numbers.board', name: 'trend' })).toMatchObject({ code: 403 })
  })

  test('refuses users whose roles the screen excludes', async () => {
    const { screens } = house.runtime.derived.catalog
    const plan = screens['numbers.board']
    screens['numbers.board'] = { ...plan, roles: [['contractClerk']] }
    const readBlock = (as: Client) => as.get('/plans/block', { screen: 'numbers.board', name: 'top' })
    expect([(await readBlock(seller)).code, (await readBlock(house.admin)).code]).toEqual([403, 1])
    screens['numbers.board'] = plan
  })
})

test('a sheet has the rows of the tab in order, with numbers as numbers, and the totals', async () => {
  const answer = await house.admin.get('/plans/report/export', {
    screen: 'customer.report',
    filters: year,
    group: 'salesmanMonth',
    tab: 'money',
    sort: '-opening',
  })
  expect(decodeURIComponent(String(answer.headers['content-disposition']))).toContain('客户报表_金额_20260315')
  const {
    sheets: [sheet],
  } = await readXlsx((answer as unknown as { raw: Buffer }).raw)
  expect(sheet.rows).toEqual([
    ['业务员', '提交时间', '期初余额', '平均期初余额', '最晚出账日'],
    ['用户seller2', '2026-01', 200.2, 200.2, 10],
    ['用户seller1', '2026-01', 100.1, 100.1, 10],
    ['用户seller1', '2026-03', -49.97, -24.99, 10],
    ['合计', null, 250.33, 62.58, null],
  ])
  // The log has it like any other export: with client and filters, and forgets it in time.
  const entries = async () =>
    (await house.admin.get('/setting/operationLog/list', { filters: { action: { in: ['export'] } } })).result.list.map(
      ({ module, message, ip }: RecordData) => ({ module, message, ip }),
    )
  expect(await entries()).toEqual([{ module: 'customer', message: `×3 ${JSON.stringify(year)}`, ip: '127.0.0.1' }])
  await sql`update system_history set at = at - interval '3 years' where action = 'export'`.execute(
    house.database.kysely,
  )
  await forgetLog(house.context())
  expect(await entries()).toEqual([])
})

test('on another date, fields that depend on time have their values of that date', async () => {
  const { customer, agency } = await employer(house)
  for (const [startDate, endDate, type] of [
    ['2026-01-01', '2026-12-31', 'dispatch'],
    ['2026-07-01', '2027-06-30', 'outsourcing'],
  ]) {
    const rule = { serviceType: type, feeMode: 'none', chargeRule: 'fullMonth', effectiveFrom: '2026-01' }
    await sign(
      house,
      await house.create(
        contracts,
        serviceValues(customer, agency, { startDate, endDate, serviceTypes: [type], feeRules: [rule] }),
      ),
      '2026-03-01',
    )
  }
  const asOf = async (day?: string) =>
    (await house.admin.get('/plans/report', { screen: 'contract.report', asOf: day })).result
  const statuses = async (day?: string) =>
    (await asOf(day)).list.map(({ by: [status], values }: GroupedRow) => [status, values.active])
  expect(await statuses()).toEqual([
    ['upcoming', 0],
    ['active', 1],
  ])
  expect(await statuses('2026-07-01')).toEqual([['active', 2]])
  expect(await statuses('2027-01-01')).toEqual([
    ['active', 1],
    ['expired', 0],
  ])
  expect((await asOf('2026-07-01')).totals).toEqual({ contracts: 2, active: 2 })
  expect((await house.admin.get('/plans/report', { screen: 'contract.report', asOf: '2026-02-30' })).code).toBe(422)
})

test('the rest of a chart counts a record in each of its groups', async () => {
  const { customer, agency } = await employer(house)
  for (const serviceTypes of [['dispatch', 'outsourcing', 'recruitment'], ['dispatch', 'outsourcing'], ['dispatch']]) {
    const feeRules = serviceTypes.map((serviceType) => ({
      serviceType,
      feeMode: 'none',
      chargeRule: 'fullMonth',
      effectiveFrom: '2026-01',
    }))
    await house.create(contracts, serviceValues(customer, agency, { serviceTypes, feeRules }))
  }
  const { result } = await house.admin.get('/plans/block', { screen: 'numbers.board', name: 'services' })
  expect(result).toEqual({
    list: [{ by: [['dispatch']], values: { contracts: 3 } }],
    total: 3,
    totals: { contracts: 3 },
    rest: { contracts: 3 },
  })
})
