// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { bundleOf, openScreen, user } from '../../../tests/screen.tsx'
import type { Answers } from '../../../tests/screen.tsx'
import { fieldOf, stubBrowser } from '../../../tests/stage.tsx'
import type { ActionPlan, EntityPlan, Field, RecordData, ScreenPlan } from '../../model/model.ts'
import { RequestError } from '../../client/index.ts'
import type { ImportDetailPlan } from './importDetail.ts'
import { isLong } from '../../../tests/long.ts'

const complaints = vi.spyOn(console, 'error')
beforeAll(stubBrowser)
// The view polls at intervals, which the test controls.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  expect(complaints.mock.calls).toEqual([])
})

const label = (cn: string) => ({ cn, en: cn })
const choices = (...values: string[]) => ({
  label: label(''),
  mayGrow: false,
  choices: values.map((value) => ({ value, label: label(value) })),
})
const dictionaries = {
  status: { name: 'status', ...choices('processing', 'checked', 'partial', 'failed') },
  row: { name: 'row', ...choices('toCreate', 'failed') },
}
const rowFields = [
  fieldOf('integer', 'rowNo'),
  fieldOf('choice', 'rowStatus', { choices: 'row' }),
  fieldOf('json', 'errors', { of: 'messages' }),
  fieldOf('boolean', 'hinted'),
  fieldOf('text', 'cellName', { maxLength: 60 }, { label: label('客户名称') }),
  fieldOf('text', 'cellType', { maxLength: 60 }, { label: label('客户类型') }),
]
const batchFields = [
  fieldOf('text', 'batchNo'),
  fieldOf('text', 'fileName'),
  fieldOf('choice', 'status', { choices: 'status' }),
  ...['totalCount', 'createCount', 'updateCount', 'successCount', 'failCount'].map((name) => fieldOf('integer', name)),
  fieldOf('json', 'failReason', { of: 'messages' }),
  fieldOf('json', 'notes', { of: 'messages' }),
  fieldOf('reference', 'corrects', { entity: 'batch' }),
  fieldOf('datetime', 'decidedAt'),
]
const byName = (fields: Field[]) => Object.fromEntries(fields.map((field) => [field.name, field]))
const action = (name: string, rest: Partial<ActionPlan>): ActionPlan => ({
  name,
  label: label(name),
  on: 'header',
  permission: name,
  danger: false,
  primary: false,
  do: { kind: 'call', path: `/batch/${name}`, form: [], keepEmpty: false },
  ...rest,
})
const column = (field: string, rest = {}) => ({
  field,
  label: byName(rowFields)[field].label,
  width: 120,
  sum: false,
  sort: false,
  hidden: false,
  ...rest,
})
const body: ImportDetailPlan = {
  filters: [],
  pageSize: 50,
  sort: 'rowNo',
  where: {},
  marks: [],
  tabs: ['all', 'failed'].map((name) => ({ name, label: label(name), filter: {} })),
  entities: ['batch'],
  paths: { list: '/thing/list' },
  columns: [
    column('rowNo'),
    column('rowStatus'),
    column('errors'),
    column('cellName', { problems: { field: 'errors', column: 'name' } }),
    column('cellType', { problems: { field: 'errors', column: 'type' } }),
  ],
  actions: [
    action('更正', {
      on: 'row',
      shownWhen: "rowStatus == 'failed'",
      do: {
        kind: 'call',
        path: '/thing/fix',
        form: [
          { field: 'cellName', required: false },
          { field: 'cellType', required: false },
        ],
        keepEmpty: false,
      },
    }),
  ],
  batch: {
    givesHints: false,
    entity: 'batch',
    facts: [
      { field: 'status' },
      { field: 'totalCount' },
      { field: 'failCount' },
      { field: 'corrects', link: '/things?batchId={corrects}' },
    ],
    permission: 'v',
    title: label('导入'),
    actions: [
      action('确认写入', {
        primary: true,
        shownWhen: "status == 'checked'",
        confirm: label('将新增{createCount}条，确定吗？'),
      }),
    ],
    paths: { detail: '/batch/detail', problems: '/batch/problems' },
  },
}
body.actions[0].name = 'fix'
const plan: ScreenPlan<ImportDetailPlan> = {
  name: 'thing',
  kind: 'importDetail',
  area: '',
  title: label('导入明细'),
  parameters: [],
  entity: 'thing',
  permission: '',
  noCache: true,
  file: '',
  body,
}
const wrong = [
  { column: 'name', code: 'required', message: label('客户名称不能为空') },
  { column: 'type', code: 'choice', message: label('客户类型“工厂”不在可选范围内') },
]
const rows = [
  { id: 1, revision: 1, rowNo: 2, rowStatus: 'toCreate', errors: null, cellName: '启澜', cellType: '企业' },
  { id: 2, revision: 1, rowNo: 3, rowStatus: 'failed', errors: wrong, cellName: null, cellType: '工厂' },
]
const checked = {
  id: 7,
  revision: 3,
  batchNo: 'DR1',
  fileName: '五月.xlsx',
  status: 'checked',
  totalCount: 2,
  createCount: 1,
  updateCount: 0,
  failCount: 1,
}
const groups = [
  { column: 'name', code: 'required', label: label('必填项为空'), count: 1, message: label('客户名称不能为空') },
  { column: null, code: 'scope', label: label('无权操作'), count: 3, message: label('无权操作该数据') },
]

