import { expect, test } from 'vitest'
import { treeRows } from './tree.ts'

const record = (id: number, parent: number | null) => ({ id, parent: parent && { id: parent, code: null, name: '' } })
const shown = (rows: ReturnType<typeof treeRows>) => rows.map(({ record: { id }, depth, open }) =>
  `${'-'.repeat(depth)}${id}${open === undefined ? '' : open ? ' open' : ' closed'}`)

test('rows stand below their parents, in their own order', () => {
  const records = [record(1, null), record(2, 4), record(3, 1), record(4, null), record(5, 3)]
  expect(shown(treeRows(records, 'parent', () => true))).toEqual(['1 open', '-3 open', '--5', '4 open', '-2'])
  expect(shown(treeRows(records, 'parent', ({ id }) => id !== 1))).toEqual(['1 closed', '4 open', '-2'])
})

test('one whose parent is not there is a root, and a circle loses nobody', () => {
  expect(shown(treeRows([record(1, 9), record(2, 1)], 'parent', () => true))).toEqual(['1 open', '-2'])
  expect(shown(treeRows([record(1, 2), record(2, 1), record(3, 3)], 'parent', () => true))).toEqual(['3', '1 open', '-2 open'])
})
