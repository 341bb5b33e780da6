// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { RequestError } from '../../client/index.ts'
import { draw, entity, field, plan } from '../../../tests/fixtures/screen.tsx'
import type { BoardBlock } from './block.ts'
import type { BoardCard, BoardStep } from './board.ts'
import { BoardView } from './board.view.tsx'
import { boardAge } from './boardAge.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  Reflect.deleteProperty(document, 'visibilityState')
})
const thing = entity('thing', [field('name', 'text')])
const card = (name: string): BoardCard => ({
  name,
  label: { cn: `待办${name}`, en: `Work ${name}` },
  to: `/thing?tab=${name}`,
  permission: `p:${name}`,
  counts: name,
  roles: [],
})
/** Where the server answers the counts. */
const countsPath = '/plans/waiting'
const open = (cards: BoardCard[], answers: Record<string, unknown>, welcome?: { cn: string; en: string }) =>
  draw(BoardView, plan(thing, 'board', { waiting: [], cards, blocks: [], ...(welcome && { welcome }) }), [thing], {
    answers,
  })

test('a card counts what waits and leads to it', async () => {
  const { request, frame } = open([card('a')], { [countsPath]: { a: { total: 12 } } })
  const link = await screen.findByRole('link', { name: /待办a\s*12/ })
  expect(link.getAttribute('href')).toBe('/thing?tab=a')
  expect(request.get).toHaveBeenCalledWith(countsPath, { screen: 'thing.board' }, expect.anything())
  fireEvent.click(link)
  expect(frame.navigate).toHaveBeenCalledWith('/thing?tab=a')
  await waitFor(() => expect(frame.setBusy).toHaveBeenLastCalledWith(false))
  expect(screen.getByText('周演，您好')).toBeTruthy()
})

test("work of the user's own role comes first, with its earliest date, and that of others on demand", async () => {
  const own: BoardCard = { ...card('b'), roles: ['admin'], dated: 'since' }
  open([card('a'), own], { [countsPath]: { a: { total: 2 }, b: { total: 2, first: '2026-03-02 09:00:00' } } })
  await screen.findByText('最早 2026-03-02')
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['待办b2最早 2026-03-02', '待办a2'])
  const others = screen.getByRole('group')
  expect(others).toHaveProperty('open', false)
  expect(
    within(others)
      .getAllByRole('link')
      .map(({ textContent }) => textContent),
  ).toEqual(['待办a2'])
  expect(within(others).getByText('其他岗位的待办（1）')).toBeTruthy()
})

test('a user without work of their own sees all of it at once', async () => {
  open([card('a'), { ...card('b'), roles: ['cashier'] }], { [countsPath]: { a: { total: 2 }, b: { total: 3 } } })
  await screen.findByRole('link', { name: /待办b\s*3/ })
  expect(screen.queryByRole('group')).toBeNull()
})

test('a date that is over is said to be overdue', async () => {
  const due = (name: string): BoardCard => ({ ...card(name), dated: 'due' })
  const first = { a: '2026-03-02', b: '2099-03-02' }
  const { speak } = open([due('a'), due('b')], {
    [countsPath]: { a: { total: 1, first: first.a }, b: { total: 1, first: first.b } },
  })
  await screen.findByText('逾期自 2026-03-02')
  expect(screen.getByText('最近截止 2099-03-02')).toBeTruthy()
  speak('en')
  expect(screen.getByText('Overdue since 2026-03-02')).toBeTruthy()
  expect(screen.getByText('Next due 2099-03-02')).toBeTruthy()
})

test('hides cards that the user may not see, and shows why reading failed, with a retry', async () => {
  const failure = new RequestError('系统繁忙', { code: 500, texts: { cn: '系统繁忙', en: 'The system is busy' } })
  const welcome = { cn: '{name}，今天也请加油', en: 'Hello {name}' }
  const { answers, frame, speak } = open([card('a'), card('b')], { [countsPath]: failure }, welcome)
  await screen.findByText('系统繁忙')
  expect(screen.getByRole('link', { name: /待办b\s*–/ }), 'it waits for nothing any more').toBeTruthy()
  speak('en')
  expect(screen.getByText('The system is busy')).toBeTruthy()
  speak('cn')
  await waitFor(() => expect(frame.setBusy).toHaveBeenLastCalledWith(false))
  expect(screen.getByText('周演，今天也请加油')).toBeTruthy()
  answers[countsPath] = { b: { total: 3 } }
  fireEvent.click(screen.getByRole('button', { name: /重\s*试/ }))
  await screen.findByRole('link', { name: /待办b\s*3/ })
  expect(screen.queryByText('待办a')).toBeNull()
})

