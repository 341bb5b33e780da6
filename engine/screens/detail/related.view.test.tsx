// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { field } from '../../../tests/fixtures/screen.tsx'
import { bundleOf, openScreen, user } from '../../../tests/screen.tsx'
import type { ScreenPlan } from '../../model/model.ts'
import type { ListPlan } from '../list/list.ts'
import type { DetailPlan } from './detail.ts'

afterEach(cleanup)

const common = { area: '', noCache: false, parameters: [], file: '' }
const listOf = (name: string): ScreenPlan<ListPlan> => ({
  ...common,
  name,
  kind: 'list',
  entity: name,
  title: { cn: `列表${name}`, en: `List ${name}` },
  permission: 'p',
  body: {
    columns: [
      {
        field: 'name',
        label: { cn: '名称', en: 'Name' },
        width: 100,
        fixed: undefined,
        hidden: false,
        sort: true,
        sum: false,
      },
    ],
    filters: [],
    tabs: [],
    marks: [],
    actions: [],
    pageSize: 20,
    search: { cn: '名称', en: 'Name' },
    where: {},
    paths: { list: `/${name}/list`, export: `/${name}/export` },
  } as unknown as ListPlan,
})
const related = (...names: string[]) => names.map((name) => ({ screen: name, by: 'thing', title: listOf(name).title }))
const whole = (...names: string[]): ScreenPlan<DetailPlan> => ({
  ...common,
  name: 'thing',
  kind: 'detail',
  entity: 'thing',
  title: { cn: '详情', en: 'Details' },
  permission: 'p',
  body: {
    header: [],
    actions: [],
    notices: [],
    entities: [],
    tabs: [{ name: 'tasks', label: { cn: '办理中', en: 'In progress' }, related: related(...names) }],
    paths: { detail: '/thing/detail', history: '/thing/history' },
  } as unknown as DetailPlan,
})
const rows = (...names: string[]) => ({
  total: names.length,
  list: names.map((name, index) => ({ id: index + 1, name })),
})
const open = (answers: Record<string, unknown>, ...names: string[]) =>
  openScreen({
    bundle: bundleOf(whole(...names), [field('name', 'text')]),
    query: { id: '3' },
    answers: {
      '/plans/screen': ({ name }: { name: string }) =>
        bundleOf(name === 'thing' ? whole(...names) : listOf(name), [field('name', 'text')]),
      '/thing/detail': { id: 3, revision: 1, name: '启澜机械' },
      ...answers,
    },
  })

const titles = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)

test('of several lists, the empty ones are named in one line, and open from there', async () => {
  await open({ '/a/list': rows(), '/b/list': rows('记录b'), '/c/list': rows() }, 'a', 'b', 'c')
  await screen.findByText('记录b')
  const line = (await screen.findByText('暂无数据：')).closest('p')!
  await within(line).findByRole('button', { name: '列表c' })
  expect(
    within(line)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['列表a', '列表c'])
  expect(titles()).toEqual(['列表b'])

  await user.click(within(line).getByRole('button', { name: '列表a' }))
  expect(titles()).toEqual(['列表a', '列表b'])
  expect(within(line).getAllByRole('button')).toHaveLength(1)
})

test('a single list stays as it is, even if empty', async () => {
  await open({ '/a/list': rows() }, 'a')
  await screen.findAllByText(/暂无数据/)
  expect(screen.queryByText('暂无数据：')).toBeNull()
})

test('adding is offered if the visible record allows it', async () => {
  const add = { name: 'create', label: { cn: '新增', en: 'Add' }, on: 'toolbar', permission: 'p', danger: false }
  const lines = listOf('lines')
  Object.assign(lines.body, {
    actions: [{ ...add, primary: true, shownWhen: "status == 'draft'", do: { kind: 'link', to: '/line/add' } }],
  })
  const status = field('status', 'text', { computed: { kind: 'lookup', by: 'thing', field: 'status' } })
  const begin = (entityName: string) =>
    open(
      {
        '/plans/screen': ({ name }: { name: string }) =>
          bundleOf(name === 'thing' ? whole('lines') : lines, [field('name', 'text'), status]),
        '/lines/list': rows('甲'),
        '/thing/detail': { id: 3, revision: 1, name: '启澜机械', status: entityName },
      },
      'lines',
    )
  await begin('paid')
  await screen.findByText('甲')
  expect(screen.queryByRole('link', { name: '新增' })).toBeNull()
  cleanup()
  await begin('draft')
  await screen.findByRole('link', { name: '新增' })
})

test('an action after a change of a related record uses the updated record', async () => {
  const does = (name: string, label: string, on: string, path: string) => ({
    name,
    label: { cn: label, en: name },
    on,
    permission: 'p',
    danger: false,
    primary: false,
    do: { kind: 'call', path, form: [], keepEmpty: false },
  })
  const lines = listOf('lines')
  Object.assign(lines.body, { actions: [does('drop', '去掉', 'row', '/lines/drop')] })
  const thing = whole('lines')
  Object.assign(thing.body, { actions: [does('send', '发送', 'header', '/thing/send')] })
  let answer: (found: unknown) => void = () => undefined
  const reread = new Promise((resolve) => {
    answer = resolve
  })
  const record = { id: 3, revision: 1, name: '启澜机械' }
  let read = 0
  const { requests } = await openScreen({
    bundle: bundleOf(thing, [field('name', 'text')]),
    query: { id: '3' },
    answers: {
      '/plans/screen': ({ name }: { name: string }) =>
        bundleOf(name === 'thing' ? thing : lines, [field('name', 'text')]),
      '/lines/list': { total: 1, list: [{ id: 8, revision: 1, name: '明细甲' }] },
      '/lines/drop': { succeeded: 1, failed: [] },
      '/thing/send': { succeeded: 1, failed: [] },
      '/thing/detail': () => (read++ === 0 ? record : reread),
    },
  })
  await user.click(await screen.findByRole('button', { name: '去掉 明细甲' }))
  await waitFor(() => expect(read).toBe(2))
  await user.click(screen.getByRole('button', { name: /发\s*送/ }))
  answer({ ...record, revision: 2 })
  const sent = () => requests.filter(({ path }) => path === '/thing/send').map(({ payload }) => payload)
  await waitFor(() => expect(sent()).toEqual([{ id: 3, revision: 2, values: {} }]))
})
