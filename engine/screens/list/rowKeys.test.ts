import { expect, test } from 'vitest'
import { rowKeyOf, stepRow } from './rowKeys.ts'

const keyOf = (key: string, rest = {}) => rowKeyOf({ key, isModified: false, isOnRow: false, ...rest })

test('letters move through the rows from anywhere, and arrows and Enter act on a focused row', () => {
  expect(['j', 'K', 'e', 'x', 'ArrowDown', 'Enter'].map((key) => keyOf(key))).toEqual([
    'next',
    'previous',
    'edit',
    undefined,
    undefined,
    undefined,
  ])
  expect(['ArrowDown', 'ArrowUp', 'Enter', ' '].map((key) => keyOf(key, { isOnRow: true }))).toEqual([
    'next',
    'previous',
    'open',
    'tick',
  ])
  expect(keyOf('j', { isModified: true })).toBeUndefined()
})

test('a step stays within the list', () => {
  expect([stepRow(3, -1, 'next'), stepRow(3, -1, 'previous'), stepRow(3, 1, 'next'), stepRow(3, 2, 'next')]).toEqual([
    0, 2, 2, 2,
  ])
  expect([stepRow(3, 0, 'previous'), stepRow(0, -1, 'next')]).toEqual([0, undefined])
})
