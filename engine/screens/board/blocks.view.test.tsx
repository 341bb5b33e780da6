// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { RequestError } from '../../client/index.ts'
import { draw, entity, field, plan } from '../../../tests/fixtures/screen.tsx'
import type { RecordData } from '../../model/model.ts'
import type { BoardBlock, BoardRecords } from './block.ts'
import { BoardView } from './board.view.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const entityPlan = entity('thing', [
  field('name', 'text'),
  field('kind', 'choice', { options: { choices: 'kind' } }),
  field('to', 'text'),
  field('picture', 'image'),
])
const block = (rest: Partial<BoardRecords>): BoardRecords => ({
  kind: 'records',
  name: 'things',
  label: { cn: '物品', en: 'Things' },
  entity: 'thing',
  permission: 'p:things',
  filter: {},
  limit: 5,
  fields: [],
  text: 'name',
  shown: ['kind'],
  marks: [{ when: "kind == 'special'", tag: 'warning', label: { cn: '特', en: 'S' } }],
  open: [{ when: "kind == 'special'", address: 'to' }],
  more: '/thing',
  ...rest,
})
const pictures = block({ kind: 'pictures', image: 'picture', marks: [], open: [{ address: 'to' }] })
const open = (blocks: BoardBlock[], records: unknown) =>
  draw(BoardView, plan(entityPlan, 'board', { cards: [], blocks }), [entityPlan], {
    answers: { '/plans/block': records },
  })
const thing = (id: number, name: string, rest: RecordData = {}): RecordData => ({
  id,
  name,
  kind: 'plain',
  to: null,
  picture: [{ url: `/api/files/${id}`, name: `${id}.png`, size: 1 }],
  ...rest,
})
const slide = () => screen.getByRole('img').getAttribute('alt')

test('shows records in order with marks and further fields, and links those with an address', async () => {
  const { request, frame } = open(
    [block({})],
    [
      thing(1, '甲', { kind: 'special', to: '/thing?id=1' }),
      thing(2, '乙'),
      thing(3, '丙', { kind: 'special', to: 'https://example.com/' }),
    ],
  )
  await screen.findByText('甲')
  const items = screen.getAllByRole('listitem')
  expect(items.map((item) => item.textContent)).toEqual(['特甲特殊', '乙普通', '特丙特殊'])
  expect(request.get).toHaveBeenCalledWith('/plans/block', { screen: 'thing.board', name: 'things' }, expect.anything())
  expect(screen.getByRole('link', { name: '特丙' })).toMatchObject({
    href: 'https://example.com/',
    target: '_blank',
    rel: 'noopener noreferrer',
  })
  expect(screen.queryByRole('link', { name: '乙' })).toBeNull()
  fireEvent.click(screen.getByRole('link', { name: '特甲' }))
  fireEvent.click(screen.getByRole('link', { name: '全部: 物品' }))
  expect(frame.navigate).toHaveBeenNthCalledWith(1, '/thing?id=1')
  expect(frame.navigate).toHaveBeenNthCalledWith(2, '/thing')
  expect(frame.setBusy).toHaveBeenLastCalledWith(false)
})

test('shows that there are no records, or why reading failed, with a retry', async () => {
  const { answers, speak } = open(
    [block({})],
    new RequestError('系统繁忙', { code: 500, texts: { cn: '系统繁忙', en: 'The system is busy' } }),
  )
  expect((await screen.findByRole('alert')).textContent).toContain('系统繁忙')
  speak('en')
  expect(screen.getByRole('alert').textContent).toContain('The system is busy')
  speak('cn')
  answers['/plans/block'] = []
  fireEvent.click(screen.getByRole('button', { name: /重\s*试/ }))
  await screen.findByText('暂无数据')
})

test('the buttons step through the pictures, in a circle', async () => {
  open([pictures], [thing(1, '甲', { to: '/thing' }), thing(2, '乙'), thing(3, '丙')])
  await screen.findByRole('group', { name: '1 / 3' })
  expect(screen.getByRole('link', { name: '甲' })).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: '上一张' }))
  expect(slide()).toBe('丙')
  fireEvent.click(screen.getByRole('button', { name: '下一张' }))
  fireEvent.click(screen.getByRole('button', { name: '第2张' }))
  expect([slide(), screen.getByRole('button', { name: '第2张' }).getAttribute('aria-current')]).toEqual(['乙', 'true'])
})

test('pictures change by themselves, except under pointer or focus, or once stopped', async () => {
  open([pictures], [thing(1, '甲'), thing(2, '乙')])
  const group = await screen.findByRole('group', { name: '物品' })
  vi.useFakeTimers()
  const later = () =>
    act(async () => {
      await vi.advanceTimersByTimeAsync(7000)
    })
  fireEvent.click(screen.getByRole('button', { name: '下一张' }))
  await later()
  expect(slide()).toBe('甲')
  fireEvent.focus(screen.getByRole('button', { name: '上一张' }))
  await later()
  expect(slide()).toBe('甲')
  fireEvent.blur(screen.getByRole('button', { name: '上一张' }))
  fireEvent.mouseEnter(group)
  await later()
  fireEvent.mouseLeave(group)
  fireEvent.click(screen.getByRole('button', { name: '暂停轮播' }))
  await later()
  expect(slide()).toBe('甲')
  fireEvent.click(screen.getByRole('button', { name: '自动轮播' }))
  await later()
  expect(slide()).toBe('乙')
})

test('pictures do not move for users who prefer that, and nothing is drawn without pictures', async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }))
  open([pictures], [thing(1, '甲'), thing(2, '乙')])
  await screen.findByRole('group', { name: '1 / 2' })
  expect(screen.getByRole('button', { name: '自动轮播' })).toBeTruthy()
  cleanup()
  const { frame } = open([pictures], [])
  await vi.waitFor(() => expect(frame.setBusy).toHaveBeenLastCalledWith(false))
  expect(screen.queryByRole('region')).toBeNull()
})
