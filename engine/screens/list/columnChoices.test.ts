import { expect, test } from 'vitest'
import { arrangeColumns, choicesOf, drawerWidth, drawnColumns, moveColumn, stretchWidths } from './columnChoices.ts'
import type { ColumnChoice } from './columnChoices.ts'
import type { ListColumn } from './list.ts'

const column = (field: string, rest: Partial<ListColumn> = {}): ListColumn => ({
  field,
  label: { cn: field, en: field },
  width: 100,
  sum: false,
  sort: true,
  hidden: false,
  ...rest,
})
const choice = (field: string, rest: Partial<ColumnChoice> = {}): ColumnChoice => ({
  field,
  hidden: false,
  pin: 'none',
  ...rest,
})
const planned = [column('code', { fixed: 'left' }), column('name'), column('note', { hidden: true })]
const fields = (columns: { field: string }[]) => columns.map(({ field }) => field)

test("without a choice the columns are the schema's", () => {
  expect(
    arrangeColumns(planned, undefined).map(({ field, hidden, pin, width, sized }) => [
      field,
      hidden,
      pin,
      width,
      sized,
    ]),
  ).toEqual([
    ['code', false, 'left', 100, false],
    ['name', false, 'none', 100, false],
    ['note', true, 'none', 100, false],
  ])
})

test('a choice is restored as it was saved', () => {
  const chosen = [choice('note', { pin: 'right' }), choice('name', { hidden: true, width: 222 }), choice('code')]
  expect(choicesOf(arrangeColumns(planned, { columns: chosen }))).toEqual(chosen)
})

test('forgets a removed field, and puts a new one behind its neighbour', () => {
  const columns = [choice('gone'), choice('note'), choice('code')]
  expect(fields(arrangeColumns(planned, { columns }))).toEqual(['note', 'code', 'name'])
  expect(fields(arrangeColumns([column('first'), ...planned], { columns }))).toEqual(['first', 'note', 'code', 'name'])
})

test('ignores invalid choices', () => {
  expect(fields(arrangeColumns(planned, { columns: 'x' as never }))).toEqual(['code', 'name', 'note'])
  expect(
    arrangeColumns(planned, { columns: [{ field: 'code', hidden: false, pin: 'left', width: NaN }] })[0].width,
  ).toBe(100)
  expect(
    arrangeColumns(planned, { columns: [{ field: 'code', hidden: false, pin: 'left', width: 9999 }] })[0].width,
  ).toBe(800)
})

test('pinned columns are at the edges, and on a narrow screen only the first is pinned', () => {
  const given = [
    column('a'),
    column('b', { fixed: 'right' }),
    column('c', { fixed: 'left', width: 200 }),
    column('d', { hidden: true }),
  ]
  const columns = arrangeColumns(given, undefined)
  expect(drawnColumns(columns, false).map(({ field, pin }) => `${field} ${pin}`)).toEqual([
    'c left',
    'a none',
    'b right',
  ])
  const narrow = drawnColumns(columns, true).map(({ field, pin, width }) => `${field} ${pin} ${width}`)
  expect(narrow).toEqual(['c left 200', 'a none 100', 'b none 100'])
})

test('spare width goes to columns that the user has not sized', () => {
  const free = { pin: 'none', sized: false } as const
  const [left, ...others] = [100, 100, 200].map((width) => ({ ...free, width }))
  const columns = [{ ...left, pin: 'left' } as const, ...others, { ...free, width: 50, sized: true }]
  expect(stretchWidths(columns, 751)).toEqual([100, 200, 401, 50])
  expect(stretchWidths([{ width: 100, pin: 'left', sized: true }], 300)).toEqual([300])
  expect(stretchWidths([{ width: 100, pin: 'none', sized: false }], 60)).toEqual([100])
})

test('with more columns than room, the fully visible ones end at the pinned edge', () => {
  const free = { width: 100, pin: 'none', sized: false } as const
  const pinned = { width: 80, pin: 'right', sized: true } as const
  expect(stretchWidths([free, free, free, pinned], 310)).toEqual([115, 115, 100, 80])
  expect(stretchWidths([{ ...free, sized: true }, free, free, pinned], 310)).toEqual([100, 130, 100, 80])
  expect(stretchWidths([{ ...free, sized: true }, free, pinned], 200)).toEqual([100, 100, 80])
})

test('a column dropped on another takes its place', () => {
  const columns = arrangeColumns([column('a', { fixed: 'left' }), column('b'), column('c'), column('d')], undefined)
  const moved = (field: string, to: string) =>
    moveColumn(columns, field, to)?.map(({ field: name, pin }) => (pin === 'none' ? name : `${name} ${pin}`))
  expect(moved('b', 'd')).toEqual(['a left', 'c', 'd', 'b'])
  expect(moved('d', 'b')).toEqual(['a left', 'd', 'b', 'c'])
  expect(moved('c', 'a')).toEqual(['c left', 'a left', 'b', 'd'])
  expect([moved('a', 'a'), moved('a', 'gone')]).toEqual([undefined, undefined])
})

test('a drawer is as wide as its table', () => {
  expect(drawerWidth([{ width: 200 }, { width: 100 }], false)).toBe(720)
  expect(drawerWidth([{ width: 900 }, { width: 300 }], true)).toBe(1342)
})