/** `batch` is the server's answer for the batch from then on. */
async function open(
  batch: RecordData | Error,
  {
    answers = {},
    query = { batchId: '7' } as Record<string, string>,
    body: own = body,
  }: { answers?: Answers; query?: Record<string, string>; body?: ImportDetailPlan } = {},
) {
  const server = { batch }
  const bundle = bundleOf({ ...plan, body: own }, rowFields, { dictionaries })
  bundle.entities.batch = {
    ...bundle.entities.thing,
    name: 'batch',
    label: label('批次'),
    display: 'batchNo',
    endpoint: '/batch',
    fields: byName(batchFields),
  } satisfies EntityPlan
  const seen = await openScreen({
    bundle,
    query,
    answers: {
      '/batch/detail': () => {
        if (server.batch instanceof Error) throw server.batch
        return server.batch
      },
      '/thing/list': { list: rows, total: 2, sums: {}, counts: [] },
      '/batch/problems': { list: groups },
      ...answers,
    },
  })
  const requestsTo = (path: string) => seen.requests.filter((each) => each.path === path)
  return { ...seen, server, calls: requestsTo }
}
const panel = () => screen.findByRole('region', { name: '导入批次' })
const rowAt = async (text: string) => (await screen.findByText(text)).closest('tr')!

test('shows the result of the file, its errors by kind, and the possible decisions', async () => {
  const { calls, busy } = await open({
    ...checked,
    corrects: { id: 5, code: null, name: 'DR0' },
    notes: [{ message: label('列“等级”已忽略') }],
  })
  const facts = within(await panel())
  expect(facts.getByText('五月.xlsx')).toBeTruthy()
  expect(facts.getByText('列“等级”已忽略').closest('[role=alert]')).toBeTruthy()
  expect(facts.getByRole('link', { name: 'DR0' }).getAttribute('href')).toBe('#/things?batchId=5')
  expect(facts.getByText('failCount').closest('[data-failed]')?.textContent).toBe('failCount1')
  const problems = within(await facts.findByRole('region', { name: '错误汇总' }))
  expect(
    problems
      .getAllByRole('row')
      .slice(1)
      .map((each) => [...each.children].map(({ textContent }) => textContent)),
  ).toEqual([
    ['客户名称', '必填项为空', '1', '客户名称不能为空'],
    ['整行', '无权操作', '3', '无权操作该数据'],
  ])
  await rowAt('启澜')
  expect(calls('/thing/list')[0].payload).toMatchObject({ tab: { batch: { equals: 7 } }, sort: 'rowNo' })
  expect(calls('/batch/problems')[0].payload).toEqual({ id: 7 })
  expect(busy.at(-1)).toBe(false)
  await user.click(facts.getByRole('button', { name: '确认写入' }))
  expect(await screen.findAllByText('将新增1条，确定吗？')).not.toHaveLength(0)
})

