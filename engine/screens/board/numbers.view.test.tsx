// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { RequestError } from '../../client/index.ts'
import type { GroupedResult, MeasurePlan } from '../../model/model.ts'
import { draw, entity, field, plan } from '../../../tests/fixtures/screen.tsx'
import { BoardView } from './board.view.tsx'
import type { BoardChart, BoardFigures, BoardNumbers } from './numbers.ts'

afterEach(cleanup)
const thing = entity('thing', [field('name', 'text')])
const measures: MeasurePlan[] = ['多', '少', '平', '新'].map((name) => ({
  name,
  field: field(name, 'money', { label: { cn: `${name}的`, en: `the ${name}` } }),
  value: { kind: 'sum', of: 'price' },
  where: {},
}))
const common = {
  name: 'numbers',
  label: { cn: '数据', en: 'Data' },
  entity: 'thing',
  permission: 'p',
  filter: {},
  measures,
  roles: [],
  more: '/thing/report',
}
const figures: BoardFigures = {
  kind: 'figures',
  ...common,
  by: [],
  compared: true,
  period: { field: 'month', grain: 'month', months: 1, upTo: false },
}
const chart = (drawn: BoardChart['chart']['draw'], rest: Partial<BoardChart['chart']> = {}): BoardChart => ({
  kind: 'chart',
  ...common,
  by: [{ field: 'name', shown: thing.fields.name }],
  compared: false,
  chart: { draw: drawn, measures: ['多'], lines: [], ...rest },
})
const open = (blocks: BoardNumbers | BoardNumbers[], answer: unknown) =>
  draw(BoardView, plan(thing, 'board', { cards: [], blocks: [blocks].flat() }), [thing], {
    answers: { '/plans/block': answer },
  })
const rows: GroupedResult = {
  list: [
    { by: ['甲'], values: { 多: '75.00' } },
    { by: ['乙'], values: { 多: '25.00' } },
  ],
  total: 2,
  totals: { 多: '100.00' },
}

test("figures of the user's own role come first", async () => {
  const named = (name: string, roles: string[]) => ({ ...figures, name, label: { cn: name, en: name }, roles })
  open([named('数据', []), named('他人', ['other']), named('本职', ['admin'])], { ...rows, list: [] })
  await waitFor(() =>
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      '本职',
      '数据',
      '他人',
    ]),
  )
})

test('figures show the change since the last month, each in its own words', async () => {
  const answer: GroupedResult = {
    list: [],
    total: 0,
    totals: { 多: '120.00', 少: '75.50', 平: '3.00', 新: '9.00' },
    before: { 多: '100.00', 少: '100.00', 平: '3.00', 新: '0.00' },
    change: { 多: '20', 少: '-24.5', 平: '0', 新: null },
  }
  const { frame, request, speak } = open(figures, answer)
  await screen.findByText('￥120.00')
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    '多的￥120.00较上月同期增加 20%',
    '少的￥75.50较上月同期减少 24.5%',
    '平的￥3.00与上月同期持平',
    '新的￥9.00上月同期 ￥0.00',
  ])
  expect(request.get).toHaveBeenCalledWith(
    '/plans/block',
    { screen: 'thing.board', name: 'numbers' },
    expect.anything(),
  )
  fireEvent.click(screen.getByRole('link', { name: '查看: 数据' }))
  expect(frame.navigate).toHaveBeenCalledWith('/thing/report')
  expect(frame.setBusy).toHaveBeenLastCalledWith(false)
  speak('en')
  expect(screen.getAllByRole('listitem')[1].textContent).toBe('the 少￥75.50down 24.5% from the same days last month')
})

test('a ring shows each part with its share', async () => {
  open(chart('ring'), rows)
  await screen.findByRole('img', { name: '数据' })
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['甲￥75.0075%', '乙￥25.0025%'])
})

test('a ring shows the rest as one part, even if records in several groups make it more than the total lacks', async () => {
  open(chart('ring'), { ...rows, total: 9, totals: { 多: '110.00' }, rest: { 多: '25.50' } })
  await screen.findByRole('img', { name: '数据' })
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    '甲￥75.0059.8%',
    '乙￥25.0019.9%',
    '其他￥25.5020.3%',
  ])
})

test('a ring without groups has its measures as parts', async () => {
  open(
    { ...chart('ring', { measures: ['多', '少'] }), by: [] },
    { list: [], total: 0, totals: { 多: '30.00', 少: '10.00' } },
  )
  await screen.findByRole('img', { name: '数据' })
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['多的￥30.0075%', '少的￥10.0025%'])
})

test('a top list links to its records', async () => {
  const top: BoardChart = {
    ...chart('top', { open: '/thing/detail?id={id}' }),
    by: [{ field: 'owner', shown: field('owner', 'reference', { options: { entity: 'thing' } }) }],
  }
  const { frame } = open(top, {
    ...rows,
    list: [
      { by: [{ id: 7, code: null, name: '甲' }], values: { 多: '75.00' } },
      { by: [null], values: { 多: '25.00' } },
      { by: [{ id: 8, code: null, name: '丙' }], values: { 多: '0.00' } },
    ],
  })
  const link = await screen.findByRole('link', { name: '甲' })
  const items = screen.getAllByRole('listitem')
  expect(items.map((item) => item.textContent)).toEqual(['甲￥75.00', '（空）￥25.00'])
  expect(within(items[1]).queryByRole('link')).toBeNull()
  fireEvent.click(link)
  expect(frame.navigate).toHaveBeenCalledWith('/thing/detail?id=7')
})

test('shows an empty block and a failure, and hides a block without permission', async () => {
  const { answers } = open(chart('bars'), new RequestError('系统繁忙', { code: 500 }))
  expect((await screen.findByRole('alert')).textContent).toContain('系统繁忙')
  answers['/plans/block'] = { list: [], total: 0, totals: {} }
  fireEvent.click(screen.getByRole('button', { name: /重\s*试/ }))
  await screen.findByText('暂无数据')
  cleanup()
  const { frame } = open(chart('bars'), new RequestError('无权', { code: 403 }))
  await expect.poll(() => frame.setBusy.mock.lastCall).toEqual([false])
  expect(screen.queryByRole('region')).toBeNull()
})
