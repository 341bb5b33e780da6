// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { bundleOf, openScreen, user } from '../../../tests/screen.tsx'
import { fieldOf, stubBrowser } from '../../../tests/stage.tsx'
import type { ActionPlan, ListResult, ScreenPlan } from '../../model/model.ts'
import type { ListPlan } from './list.ts'
import { firstListReads } from './listRead.ts'
import { isLong } from '../../../tests/long.ts'

beforeAll(stubBrowser)
afterEach(cleanup)

const label = (cn: string) => ({ cn, en: cn })
const fields = [
  fieldOf('text', 'name', { maxLength: 60 }),
  fieldOf('money', 'balance', { negative: true }),
  fieldOf('choice', 'status', { choices: 'status' }),
  fieldOf('reference', 'parent', { entity: 'thing' }),
]
const choices = [
  { value: 'pending', label: label('待审核') },
  { value: 'approved', label: label('已通过') },
]
const dictionaries = { status: { name: 'status', label: label('状态'), mayGrow: false, choices } }
const column = (field: string, rest = {}) => ({
  field,
  label: label(field),
  width: 120,
  sum: false,
  sort: true,
  hidden: false,
  ...rest,
})
const assign: ActionPlan = {
  name: 'assign',
  label: label('分配'),
  on: 'batch',
  permission: 'x',
  danger: false,
  primary: false,
  do: { kind: 'call', path: '/thing/assign', form: [], keepEmpty: true },
}
const body: ListPlan = {
  search: label('客户名称'),
  filters: [
    { field: 'name', label: label('简称'), operator: 'contains' },
    { field: 'status', label: label('状态'), operator: 'in' },
  ],
  columns: [
    column('name', { link: '/thing/detail?id={id}', fixed: 'left' }),
    column('balance', { sum: true }),
    column('status'),
  ],
  sort: '-balance',
  pageSize: 20,
  where: {},
  actions: [assign],
  paths: { list: '/thing/list' },
  tabs: [
    { name: 'all', label: label('全部'), filter: {} },
    { name: 'pending', label: label('待审核'), filter: { status: { equals: 'pending' } } },
  ],
  marks: [{ when: "status == 'pending' && balance < 0", tag: 'danger', label: label('欠款') }],
}
const plan = (rest: Partial<ListPlan> = {}): ScreenPlan => ({
  name: 'thing',
  kind: 'list',
  area: '',
  title: label('客户'),
  parameters: [],
  entity: 'thing',
  permission: '',
  noCache: false,
  file: '',
  body: { ...body, ...rest },
})
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    revision: 1,
    name: `客户${index + 1}`,
    balance: index === 0 ? '-1234.50' : '10.00',
    status: index === 0 ? 'pending' : 'approved',
    parent: index % 2 ? { id: 1, code: null, name: '' } : null,
  }))
const result = (rest: Partial<ListResult> = {}): ListResult => ({
  list: rows(3),
  total: 45,
  sums: { balance: '999.00' },
  counts: [45, 7],
  ...rest,
})
const open = (rest: Partial<Parameters<typeof openScreen>[0]> = {}, body: Partial<ListPlan> = {}) =>
  openScreen({ bundle: bundleOf(plan(body), fields, { dictionaries }), answers: { '/thing/list': result() }, ...rest })
const lists = (seen: Awaited<ReturnType<typeof open>>) =>
  seen.requests.filter(({ path }) => path === '/thing/list').map(({ payload }) => payload)