describe('numbers that become old', () => {
  const counts = (total: number) => ({ a: { total } })
  const records: BoardBlock = {
    kind: 'records',
    name: 'things',
    label: { cn: '物品', en: 'Things' },
    entity: 'thing',
    permission: 'p:things',
    filter: {},
    limit: 5,
    fields: [],
    text: 'name',
    shown: [],
    marks: [],
    open: [],
  }
  const screenOf = plan(thing, 'board', { waiting: [], cards: [card('a')], blocks: [records] })
  const show = (state: 'visible' | 'hidden') => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: state })
    act(() => {
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    })
  }
  const pass = (milliseconds: number) =>
    act(async () => {
      await vi.advanceTimersByTimeAsync(milliseconds)
    })
  /** A board with a count of 3, and how often each of its parts was read. */
  async function begin() {
    vi.useFakeTimers()
    const drawn = draw(BoardView, screenOf, [thing], {
      answers: { [countsPath]: counts(3), '/plans/block': [{ id: 1, name: '甲' }] },
    })
    await pass(1000)
    const read = () =>
      [countsPath, '/plans/block'].map(
        (path) => drawn.request.get.mock.calls.filter(([called]) => called === path).length,
      )
    expect(read()).toEqual([1, 1])
    return { ...drawn, read }
  }

  test('are refreshed automatically, and remain visible until then', async () => {
    const { answers, request, read } = await begin()
    answers[countsPath] = counts(4)
    let arrive = () => {}
    request.get.mockImplementation((path: string) => {
      if (path !== countsPath) return Promise.resolve(answers[path])
      return new Promise((resolve) => {
        arrive = () => resolve(answers[path])
      })
    })
    await pass(boardAge)
    expect(read()).toEqual([2, 2])
    expect(screen.getByRole('link', { name: /待办a\s*3/ })).toBeTruthy()
    await act(async () => arrive())
    await pass(0)
    expect(screen.getByRole('link', { name: /待办a\s*4/ })).toBeTruthy()
    expect(screen.getByText('甲')).toBeTruthy()
  })

  test('are not refreshed while the window is hidden, and are on return if old', async () => {
    const { read } = await begin()
    show('hidden')
    await pass(boardAge * 3)
    expect(read()).toEqual([1, 1])
    show('visible')
    await pass(0)
    expect(read()).toEqual([2, 2])
    show('hidden')
    await pass(boardAge / 2)
    show('visible')
    await pass(0)
    expect(read()).toEqual([2, 2])
  })

  test('are not refreshed while another tab is open', async () => {
    vi.useFakeTimers()
    const drawn = draw(
      (props) => <BoardView {...props} frame={{ ...props.frame, active: false }} />,
      screenOf,
      [thing],
      {
        answers: { [countsPath]: counts(3), '/plans/block': [] },
      },
    )
    await pass(boardAge * 3)
    expect(drawn.request.get).not.toHaveBeenCalled()
  })
})

describe('the calendar', () => {
  const items = () => screen.getAllByRole('listitem').map((item) => item.textContent)
  /** Lists that the user may not see are missing in `totals`. */
  const show = (steps: BoardStep[], totals: Record<string, number>) =>
    draw(
      BoardView,
      plan(thing, 'board', {
        waiting: [],
        cards: [],
        blocks: [],
        calendar: { label: { cn: '业务日历', en: 'Calendar' }, steps },
      }),
      [thing],
      {
        answers: { [countsPath]: Object.fromEntries(Object.entries(totals).map(([name, total]) => [name, { total }])) },
      },
    )
  const step = (name: string, from: number, to: number): BoardStep => ({
    name,
    label: card(name).label,
    days: { from, to },
    lists: [card(name)],
  })

  test('shows for each step whether it is done, late, due or coming, and leads to what waits', async () => {
    const { frame, speak } = show(
      [step('a', 1, 5), step('b', 1, 5), step('c', 10, 31), step('d', 20, 20), step('e', 1, 2)],
      { a: 0, b: 2, c: 3, d: 1 },
    )
    await screen.findByText('2项待办')
    await waitFor(() =>
      expect(items()).toEqual([
        '1–5日待办a已完成',
        '1–5日待办b2项待办已逾期',
        '10–31日待办c3项待办进行中',
        '20日待办d1项待办未到期',
      ]),
    )
    await waitFor(() => expect(frame.setBusy).toHaveBeenLastCalledWith(false))
    fireEvent.click(screen.getByRole('link', { name: '待办b' }))
    expect(frame.navigate).toHaveBeenCalledWith('/thing?tab=b')
    speak('en')
    expect(items()[1]).toBe('Days 1–5Work b2 waitingLate')
  })

  test('adds up the lists of a step, leads to each with work, and leaves out those out of reach', async () => {
    const { frame } = show(
      [
        {
          name: 'all',
          label: { cn: '申报', en: 'Declare' },
          days: { from: 1, to: 5 },
          lists: ['a', 'b', 'c', 'd'].map(card),
        },
      ],
      { a: 2, b: 0, d: 3 },
    )
    await waitFor(() => expect(items()).toEqual(['1–5日申报5项待办已逾期待办a 2待办d 3']))
    expect(screen.queryByRole('link', { name: '申报' })).toBeNull()
    fireEvent.click(screen.getByRole('link', { name: '待办d 3' }))
    expect(frame.navigate).toHaveBeenCalledWith('/thing?tab=d')
    await waitFor(() => expect(frame.setBusy).toHaveBeenLastCalledWith(false))
  })

  test('takes the days of a step, and whether it is done, from settings and the time', async () => {
    const done = (name: string, when: string, days: BoardStep['days']): BoardStep => ({
      name,
      label: card(name).label,
      days,
      lists: [],
      done: { when, to: `/${name}`, permission: 'p' },
    })
    const { frame } = show(
      [
        done('a', "today() > '2026-03-01'", { from: 1, to: 5 }),
        done('b', "today() > '2026-03-20'", { from: 1, to: '2 + 3' }),
        done('c', 'false', { from: '40 - 45', to: 31 }),
      ],
      {},
    )
    await waitFor(() => expect(items()).toEqual(['1–5日待办a已完成', '1–5日待办b已逾期', '1–31日待办c进行中']))
    fireEvent.click(screen.getByRole('link', { name: '待办b' }))
    expect(frame.navigate).toHaveBeenCalledWith('/b')
  })
})
