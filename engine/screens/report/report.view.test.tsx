// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { RequestError } from '../../client/index.ts'
import type { ReportAction, ReportPlan, ReportResult, ScreenPlan } from '../../model/model.ts'
import { draw, entity, field, label, plan } from '../../../tests/fixtures/screen.tsx'
import { ReportView } from './report.view.tsx'

afterEach(cleanup)
const thing = entity('thing', [
  field('name', 'text'),
  field('kind', 'choice', { options: { choices: 'kind' } }),
  field('price', 'money'),
])
const text = (cn: string, en: string) => ({ cn, en })
const body = (rest: Partial<ReportPlan> = {}): ReportPlan => ({
  filters: [{ field: 'kind', label: label('kind'), operator: 'in', required: false }],
  where: {},
  groups: [
    { name: 'kind', label: text('种类', 'Kind'), by: [{ field: 'kind', shown: thing.fields.kind }] },
    { name: 'name', label: text('名称', 'Name'), by: [{ field: 'name', shown: thing.fields.name }] },
  ],
  measures: [
    {
      name: 'things',
      field: field('things', 'integer', { label: text('数量', 'Things') }),
      value: { kind: 'count' },
      where: {},
    },
    {
      name: 'worth',
      field: field('worth', 'money', { label: text('价值', 'Worth') }),
      value: { kind: 'sum', of: 'price' },
      where: {},
    },
  ],
  tabs: [
    {
      name: 'all',
      label: text('汇总', 'Summary'),
      columns: [
        { measure: 'things', label: text('数量', 'Things'), width: 100, total: true, sort: true },
        { measure: 'worth', label: text('价值', 'Worth'), width: 120, total: true, sort: true },
      ],
    },
    {
      name: 'secret',
      label: text('毛利', 'Margin'),
      permission: 'p:margin',
      columns: [{ measure: 'worth', label: text('价值', 'Worth'), width: 120, total: true, sort: true }],
    },
  ],
  charts: [{ name: 'worths', label: text('价值分布', 'Worth by kind'), draw: 'bars', measures: ['worth'], lines: [] }],
  records: { to: '/thing', permission: 'p:list', filters: { kind: 'in' }, started: [] },
  ...rest,
})
const result: ReportResult = {
  list: [
    { by: ['plain'], values: { things: 2, worth: '1234.50' } },
    { by: [null], values: { things: 0, worth: '0.00' } },
  ],
  total: 2,
  totals: { things: 2, worth: '1234.50' },
}
const open = (given: Partial<ReportPlan> = {}, answer: unknown = result) =>
  draw(ReportView, plan(thing, 'report', body(given)) as ScreenPlan, [thing], { answers: { '/plans/report': answer } })
const table = () => screen.findByRole('table', { name: '测试页面' })
const texts = (row: HTMLElement) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent)

test('shows rows and totals in the words of their fields, and a number leads to its records', async () => {
  const { request, frame } = open()
  const rows = within(await table()).getAllByRole('row')
  expect(rows.map(texts)).toEqual([
    ['字段kind', '数量', '价值'],
    ['普通', '2', '￥1,234.50'],
    ['—', '0', '￥0.00'],
    ['合计', '2', '￥1,234.50'],
  ])
  expect(request.get).toHaveBeenCalledWith(
    '/plans/report',
    { screen: 'thing.report', group: 'kind', filters: {}, tab: 'all', page: 1, size: 50 },
    expect.anything(),
  )
  expect(within(rows[2]).queryByRole('link')).toBeNull()
  fireEvent.click(within(rows[1]).getByRole('link', { name: '2' }))
  expect(frame.navigate).toHaveBeenCalledWith(`/thing?f.kind=${encodeURIComponent('{"in":["plain"]}')}`)
  expect(frame.setBusy).toHaveBeenLastCalledWith(false)
})

test('groups and sorts the rows as the reader chooses, in the address', async () => {
  const { frame } = open()
  fireEvent.click(within(await table()).getByRole('button', { name: '价值' }))
  expect(frame.setState).toHaveBeenLastCalledWith({ sort: 'worth' })
  fireEvent.mouseDown(screen.getByRole('combobox', { name: '统计方式' }))
  fireEvent.click(await screen.findByTitle('名称'))
  expect(frame.setState).toHaveBeenLastCalledWith({ group: 'name' })
  fireEvent.click(screen.getByRole('tab', { name: '毛利' }))
  expect(frame.setState).toHaveBeenLastCalledWith({ tab: 'secret' })
})

test('an action on a row applies to the records of its number, if there are any', async () => {
  const remind: ReportAction = {
    measure: 'things',
    groups: ['kind'],
    plan: {
      name: 'remind',
      label: text('催款', 'Remind'),
      on: 'batch',
      permission: 'p',
      danger: false,
      primary: false,
      do: { kind: 'call', path: '/thing/remind', form: [], keepEmpty: false },
    },
  }
  const tabs = (groups: string[]) => body().tabs.map((tab) => ({ ...tab, actions: [{ ...remind, groups }] }))
  const { request, answers } = open({ tabs: tabs(['kind']), charts: [] })
  Object.assign(answers, {
    '/thing/list': { total: 2, list: [{ id: 4 }, { id: 9 }] },
    '/thing/remind': { succeeded: 2, failed: [] },
  })
  const rows = within(await table()).getAllByRole('row')
  expect(within(rows[2]).queryByRole('button')).toBeNull()
  fireEvent.click(within(rows[1]).getByRole('button', { name: '催款' }))
  await vi.waitFor(() =>
    expect(request.post).toHaveBeenCalledWith('/thing/remind', { ids: [4, 9], values: {} }, { follows: true }),
  )
  expect(request.get).toHaveBeenCalledWith('/thing/list', { filters: { kind: { equals: 'plain' } }, size: 1000 })
  cleanup()
  open({ tabs: tabs(['name']), charts: [] })
  expect(within(await table()).queryByRole('button', { name: '催款' })).toBeNull()
})

test('a chart has a name, and a table of the same numbers', async () => {
  open()
  await screen.findByRole('img', { name: '价值分布' })
  fireEvent.click(screen.getByRole('button', { name: '数据表: 价值分布' }))
  expect(screen.queryByRole('img')).toBeNull()
  expect(
    within(screen.getByRole('table', { name: '价值分布' }))
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual(['项目价值', '普通￥1,234.50', '（空）￥0.00'])
})

test('prompts for a required filter before reading anything', async () => {
  const { request, speak } = open({
    filters: [{ field: 'kind', label: text('种类', 'Kind'), operator: 'in', required: true }],
  })
  expect((await screen.findByRole('alert')).textContent).toBe('请选择种类')
  expect(request.get).not.toHaveBeenCalledWith('/plans/report', expect.anything(), expect.anything())
  speak('en')
  expect(screen.getByRole('alert').textContent).toBe('Please select Kind')
})

test('shows why reading failed, with a retry', async () => {
  const { answers } = open({ charts: [] }, new RequestError('报表不能超过20000行', { code: 422 }))
  expect(await screen.findByText('报表不能超过20000行')).toBeTruthy()
  answers['/plans/report'] = result
  fireEvent.click(screen.getByRole('button', { name: /重\s*试/ }))
  await table()
  await vi.waitFor(() => expect(screen.queryByText('报表不能超过20000行')).toBeNull())
})