test('the rows are a table: headers, texts in one element, links, marks and the sum of all', async () => {
  const seen = await open()
  const table = await screen.findByRole('table', { name: '客户' })
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((cell) => cell.textContent),
  ).toEqual(['', 'name', '提示', 'balance', 'status'])
  const [, first, second] = within(table).getAllByRole('row')
  expect(within(first).getByRole('link', { name: '客户1' }).getAttribute('href')).toBe('#/thing/detail?id=1')
  expect([...first.children].map((cell) => cell.textContent)).toEqual(['', '客户1', '欠款', '-￥1,234.50', '待审核'])
  expect(second.textContent).not.toContain('欠款')
  const money = within(second).getByText('￥10.00')
  expect([money.tagName, money.childElementCount, money.className]).toEqual(['TD', 0, 'align-right'])
  expect(within(table).getByText('￥999.00')).toBeTruthy()
  expect(seen.busy).toEqual([true, false])
  const counts = [{}, { status: { equals: 'pending' } }]
  expect(lists(seen)[0]).toMatchObject({ page: 1, size: 20, sort: '-balance', counts, sums: ['balance'] })
})

test.each<[string, Record<string, string>, Partial<ListPlan>]>([
  ['no parameters', {}, {}],
  ['a page, an order and a tab', { page: '2', sort: 'name', tab: 'pending' }, {}],
  ['a filter and a search', { q: '客户', 'f.status': '{"in":["pending"]}' }, {}],
  ['a parameter that narrows it', { of: '7' }, { narrowedBy: { of: 'parent' } }],
  [
    'a default of today',
    {},
    { filters: [{ ...body.filters[0], operator: 'contains', defaultFrom: ['string(today())'] }] },
  ],
])('with %s in its address, its first requests are known before it is drawn', async (_, address, rest) => {
  const seen = await open({ query: address, state: address }, rest)
  await screen.findByRole('table', { name: '客户' })
  const sent = seen.requests.map(({ path, payload }) => [path, payload])
  const scope = {
    user: { id: 1, name: '管理员', roles: ['admin'], department: null },
    settings: {},
    now: '2026-03-10 00:00:00',
  }
  const { requests, preferences } = firstListReads(plan(rest), address, scope)
  expect(requests).toHaveLength(1)
  for (const { path, query } of requests) expect(sent).toContainEqual([path, query])
  for (const key of preferences) expect(sent).toContainEqual(['/preferences', { key }])
})

test.skipIf(!isLong)(
  'the tree of a filter narrows the list to a branch, until the branch is chosen again',
  async () => {
    const nodes = [
      { id: 1, code: null, name: '总部', parent: null },
      { id: 2, code: null, name: '财务部', parent: 1 },
      { id: 3, code: null, name: '分公司', parent: 9 },
    ]
    const seen = await open(
      { answers: { '/thing/list': result(), '/thing/options': { list: nodes, total: 3 } } },
      {
        beside: { field: 'parent', entity: 'thing' },
        filters: [...body.filters, { field: 'parent', label: label('部门'), operator: 'under' }],
      },
    )
    const tree = within(await screen.findByRole('complementary', { name: 'parent' }))
    await tree.findByText('财务部')
    expect(tree.getAllByRole('treeitem').map((item) => item.textContent)).toEqual(['总部', '财务部', '分公司'])
    const lastFilters = () => (lists(seen).at(-1) as { filters?: object }).filters
    await user.click(tree.getByText('财务部'))
    await waitFor(() => expect(lastFilters()).toEqual({ parent: { under: 2 } }))
    await user.click(tree.getByText('财务部'))
    await waitFor(() => expect(lastFilters()).toBeUndefined())
  },
)

test('an address parameter narrows the list and prefills new records; without it all rows are listed', async () => {
  const narrowed = { narrowedBy: { parentId: 'parent' } }
  const child = await open({ query: { parentId: '7' } }, narrowed)
  await screen.findByRole('table', { name: '客户' })
  expect(lists(child)[0]).toMatchObject({ tab: { parent: { equals: '7' } } })
  cleanup()
  const all = await open({}, narrowed)
  await screen.findByRole('table', { name: '客户' })
  expect(lists(all)[0]).not.toHaveProperty('tab')
})