test('marks exactly the wrong cells, with the reasons', async () => {
  await open(checked)
  const bad = [...(await rowAt('工厂')).querySelectorAll('td[title]')]
  expect(bad.map((cell) => [cell.textContent, cell.getAttribute('title')])).toEqual([
    ['', '客户名称不能为空'],
    ['工厂', '客户类型“工厂”不在可选范围内'],
  ])
  expect((await rowAt('启澜')).querySelectorAll('td[title]')).toHaveLength(0)
  bad.forEach((cell) => fireEvent.mouseOver(cell))
  expect(
    bad.map((cell) => cell.getAttribute('title')),
    'pointed at',
  ).toEqual(['客户名称不能为空', '客户类型“工厂”不在可选范围内'])
})

test('a hint is marked as such, and shown beside the errors', async () => {
  const hint = { column: 'type', code: 'hint', message: label('客户类型与上次不同（提示）') }
  const hinted = {
    id: 3,
    revision: 1,
    rowNo: 4,
    rowStatus: 'toCreate',
    hinted: true,
    errors: [hint],
    cellName: '远帆',
    cellType: '个体',
  }
  const withHints: ImportDetailPlan = {
    ...body,
    marks: [{ when: 'hinted', tag: 'warning', label: label('提示') }],
    batch: { ...body.batch, givesHints: true },
  }
  await open(
    { ...checked, failCount: 0 },
    {
      body: withHints,
      answers: {
        '/thing/list': { list: [...rows, hinted], total: 3, sums: {}, counts: [] },
        '/batch/problems': {
          list: [
            ...groups,
            { column: 'type', code: 'hint', label: label('提示（不阻止）'), count: 1, message: hint.message },
          ],
        },
      },
    },
  )
  const row = await rowAt('远帆')
  expect(
    [...row.querySelectorAll('td[title]')].map((cell) => [
      cell.textContent,
      cell.getAttribute('title'),
      cell.hasAttribute('data-hint'),
    ]),
  ).toEqual([['个体', '客户类型与上次不同（提示）', true]])
  expect(within(row).getByText('提示').className).toContain('grid-mark-warning')
  expect((await rowAt('工厂')).querySelectorAll('td[data-hint]'), 'what is wrong is no hint').toHaveLength(0)
  const problems = within(await screen.findByRole('region', { name: '错误与提示汇总' }))
  expect(problems.getAllByRole('row').map((each) => each.hasAttribute('data-hint'))).toEqual([
    false,
    false,
    false,
    true,
  ])
})

test.skipIf(!isLong)('a correction shows the errors until it is changed, and then reloads the counts', async () => {
  let fixed: unknown
  const { calls, server } = await open(checked, {
    answers: {
      '/thing/fix': (payload: unknown) => {
        fixed = payload
        return { succeeded: 1, failed: [] }
      },
    },
  })
  await user.click(within(await rowAt('工厂')).getByRole('button', { name: /^更正/ }))
  const dialog = within(await screen.findByRole('dialog', { name: '更正' }))
  const [name, type] = [
    await dialog.findByRole('textbox', { name: '客户名称' }),
    dialog.getByRole('textbox', { name: '客户类型' }),
  ]
  const alerts = () => dialog.queryAllByRole('alert').map(({ textContent }) => textContent)
  expect(alerts()).toEqual(['客户名称不能为空', '客户类型“工厂”不在可选范围内'])
  await user.type(name, '若谷')
  await waitFor(() => expect(alerts()).toEqual(['客户类型“工厂”不在可选范围内']))
  fireEvent.blur(type)
  expect(alerts(), 'left as it was').toEqual(['客户类型“工厂”不在可选范围内'])
  await user.type(type, '企业')
  await waitFor(() => expect(alerts()).toEqual([]))
  server.batch = { ...checked, revision: 4, createCount: 2, failCount: 0 }
  await user.click(dialog.getByRole('button', { name: '更正' }))
  await waitFor(() => expect(fixed).toEqual({ id: 2, revision: 1, values: { cellName: '若谷', cellType: '企业' } }))
  await waitFor(() => expect(screen.queryByRole('region', { name: '错误汇总' })).toBeNull())
  await waitFor(() => expect(calls('/thing/list').length).toBeGreaterThan(1))
})

