import { expect, test } from 'vitest'
import { columnRange, cutColumns, roomBefore, rowRange, wholeColumns } from './window.ts'

test('short lists are drawn whole', () => {
  expect(rowRange(60, 40, 0, 400)).toEqual({ from: 0, to: 60 })
  expect(columnRange(Array(30).fill(100), 0, 400)).toEqual({ from: 0, to: 30 })
})

test('draws the visible rows of a long list, wherever it is scrolled', () => {
  for (let top = 0; top <= 10_000 * 40 - 400; top += 997) {
    const { from, to } = rowRange(10_000, 40, top, 400)
    expect(from * 40).toBeLessThanOrEqual(top)
    expect(to * 40).toBeGreaterThanOrEqual(top + 400)
    expect(to - from).toBeLessThan(30)
  }
  expect(rowRange(100, 40, 1e6, 400)).toEqual({ from: 100, to: 100 })
})

test('draws the visible ones of many columns', () => {
  const widths = Array.from({ length: 50 }, (_, index) => 60 + (index % 7) * 30)
  const edges = widths.reduce((sums, width) => [...sums, sums.at(-1)! + width], [0])
  for (let left = 0; left <= edges.at(-1)! - 800; left += 171) {
    const { from, to } = columnRange(widths, left, 800)
    expect(edges[from]).toBeLessThanOrEqual(left)
    expect(edges[to]).toBeGreaterThanOrEqual(left + 800)
    expect(to - from).toBeLessThan(20)
  }
})

test('reports how much of a partly covered column is visible', () => {
  const widths = [100, 100, 100, 100]
  expect(cutColumns(widths, 0, 200)).toEqual({ before: 0, after: 0 })
  expect(cutColumns(widths, 0, 250)).toEqual({ before: 0, after: 50 })
  expect(cutColumns(widths, 30, 240)).toEqual({ before: 70, after: 70 })
  expect(cutColumns(widths, 150, 250)).toEqual({ before: 50, after: 0 })
})

test('a single column is shown, cut or not', () => {
  expect(cutColumns([300], 0, 200)).toEqual({ before: 0, after: 0 })
  expect(cutColumns([300, 300], 200, 200)).toEqual({ before: 0, after: 0 })
})

test('finds the fully visible columns, wherever the list is scrolled', () => {
  const widths = [100, 100, 100, 100]
  expect(wholeColumns(widths, 0, 400)).toEqual({ from: 0, to: 4 })
  expect(wholeColumns(widths, 0, 250)).toEqual({ from: 0, to: 2 })
  expect(wholeColumns(widths, 150, 250)).toEqual({ from: 2, to: 4 })
  expect(wholeColumns(widths, 110, 80)).toEqual({ from: 2, to: 2 })
  expect(wholeColumns(widths, 360, 100)).toEqual({ from: 4, to: 4 })
  expect(wholeColumns([], 0, 100)).toEqual({ from: 0, to: 0 })
})

test('there is room up to the first marked column that is fully visible', () => {
  const widths = [100, 100, 100, 100]
  const isMarked = [false, true, false, true]
  expect(roomBefore(widths, isMarked, { scrollLeft: 0, viewport: 250 })).toBe(100)
  expect(roomBefore(widths, isMarked, { scrollLeft: 0, viewport: 150 })).toBe(150)
  expect(roomBefore(widths, isMarked, { scrollLeft: 150, viewport: 250 })).toBe(150)
  expect(roomBefore(widths, isMarked, { scrollLeft: 150, viewport: 200 })).toBe(200)
})