test('filters, tab, sort, page and size are in the address and in the request', async () => {
  const seen = await open()
  await user.type(await screen.findByLabelText('客户名称'), 'qlwl')
  await user.type(await screen.findByLabelText('简称'), '启澜')
  await user.submit(screen.getByLabelText('简称'))
  await waitFor(() => expect(seen.state).toEqual({ q: 'qlwl', 'f.name': '{"contains":"启澜"}' }))
  expect(lists(seen).at(-1)).toMatchObject({ search: 'qlwl', filters: { name: { contains: '启澜' } } })
  await user.click(screen.getByRole('tab', { name: '待审核7' }))
  await user.click(within(screen.getByRole('columnheader', { name: 'name' })).getByRole('button'))
  await user.click(screen.getByRole('button', { name: '第2页' }))
  expect(seen.state).toEqual({ q: 'qlwl', 'f.name': '{"contains":"启澜"}', tab: 'pending', sort: 'name', page: '2' })
  expect(screen.getByRole('columnheader', { name: 'name' }).getAttribute('aria-sort')).toBe('ascending')
  // The 21st row stays visible.
  await user.select(screen.getByLabelText('每页条数'), '10')
  expect(seen.state).toMatchObject({ page: '3', size: '10' })
  expect(lists(seen).at(-1)).toMatchObject({ page: 3, size: 10, sort: 'name', tab: { status: { equals: 'pending' } } })
  await user.click(screen.getByRole('button', { name: '重置' }))
  expect(seen.state).toEqual({ tab: 'pending', sort: 'name', size: '10' })
  expect((screen.getByLabelText('简称') as HTMLInputElement).value).toBe('')
})

test('an address opens the list as it was', async () => {
  const filters = { status: { in: ['pending'] } }
  const seen = await open({
    state: { q: 'abc', 'f.status': '{"in":["pending"]}', tab: 'pending', page: '2', size: '10' },
  })
  expect(((await screen.findByLabelText('客户名称')) as HTMLInputElement).value).toBe('abc')
  expect(lists(seen)[0]).toMatchObject({
    search: 'abc',
    filters,
    page: 2,
    size: 10,
    tab: { status: { equals: 'pending' } },
  })
})

test('the arrow keys move through the tabs', async () => {
  const seen = await open()
  fireEvent.keyDown(await screen.findByRole('tab', { name: '全部45' }), { key: 'ArrowRight' })
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: '待审核7' }))
  expect(seen.state).toEqual({ tab: 'pending' })
})

test('a batch action is enabled for ticked rows, and shows their number', async () => {
  const assigned = { succeeded: 1, failed: [{ id: 3, message: '当前状态不允许此操作' }] }
  const seen = await open({ answers: { '/thing/list': result(), '/thing/assign': assigned } })
  expect(((await screen.findByRole('button', { name: '分配' })) as HTMLButtonElement).disabled).toBe(true)
  await user.click(screen.getByLabelText('选择第2行'))
  await user.click(screen.getByLabelText('选择第3行'))
  expect(screen.getByText('已选2项')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '分配（2）' }))
  expect(await screen.findByRole('dialog', { name: '成功1条，失败1条' })).toBeTruthy()
  expect(screen.getByText('当前状态不允许此操作')).toBeTruthy()
  expect(seen.requests.find(({ path }) => path === '/thing/assign')?.payload).toEqual({
    ids: [2, 3],
    seen: { thing: { 2: 1, 3: 1 } },
    values: {},
  })
  await waitFor(() => expect((screen.getByLabelText('选择第2行') as HTMLInputElement).checked).toBe(false))
  expect(lists(seen)).toHaveLength(2)
})

