import { expect, test } from 'vitest'
import { neighbourPlace, placeOf, treeRows } from './tree.ts'
import type { Drop } from './tree.ts'

const record = (id: number, parent: number | null) => ({ id, parent: parent && { id: parent, code: null, name: '' } })
const shown = (rows: ReturnType<typeof treeRows>) =>
  rows.map(
    ({ record: { id }, depth, open }) =>
      `${'-'.repeat(depth)}${id}${open === undefined ? '' : open ? ' open' : ' closed'}`,
  )

test('rows are below their parents, in their own order', () => {
  const records = [record(1, null), record(2, 4), record(3, 1), record(4, null), record(5, 3)]
  expect(shown(treeRows(records, 'parent', () => true))).toEqual(['1 open', '-3 open', '--5', '4 open', '-2'])
  expect(shown(treeRows(records, 'parent', ({ id }) => id !== 1))).toEqual(['1 closed', '4 open', '-2'])
})

test('a row without its parent is a root, and a cycle loses no row', () => {
  expect(shown(treeRows([record(1, 9), record(2, 1)], 'parent', () => true))).toEqual(['1 open', '-2'])
  expect(shown(treeRows([record(1, 2), record(2, 1), record(3, 3)], 'parent', () => true))).toEqual([
    '3',
    '1 open',
    '-2 open',
  ])
})

test('a dropped row goes before, after or below another, and never below itself', () => {
  const records = [record(1, null), record(2, 1), record(3, 1), record(4, 1), record(5, null)]
  const place = (dragged: number, target: number, drop: Drop) =>
    placeOf(records, 'parent', records[dragged - 1], records[target - 1], drop)
  expect(place(4, 2, 'before')).toEqual({ parent: 1, before: 2 })
  expect(place(2, 3, 'after')).toEqual({ parent: 1, before: 4 })
  expect(place(2, 4, 'after')).toEqual({ parent: 1, before: null })
  expect(place(2, 5, 'into')).toEqual({ parent: 5, before: null })
  expect(place(3, 1, 'after')).toEqual({ parent: null, before: 5 })
  for (const [dragged, target, drop] of [
    [2, 3, 'before'],
    [3, 2, 'after'],
    [4, 1, 'into'],
    [1, 3, 'before'],
    [1, 1, 'after'],
  ] as const) {
    expect(place(dragged, target, drop)).toBeUndefined()
  }
})

test('keys move a row one place up or down among its siblings', () => {
  const records = [record(1, null), record(2, 1), record(3, 1), record(5, null)]
  expect(neighbourPlace(records, 'parent', records[2], -1)).toEqual({ parent: 1, before: 2 })
  expect(neighbourPlace(records, 'parent', records[0], 1)).toEqual({ parent: null, before: null })
  expect(neighbourPlace(records, 'parent', records[1], -1)).toBeUndefined()
  expect(neighbourPlace(records, 'parent', records[3], 1)).toBeUndefined()
})
