import { expect, test } from 'vitest'
import { labelStep, percentText, placeIn, ringPart, shares, shortNumber, ticksFor } from './scale.ts'

test('an axis has round numbers, covers every value, and includes zero', () => {
  expect(ticksFor([3, 97])).toEqual([0, 25, 50, 75, 100])
  expect(ticksFor([120_000, 480_000])).toEqual([0, 200_000, 400_000, 600_000])
  expect(ticksFor([-30, 60])).toEqual([-50, -25, 0, 25, 50, 75])
  expect(ticksFor([0, 10])).toEqual([0, 5, 10])
  expect(ticksFor([1, 2])).toEqual([0, 1, 2])
  expect(ticksFor([0.1, 0.2, 0.3])).toEqual([0, 0.1, 0.2, 0.3])
  expect(ticksFor([])).toEqual([0, 1])
})

test('places a value, with larger ones higher up', () => {
  const place = placeIn([0, 50, 100], 200, 0)
  expect([0, 25, 100].map(place)).toEqual([200, 150, 0])
})

test('leaves out labels evenly if they do not fit', () => {
  expect([labelStep(40, 12, 600), labelStep(40, 24, 600), labelStep(40, 0, 600)]).toEqual([1, 2, 1])
})

test('shares of a whole count only positive values', () => {
  expect(shares([3, 1, null, -5])).toEqual([0.75, 0.25, 0, 0])
  expect(shares([0, null])).toEqual([0, 0])
  expect(ringPart(0, 0.25, 10, 5)).toBe('M0.00 -10.00 A10 10 0 0 1 10.00 -0.00 L5.00 -0.00 A5 5 0 0 0 0.00 -5.00 Z')
  expect(ringPart(0, 1, 10, 5).match(/Z/g)).toHaveLength(2)
})

test('shortens numbers in the words of the language', () => {
  expect([0, 7.5, 2500, 250_000, -1_200_000, 300_000_000].map((value) => shortNumber(value, 'cn'))).toEqual([
    '0',
    '7.5',
    '2500',
    '25万',
    '-120万',
    '3亿',
  ])
  expect([0, 7.5, 2500, 250_000, -1_200_000, 3_000_000_000].map((value) => shortNumber(value, 'en'))).toEqual([
    '0',
    '7.5',
    '2.5K',
    '250K',
    '-1.2M',
    '3B',
  ])
  expect([0.125, 1, 0.3333].map(percentText)).toEqual(['12.5%', '100%', '33.3%'])
})