test('each user has separate columns', async () => {
  const saved: unknown[] = []
  const chosen = (field: string) => ({ field, hidden: false, pin: 'none' })
  await open({
    answers: {
      '/thing/list': result(),
      '/preferences': (given: { value?: unknown }) =>
        given.value === undefined ? { columns: ['status', 'gone', 'balance'].map(chosen) } : saved.push(given),
    },
  })
  const heads = () =>
    screen
      .getAllByRole('columnheader')
      .map((cell) => cell.textContent)
      .slice(1)
  await screen.findByRole('table')
  // `name` is pinned by the schema, so it comes before the columns that the user has arranged.
  expect(heads()).toEqual(['name', '提示', 'status', 'balance'])
  await user.click(screen.getByRole('button', { name: '列设置' }))
  const dialog = await screen.findByRole('dialog', { name: '列设置' })
  await user.click(within(dialog).getByLabelText('balance'))
  await user.click(within(dialog).getByRole('button', { name: '确定' }))
  expect(heads()).toEqual(['name', '提示', 'status'])
  const columns = [{ field: 'name' }, { field: 'status' }, { field: 'balance', hidden: true }]
  expect(saved).toMatchObject([{ key: 'list:thing', value: { columns } }])
  fireEvent.keyDown(within(screen.getByRole('columnheader', { name: 'status' })).getByRole('button'), {
    key: 'ArrowRight',
    shiftKey: true,
  })
  await waitFor(() => expect(saved).toHaveLength(2))
})

test('a tree opens and closes', async () => {
  await open(
    { answers: { '/thing/list': result({ list: rows(4), sums: {}, counts: [] }) } },
    { tree: { parent: 'parent' }, tabs: [] },
  )
  const names = () => screen.getAllByRole('link').map((link) => link.textContent)
  await screen.findByRole('table')
  expect(names()).toEqual(['客户1', '客户2', '客户4', '客户3'])
  await user.click(screen.getByRole('button', { name: '收起客户1' }))
  expect(names()).toEqual(['客户1', '客户3'])
  expect(screen.getByRole('button', { name: '展开客户1' }).getAttribute('aria-expanded')).toBe('false')
})

test('of ten thousand rows and fifty columns only a few are drawn', async () => {
  const many = Array.from({ length: 50 }, (_, index) => `c${index}`)
  const list = Array.from({ length: 10_000 }, (_, index) => ({ id: index + 1, name: `客户${index + 1}` }))
  const wide = plan({ tabs: [], columns: [column('name'), ...many.map((field) => column(field))] })
  await openScreen({
    bundle: bundleOf(wide, [...fields, ...many.map((field) => fieldOf('text', field))], { dictionaries }),
    answers: { '/thing/list': result({ list, sums: {} }) },
  })
  const table = await screen.findByRole('table')
  expect(within(table).getAllByRole('columnheader')).toHaveLength(52)
  expect(table.querySelectorAll('tbody tr').length).toBeLessThan(60)
  expect(table.querySelectorAll('tbody tr:first-child td').length).toBeLessThan(30)
  expect(table.getAttribute('aria-rowcount')).toBe('10001')
  const scroller = table.parentElement!
  Object.defineProperties(scroller, { clientWidth: { value: 1000 }, clientHeight: { value: 500 } })
  scroller.scrollTop = 200_000
  fireEvent.scroll(scroller)
  expect(within(table).getByText('客户5270')).toBeTruthy()
  expect(within(table).queryByText('客户1')).toBeNull()
})

test('distinguishes no matches, no records, and a failure', async () => {
  let failing = true
  const answer = () => {
    if (failing) throw new Error('系统错误')
    return result({ list: [], total: 0 })
  }
  const seen = await open({ state: { q: 'x' }, answers: { '/thing/list': answer } })
  expect(await screen.findByText('数据加载失败')).toBeTruthy()
  expect(seen.busy.at(-1)).toBe(false)
  failing = false
  await user.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByText('没有符合条件的数据')).toBeTruthy()
  await user.click(screen.getAllByRole('button', { name: '重置' })[1])
  expect(await screen.findByText('暂无数据')).toBeTruthy()
})

test('a record without a value in the column that leads to it has no link without a text', async () => {
  const list = [{ ...rows(1)[0], name: null }, rows(2)[1]]
  await open({ answers: { '/thing/list': result({ list }) } })
  const table = await screen.findByRole('table')
  const links = within(table).getAllByRole('link')
  expect(links.map(({ textContent }) => textContent)).toEqual([list[1].name])
})

