import { expect, test } from 'vitest'
import { daysOf, stateOf } from './calendar.ts'

const step = { from: 10, to: 13 }

test.each([
  ['2026-03-09', 3, 'coming'],
  ['2026-03-09', 0, 'coming'],
  ['2026-03-10', 3, 'due'],
  ['2026-03-13', 1, 'due'],
  ['2026-03-14', 1, 'late'],
  ['2026-03-14', 0, 'done'],
  ['2026-03-10', 0, 'done'],
])('on %s with %i waiting the step is %s', (today, waiting, state) => {
  expect(stateOf(step, today, waiting)).toBe(state)
})

test('moves days into the month, and no step ends before it begins', () => {
  expect([daysOf({ from: -3, to: 5 }, '2026-02-20'), daysOf({ from: 12, to: 10 }, '2026-02-20')]).toEqual([
    { from: 1, to: 5 },
    { from: 12, to: 12 },
  ])
  expect(daysOf({ from: 15, to: 31 }, '2026-02-20')).toEqual({ from: 15, to: 28 })
  expect(daysOf({ from: 31, to: 31 }, '2028-02-01')).toEqual({ from: 29, to: 29 })
  expect(stateOf({ from: 31, to: 31 }, '2026-04-30', 2)).toBe('due')
})
