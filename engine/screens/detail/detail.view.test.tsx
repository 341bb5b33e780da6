// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { RequestError } from '../../client/index.ts'
import type { ActionPlan } from '../../model/model.ts'
import { draw, entity, field, label, plan } from '../../../tests/fixtures/screen.tsx'
import type { DetailPlan, DetailTab } from './detail.ts'
import { DetailView } from './detail.view.tsx'
import { isLong } from '../../../tests/long.ts'

window.matchMedia ??= vi.fn(() => ({
  matches: false,
  addListener: vi.fn(),
  removeListener: vi.fn(),
  addEventListener: vi.fn(),
  removeEventListener: vi.fn(),
})) as never
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
const complaints = vi.spyOn(console, 'error')
afterEach(() => {
  cleanup()
  expect(complaints.mock.calls).toEqual([])
})

const thing = entity('thing', [
  field('name', 'text'),
  field('kind', 'choice', { options: { choices: 'kind' } }),
  field('amount', 'money'),
  field('reason', 'text', { visibleWhen: "kind == 'special'" }),
  field('remark', 'textarea'),
])
const fields = (...names: string[]) => names.map((name) => ({ field: name, label: label(name), span: 8 }))
const basic: DetailTab = {
  name: 'basic',
  label: { cn: '基本信息', en: 'Basic' },
  sections: [{ title: { cn: '概况', en: 'Facts' }, fields: fields('amount', 'reason', 'remark') }],
}
const history: DetailTab = { name: 'history', label: { cn: '操作日志', en: 'Operation log' }, history: true }
const action: ActionPlan = {
  name: 'agree',
  label: { cn: '通过', en: 'Approve' },
  on: 'header',
  permission: 'p',
  shownWhen: "kind == 'special'",
  danger: false,
  primary: true,
  do: { kind: 'call', path: '/thing/agree', form: [], keepEmpty: false },
}
const record = {
  id: 3,
  revision: 8,
  name: '启澜机械',
  kind: 'special',
  amount: '1234.50',
  reason: '资料不全',
  remark: null,
}
const entries = {
  total: 1,
  list: [
    {
      id: 1,
      at: '2026-03-09 10:00:00',
      by: { id: 7, name: '周演' },
      action: 'update',
      label: { cn: '修改', en: 'Update' },
      changes: [{ field: 'amount', label: label('amount'), old: '', new: '￥1,234.50' }],
      work: 12,
      with: [{ entity: 'line', label: { cn: '明细', en: 'Lines' }, count: 3 }],
    },
  ],
}

function open(
  rest: Partial<DetailPlan> = {},
  given: Partial<typeof record> = {},
  query: Record<string, string> = { id: '3' },
) {
  const body: DetailPlan = {
    header: ['kind'],
    actions: [action],
    tabs: [basic, history],
    entities: [],
    paths: { detail: '/thing/detail', history: '/thing/history' },
    notices: [{ when: "kind == 'special'", kind: 'error', title: { cn: '已被驳回', en: 'Rejected' }, field: 'reason' }],
    ...rest,
  }
  return draw(DetailView, plan(thing, 'detail', body), [thing], {
    query,
    answers: { '/thing/detail': { ...record, ...given }, '/thing/history': entries },
  })
}

test("shows the screen as heading, with the record's name, facts and notices drawn by widgets", async () => {
  const { frame } = open()
  await screen.findByText('启澜机械')
  expect(screen.getAllByRole('heading').map((heading) => heading.textContent)).toEqual(['测试页面', '概况'])
  expect(screen.getByText('特殊').closest('[class*="tag"]')).toBeTruthy()
  expect(screen.getByRole('status').textContent).toBe('已被驳回资料不全')
  expect(document.querySelector('[data-field="amount"]')!.textContent).toContain('1,234.50')
  expect(document.querySelector('[data-field="remark"]')!.textContent).toContain('—')
  expect(screen.queryByRole('textbox')).toBeNull()
  await waitFor(() => expect(frame.setBusy).toHaveBeenLastCalledWith(false))
})