test('a column may run an action of the row if it is visible', async () => {
  const opening: ActionPlan = {
    name: 'open',
    label: label('打开'),
    on: 'row',
    permission: 'x',
    shownWhen: "status == 'approved'",
    danger: false,
    primary: false,
    do: { kind: 'link', to: '/thing/detail?id={id}' },
  }
  const { navigate } = await open(
    {},
    { columns: [column('name', { action: 'open' }), column('status')], actions: [opening], marks: [] },
  )
  await screen.findByRole('table', { name: '客户' })
  expect(screen.queryByRole('button', { name: '客户1' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: '客户2' }))
  expect(navigate).toHaveBeenCalledWith('/thing/detail?id=2')
})

test.skipIf(!isLong)('of several actions with its name a column runs the one available for the record', async () => {
  const opening = (status: string, to: string): ActionPlan => ({
    name: 'open',
    label: label('打开'),
    on: 'row',
    permission: 'x',
    shownWhen: `status == '${status}'`,
    danger: false,
    primary: false,
    do: { kind: 'link', to },
  })
  const actions = [opening('closed', '/thing/closed?id={id}'), opening('approved', '/thing/detail?id={id}')]
  const { navigate } = await open(
    {},
    { columns: [column('name', { action: 'open' }), column('status')], actions, marks: [] },
  )
  await screen.findByRole('table', { name: '客户' })
  fireEvent.click(screen.getByRole('button', { name: '客户2' }))
  expect(navigate).toHaveBeenCalledWith('/thing/detail?id=2')
})

test.skipIf(!isLong)('a list starts with defaults that depend on the date, unless it is about one record', async () => {
  const filters = [
    {
      field: 'status',
      label: label('状态'),
      operator: 'in' as const,
      defaultFrom: ["month() < '2000-01' ? 'pending' : 'approved'"],
    },
  ]
  const whole = await open({}, { filters })
  await waitFor(() => expect(lists(whole).at(-1)).toMatchObject({ filters: { status: { in: ['approved'] } } }))
  cleanup()
  const narrowed = await open({ query: { parent: '7' } }, { filters, narrowedBy: { parent: 'parent' } })
  await waitFor(() => expect(lists(narrowed).at(-1)).toMatchObject({ tab: { parent: { equals: '7' } } }))
  expect(lists(narrowed).at(-1)).not.toHaveProperty('filters')
})

test('an export names its screen, whose labels are the headers, with the visible columns and filters', async () => {
  const sheet: ActionPlan = {
    name: 'export',
    label: label('导出'),
    on: 'toolbar',
    permission: 'x',
    danger: false,
    primary: false,
    do: { kind: 'export', path: '/thing/export' },
  }
  const { requests } = await open(
    { answers: { '/thing/list': result(), '/thing/export': null } },
    { actions: [sheet], columns: [column('name'), column('balance', { hidden: true }), column('status')] },
  )
  await screen.findByRole('table', { name: '客户' })
  await user.click(screen.getByRole('button', { name: '导出' }))
  await waitFor(() =>
    expect(requests.find(({ path }) => path === '/thing/export')?.payload).toMatchObject({
      screen: 'thing',
      fields: ['name', 'status'],
      sort: '-balance',
    }),
  )
})