test('shows progress while working, and at the end reloads the rows and announces the change', async () => {
  const working = {
    ...checked,
    status: 'processing',
    totalCount: null,
    failCount: null,
    createCount: null,
    revision: 1,
  }
  const { server, calls, announce } = await open(working)
  expect((await screen.findByRole('progressbar', { name: '导入进度' })).hasAttribute('value')).toBe(false)
  expect(screen.getByText(/^正在检查：已读0行/)).toBeTruthy()
  expect(calls('/batch/problems')).toEqual([])
  expect(screen.queryByRole('button', { name: /^更正/ }), 'nothing is corrected under the hand').toBeNull()
  server.batch = { ...working, totalCount: 500, revision: 2 }
  vi.advanceTimersByTime(2000)
  await screen.findByText(/^正在检查：已读500行 · 每秒\d+行/)
  expect(announce).not.toHaveBeenCalled()
  server.batch = checked
  vi.advanceTimersByTime(2000)
  await waitFor(() => expect(screen.queryByRole('progressbar', { name: '导入进度' })).toBeNull())
  expect(announce).toHaveBeenCalledWith('batch')
  await screen.findByRole('button', { name: /^更正/ })
  const before = calls('/batch/detail').length
  vi.advanceTimersByTime(10_000)
  expect(calls('/batch/detail')).toHaveLength(before)
})

test('shows how much is written of how much', async () => {
  await open({
    ...checked,
    status: 'processing',
    decidedAt: '2026-03-10 09:00:00',
    createCount: 80,
    updateCount: 20,
    successCount: 25,
  })
  const bar = await screen.findByRole('progressbar', { name: '导入进度' })
  expect([bar.getAttribute('value'), bar.getAttribute('max')]).toEqual(['25', '100'])
  expect(screen.getByText(/^正在写入：25\/100行 · 可以离开本页/)).toBeTruthy()
})

test('shows no count before the first rows are written', async () => {
  await open({ ...checked, status: 'processing', decidedAt: '2026-03-10 09:00:00', createCount: 50, successCount: 0 })
  expect((await screen.findByRole('progressbar', { name: '导入进度' })).hasAttribute('value')).toBe(false)
  expect(screen.getByText(/^正在写入，共50行/)).toBeTruthy()
})

test.each([
  ['checked', 'writing the file'],
  ['partial', 'searching its rows'],
])('one button of a file that is %s stands out: %s', async (status) => {
  const filters = [{ field: 'cellName', label: label('客户名称'), operator: 'contains' as const }]
  await open({ ...checked, status }, { body: { ...body, filters } })
  const search = await screen.findByRole('button', { name: /^查\s?询$/ })
  expect(search.classList.contains('ant-btn-primary')).toBe(status === 'partial')
})

test('opens the tab of failed rows if there are any', async () => {
  await open(checked)
  const tabs = await screen.findAllByRole('tab')
  expect(tabs.map((tab) => [tab.textContent, tab.getAttribute('aria-selected')])).toEqual([
    ['all', 'false'],
    ['failed', 'true'],
  ])
})

test.skipIf(!isLong)('a tab chosen during the work stays open when rows fail', async () => {
  const { server } = await open({ ...checked, status: 'processing', decidedAt: '2026-03-10 09:00:00' })
  await user.click(await screen.findByRole('tab', { name: /^all/ }))
  server.batch = { ...checked, status: 'partial', revision: 4 }
  vi.advanceTimersByTime(2000)
  await waitFor(() => expect(screen.queryByRole('progressbar', { name: '导入进度' })).toBeNull())
  expect(screen.getByRole('tab', { name: /^all/ }).getAttribute('aria-selected')).toBe('true')
})

test('shows why a file could not be read', async () => {
  await open(
    { ...checked, status: 'failed', totalCount: 0, failCount: 0, failReason: [{ message: label('文件中没有数据') }] },
    { answers: { '/thing/list': { list: [], total: 0, sums: {}, counts: [] } } },
  )
  expect(within(await panel()).getByRole('alert').textContent).toBe('文件中没有数据')
  expect(screen.queryByRole('button', { name: '确认写入' })).toBeNull()
})

test('reports a missing or unknown batch', async () => {
  await open(checked, { query: {} })
  expect((await screen.findByRole('alert')).textContent).toContain('请从列表进入')
  cleanup()
  await open(new RequestError('没有', { code: 404 }))
  await screen.findByText('数据不存在或已删除')
})