test('hides invisible fields, and actions whose condition fails', async () => {
  open({ header: ['kind', 'reason'] }, { kind: 'plain' })
  const header = (await screen.findByText('启澜机械')).closest('header')!
  expect(document.querySelector('[data-field="reason"]')).toBeNull()
  expect([...header.querySelectorAll('dt')].map(({ textContent }) => textContent)).toEqual(['字段kind'])
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.queryByRole('button', { name: /通\s*过/ })).toBeNull()
})

test('an action of the header runs on the record, which is then read again', async () => {
  const { request, answers } = open()
  answers['/thing/agree'] = { succeeded: 1, failed: [] }
  fireEvent.click(await screen.findByRole('button', { name: /通\s*过/ }))
  await waitFor(() =>
    expect(request.post).toHaveBeenCalledWith('/thing/agree', { id: 3, revision: 8, values: {} }, { follows: true }),
  )
  await waitFor(() => expect(request.get.mock.calls.filter(([path]) => path === '/thing/detail')).toHaveLength(2))
})

test('a record that cannot be read again stays, with a warning and another attempt', async () => {
  const { answers } = open()
  answers['/thing/agree'] = { succeeded: 1, failed: [] }
  const agree = await screen.findByRole('button', { name: /通\s*过/ })
  answers['/thing/detail'] = new RequestError('服务器繁忙', { code: 503 })
  fireEvent.click(agree)
  expect((await screen.findByRole('alert')).textContent).toContain('服务器繁忙')
  expect(screen.getByText('启澜机械')).toBeTruthy()
  answers['/thing/detail'] = { ...record, name: '启澜重工' }
  fireEvent.click(screen.getByRole('button', { name: /重\s*试/ }))
  await screen.findByText('启澜重工')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('the history shows when, who, what, and each value before and after', async () => {
  const { request, frame } = open({ tabs: [history] })
  const table = await screen.findByRole('table')
  expect(
    within(table)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual(['时间操作人操作变更内容', '2026-03-09 10:00:00周演修改字段amount：空 → ￥1,234.50同时处理：明细 × 3'])
  expect(request.get).toHaveBeenCalledWith('/thing/history', { id: 3, page: 1, size: 20 }, expect.anything())
  expect(frame.setState).not.toHaveBeenCalled()
})

test('the history opens what one act did together, with each record and its change', async () => {
  const { request, answers } = open({ tabs: [history] })
  const changes = [{ id: 31, name: '明细甲', action: 'update', label: { cn: '修改', en: 'Update' }, fields: [] }]
  answers['/works/12'] = { entities: [{ entity: 'line', label: { cn: '明细', en: 'Lines' }, count: 3, changes }] }
  const button = await screen.findByRole('button', { name: '同时处理：明细 × 3' })
  expect(request.get).not.toHaveBeenCalledWith('/works/12', expect.anything(), expect.anything())
  fireEvent.click(button)
  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect((await screen.findByText('明细甲', { exact: false })).textContent).toBe('明细甲：修改')
  expect(screen.getByText('另有2条')).toBeTruthy()
})

test('a table shows fields side by side, each as its widget shows it', async () => {
  const table: DetailTab = {
    name: 'table',
    label: { cn: '对比', en: 'Comparison' },
    table: {
      columns: [
        { cn: '金额', en: 'Amount' },
        { cn: '说明', en: 'Remark' },
      ],
      rows: [
        { label: { cn: '第一行', en: 'First' }, fields: ['amount', 'remark'] },
        { label: { cn: '第二行', en: 'Second' }, fields: ['remark', 'amount'] },
      ],
    },
  }
  open({ tabs: [table] })
  const drawn = await screen.findByRole('table', { name: '对比' })
  expect(
    within(drawn)
      .getAllByRole('columnheader')
      .map((cell) => cell.textContent),
  ).toEqual(['金额', '说明'])
  const row = (name: string) =>
    within(within(drawn).getByRole('rowheader', { name }).closest('tr')!)
      .getAllByRole('cell')
      .map((cell) => cell.textContent)
  expect([row('第一行'), row('第二行')]).toEqual([
    ['￥1,234.50', '—空'],
    ['—空', '￥1,234.50'],
  ])
})

test.skipIf(!isLong)('a table may show the newest record that refers to this one, or that there is none', async () => {
  const table: DetailTab = {
    name: 'table',
    label: { cn: '对比', en: 'Comparison' },
    table: {
      of: { entity: 'thing', by: 'parent' },
      columns: [{ cn: '金额', en: 'Amount' }],
      rows: [{ label: { cn: '第一行', en: 'First' }, fields: ['amount'] }],
    },
  }
  const { request, answers } = open({ tabs: [table] })
  answers['/thing/list'] = { total: 1, list: [{ ...record, id: 9, amount: '7.00' }] }
  expect((await screen.findByRole('table', { name: '对比' })).textContent).toContain('￥7.00')
  expect(request.get).toHaveBeenCalledWith(
    '/thing/list',
    { filters: { parent: { equals: 3 } }, sort: '-id', page: 1, size: 1 },
    expect.anything(),
  )
  cleanup()
  Object.assign(open({ tabs: [table] }).answers, { '/thing/list': { total: 0, list: [] } })
  await screen.findByText('暂无数据')
})

test('a tab is drawn when it is opened, and the address stores which', async () => {
  const { request, frame } = open()
  await screen.findByText('启澜机械')
  expect(request.get.mock.calls.some(([path]) => path === '/thing/history')).toBe(false)
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['基本信息', '操作日志'])
  fireEvent.click(screen.getByRole('tab', { name: '操作日志' }))
  expect(frame.setState).toHaveBeenCalledWith({ tab: 'history' })
})

test('a tab may be visible for some records only', async () => {
  const some = { tabs: [basic, { ...history, shownWhen: "kind == 'special'" }, { ...history, name: 'more' }] }
  const count = () => screen.getAllByRole('tab').length
  open(some)
  await screen.findByText('启澜机械')
  expect(count()).toBe(3)
  cleanup()
  const { frame } = open(some, { kind: 'usual' })
  await screen.findByText('启澜机械')
  expect(count()).toBe(2)
  expect(frame.setState).not.toHaveBeenCalled()
})

test('reports a missing or unknown id', async () => {
  open({}, {}, {})
  expect(screen.getByRole('alert').textContent).toContain('请从列表进入')
  cleanup()
  const { answers } = draw(
    DetailView,
    plan(thing, 'detail', {
      header: [],
      actions: [],
      tabs: [basic],
      entities: [],
      notices: [],
      paths: { detail: '/thing/none', history: '' },
    }),
    [thing],
    { query: { id: '4' } },
  )
  expect(answers).toEqual({})
  await screen.findByText('数据不存在或已删除')
})

test('the arrow keys move through the tabs', async () => {
  const { frame } = open()
  const first = await screen.findByRole('tab', { name: '基本信息' })
  fireEvent.keyDown(first, { key: 'ArrowLeft' })
  expect(frame.setState).toHaveBeenCalledWith({ tab: 'history' })
  expect(document.activeElement?.textContent).toBe('操作日志')
})

test('a tab shows other records grouped and summed up', async () => {
  const amount = field('amount', 'money')
  const grouped: DetailTab = {
    name: 'summary',
    label: { cn: '汇总', en: 'Summary' },
    grouped: {
      entity: 'thing',
      permission: 'p',
      by: 'parent',
      keys: [{ field: 'kind', shown: thing.fields.kind }],
      measures: [{ name: 'sum', field: amount, value: { kind: 'sum', of: 'amount' }, where: {} }],
    },
  }
  const rows = {
    list: [
      { by: ['special'], values: { sum: '12.50' } },
      { by: [null], values: { sum: '3.00' } },
    ],
    total: 2,
    totals: { sum: '15.50' },
  }
  const { request } = draw(
    DetailView,
    plan(thing, 'detail', {
      header: [],
      actions: [],
      tabs: [grouped],
      entities: [],
      notices: [],
      paths: { detail: '/thing/detail', history: '/thing/history' },
    }),
    [thing],
    {
      query: { id: '3' },
      answers: { '/thing/detail': record, '/plans/grouped': rows },
    },
  )
  const table = await screen.findByRole('table', { name: '汇总' })
  expect([...table.querySelectorAll('tr')].map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['字段kind', '字段amount'],
    ['特殊', '￥12.50'],
    ['', '￥3.00'],
    ['合计', '￥15.50'],
  ])
  expect(request.get.mock.calls.find(([path]) => path === '/plans/grouped')![1]).toMatchObject({
    tab: 'summary',
    id: 3,
  })
})

test.skipIf(!isLong)('links lead to the previous and the next of records that belong together', async () => {
  const parented = entity('thing', [
    field('name', 'text'),
    field('parent', 'reference', { options: { entity: 'thing' } }),
  ])
  const body: DetailPlan = {
    header: [],
    actions: [],
    tabs: [{ name: 'basic', label: label('basic') }],
    entities: [],
    notices: [],
    neighbours: { by: 'parent', sort: 'name', path: '/thing/list' },
    paths: { detail: '/thing/detail', history: '/thing/history' },
  }
  const list = { list: [{ id: 9 }, { id: 3 }], total: 2, sums: {}, counts: [] }
  draw(DetailView, { ...plan(parented, 'detail', body), route: '/thing/one' }, [parented], {
    query: { id: '3' },
    answers: {
      '/thing/detail': { id: 3, revision: 1, name: '乙', parent: { id: 1, code: null, name: '总' } },
      '/thing/list': list,
    },
  })
  const previous = await screen.findByRole('link', { name: '上一条' })
  expect(previous.getAttribute('href')).toMatch(/\/thing\/one\?id=9$/)
  expect((screen.getByRole('button', { name: '下一条' }) as HTMLButtonElement).disabled).toBe(true)
})

test('opening a record with counted readers is reported once, while its condition holds', async () => {
  const counted = { ...thing, reads: { count: 'amount', when: "kind == 'special'" } }
  const body: DetailPlan = {
    header: [],
    actions: [],
    tabs: [basic],
    entities: [],
    notices: [],
    paths: { detail: '/thing/detail', history: '/thing/history' },
  }
  const show = (given: object) =>
    draw(DetailView, plan(thing, 'detail', body), [counted], {
      query: { id: '3' },
      answers: { '/thing/detail': { ...record, ...given }, '/thing/read': { counted: true } },
    })
  const { request, speak } = show({})
  await screen.findByText('启澜机械')
  speak('en')
  await screen.findByText('Facts')
  expect(request.post.mock.calls).toEqual([['/thing/read', { id: 3 }]])
  cleanup()
  const other = show({ kind: 'plain' })
  await screen.findByText('启澜机械')
  expect(other.request.post).not.toHaveBeenCalled()
})

test('the frame is informed which record is open, and again when its name changes', async () => {
  const { frame, answers } = open()
  await waitFor(() =>
    expect(frame.setRecord).toHaveBeenLastCalledWith({ entity: 'thing', endpoint: '/thing', id: 3, name: '启澜机械' }),
  )
  answers['/thing/agree'] = { succeeded: 1, failed: [] }
  answers['/thing/detail'] = { ...record, name: '启澜重工' }
  fireEvent.click(screen.getByRole('button', { name: /通\s*过/ }))
  await waitFor(() =>
    expect(frame.setRecord).toHaveBeenLastCalledWith({ entity: 'thing', endpoint: '/thing', id: 3, name: '启澜重工' }),
  )
})