test.skipIf(!isLong)('an export covers the ticked rows if there are any, and shows their number', async () => {
  const sheet: ActionPlan = {
    name: 'export',
    label: label('导出'),
    on: 'toolbar',
    permission: 'x',
    danger: false,
    primary: false,
    do: { kind: 'export', path: '/thing/export' },
  }
  const { requests } = await open(
    { answers: { '/thing/list': result(), '/thing/export': null }, state: { q: '客户' } },
    { actions: [sheet], columns: [column('status'), column('name')] },
  )
  const exports = () => requests.filter(({ path }) => path === '/thing/export').map(({ payload }) => payload)
  await screen.findByRole('table', { name: '客户' })
  expect((screen.getByRole('button', { name: '导出' }) as HTMLButtonElement).disabled).toBe(false)
  await user.click(screen.getByLabelText('选择第3行'))
  await user.click(screen.getByLabelText('选择第1行'))
  await user.click(screen.getByRole('button', { name: '导出（2）' }))
  await waitFor(() =>
    expect(exports()).toEqual([{ ids: '3,1', sort: '-balance', screen: 'thing', fields: ['status', 'name'] }]),
  )
  await user.click(screen.getByRole('button', { name: '取消选择' }))
  await user.click(screen.getByRole('button', { name: '导出' }))
  await waitFor(() => expect(exports()[1]).toMatchObject({ search: '客户' }))
  expect(exports()[1]).not.toHaveProperty('ids')
})

test.skipIf(!isLong)('a list without actions on ticked rows has no checkboxes', async () => {
  await open({}, { actions: [] })
  await screen.findByRole('table', { name: '客户' })
  expect(screen.queryByLabelText('选择第1行')).toBeNull()
})

test('numbers over all matching records are above the list, and requested with it', async () => {
  const summary = [
    { name: 'count', field: fieldOf('integer', 'count'), value: { kind: 'count' as const }, where: {} },
    {
      name: 'owed',
      field: fieldOf('money', 'owed', { negative: true }),
      value: { kind: 'sum' as const, of: 'balance' },
      where: {},
    },
  ]
  const seen = await open(
    { answers: { '/thing/list': result({ summary: { count: 45, owed: '-999.00' } }) } },
    { summary },
  )
  await screen.findByText('-￥999.00')
  expect(screen.getAllByRole('definition').map((value) => value.textContent)).toEqual(['45', '-￥999.00'])
  expect(lists(seen)[0]).toMatchObject({ summary: 'thing' })
})

test('the result of an action is reported in its words, and the list is narrowed to it', async () => {
  const generate: ActionPlan = {
    ...assign,
    name: 'generate',
    label: label('生成'),
    on: 'toolbar',
    do: { kind: 'call', path: '/thing/generate', form: [], keepEmpty: false },
  }
  const made = { succeeded: 2, failed: [], summary: label('已生成2条'), show: { name: { contains: '启澜' } } }
  const seen = await open({ answers: { '/thing/list': result(), '/thing/generate': made } }, { actions: [generate] })
  await user.click(await screen.findByRole('button', { name: '生成' }))
  await screen.findByText('已生成2条')
  await waitFor(() =>
    expect((lists(seen).at(-1) as { filters?: object }).filters).toEqual({ name: { contains: '启澜' } }),
  )
})

test('a list that begins with one month moves to the month for which records were made', async () => {
  const generate: ActionPlan = {
    ...assign,
    name: 'generate',
    label: label('生成'),
    on: 'toolbar',
    do: {
      kind: 'call',
      path: '/thing/generate',
      prepare: '/thing/generate/prepare',
      form: ['month', 'name'].map((field) => ({ field, required: true })),
      keepEmpty: false,
    },
  }
  const filters = [
    { field: 'month', label: label('月份'), operator: 'between' as const, defaultFrom: ['month()', 'month()'] },
    { field: 'name', label: label('简称'), operator: 'contains' as const },
  ]
  const values = { month: '2026-01', name: '启澜' }
  const made = { succeeded: 2, failed: [] }
  const seen = await openScreen({
    bundle: bundleOf(plan({ actions: [generate], filters }), [...fields, fieldOf('month', 'month')], { dictionaries }),
    answers: { '/thing/list': result(), '/thing/generate/prepare': { values }, '/thing/generate': () => made },
    state: { tab: 'pending' },
  })
  const month = (month: string) => ({ month: { between: [month, month] } })
  const lastQuery = () => lists(seen).at(-1) as { filters?: object; tab?: object }
  await waitFor(() => expect(lastQuery().filters).toEqual(month('2026-03')))
  const make = async () => {
    await user.click(screen.getByRole('button', { name: '生成' }))
    const dialog = await screen.findByRole('dialog', { name: '生成' })
    await user.click(within(dialog).getByRole('button', { name: '生成' }))
  }
  await make()
  await screen.findByText('“生成”已完成：客户2条')
  await waitFor(() => expect(lastQuery().filters).toEqual(month('2026-01')))
  // The tab of another state would hide them.
  expect(lastQuery().tab).toBeUndefined()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  made.succeeded = 0
  await make()
  await screen.findByText('“生成”已完成，没有需要处理的数据')
})

test('a very large number of records is shown as a minimum, and counted on demand', async () => {
  const { sums: _, counts: __, ...far } = result({ total: 10_000, more: true, next: true })
  const all = result({ list: rows(1), total: 1_000_000 })
  const answers = { '/thing/list': (query: { countTo?: number }) => (query.countTo ? far : all) }
  const seen = await open({ answers }, { tabs: [], columns: [column('name'), column('status')] })
  const pager = within(await screen.findByRole('navigation', { name: '分页' }))
  expect(pager.getByText('共10000+条')).toBeTruthy()
  expect(pager.getAllByRole('button').map((button) => button.textContent)).toEqual([
    '统计总数',
    '‹',
    '1',
    '2',
    '3',
    '›',
  ])
  expect(lists(seen)).toHaveLength(1)
  const button = pager.getByRole('button', { name: '统计总数' })
  button.focus()
  await user.click(button)
  const total = await pager.findByText('共1000000条')
  expect(document.activeElement).toBe(total)
  expect(lists(seen).at(-1)).toEqual({ page: 1, size: 1, fields: ['id'] })
  expect(pager.getByRole('button', { name: '第50000页' })).toBeTruthy()
  expect(screen.getByText('客户3')).toBeTruthy()
})

test.skipIf(!isLong)('sums and counts of a very long list come after its rows, once for all pages', async () => {
  const { sums: _, counts: __, ...far } = result({ total: 10_000, more: true, next: true })
  const all = result({ list: rows(1), total: 20_000, counts: [20_000, 15_000] })
  const seen = await open({
    answers: { '/thing/list': (query: { countTo?: number }) => (query.countTo ? far : all) },
  })
  await screen.findByRole('tab', { name: '待审核15000' })
  expect(screen.getByText('￥999.00')).toBeTruthy()
  expect(screen.getByText('共20000条')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: '下一页' }))
  await waitFor(() => expect(lists(seen).at(-1)).toMatchObject({ page: 2, countTo: 10_000 }))
  expect(screen.getByRole('tab', { name: '待审核15000' })).toBeTruthy()
  expect(lists(seen).filter((query) => !(query as { countTo?: number }).countTo)).toHaveLength(1)
})

test.skipIf(!isLong)('far from the beginning the next page is found by the key of the current one', async () => {
  const ends = { first: ['9.00', '981'], last: ['8.00', '1000'] }
  const seen = await open({ answers: { '/thing/list': result({ total: 100_000, ...ends }) }, state: { page: '60' } })
  await screen.findByRole('table', { name: '客户' })
  const last = () => lists(seen).at(-1) as Record<string, unknown>
  expect(last()).not.toHaveProperty('after')
  await user.click(screen.getByRole('button', { name: '下一页' }))
  await waitFor(() => expect(last()).toMatchObject({ page: 1, after: ends.last }))
  expect(seen.state).toEqual({ page: '61' })
  await waitFor(() => expect(screen.getByRole('button', { name: '第61页' }).getAttribute('aria-current')).toBe('page'))
  await user.click(screen.getByRole('button', { name: '第59页' }))
  await waitFor(() => expect(last()).toMatchObject({ page: 2, before: ends.first }))
  await user.click(screen.getByRole('button', { name: '第1页' }))
  await waitFor(() => expect(last()).toMatchObject({ page: 1 }))
  expect(last()).not.toHaveProperty('before')
})
