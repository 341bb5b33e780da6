import { expect, test } from 'vitest'
import { layTrail, neighbourOf, placeOnTrail } from './queue.ts'

const rows = [1, 2, 3, 4].map((id) => ({ id }))

test('the next of a queue is the nearest row that allows the same action', () => {
  const even = ({ id }: { id?: number }) => id! % 2 === 0
  const [first, , third, last] = rows
  expect([neighbourOf(rows, first, 1, even), neighbourOf(rows, third, -1, even)]).toEqual([{ id: 2 }, { id: 2 }])
  expect([neighbourOf(rows, last, 1, even), neighbourOf(rows, { id: 9 }, 1, even)]).toEqual([undefined, undefined])
})

test('a record opened from a list knows its place there, and another one has none', () => {
  layTrail('thing', rows)
  expect(placeOnTrail('thing', 1)).toEqual({ previous: undefined, next: 2, number: 1, count: 4 })
  expect(placeOnTrail('thing', 3)).toEqual({ previous: 2, next: 4, number: 3, count: 4 })
  expect([placeOnTrail('thing', 9), placeOnTrail('other', 1)]).toEqual([undefined, undefined])
  layTrail('thing', rows.slice(0, 1))
  expect(placeOnTrail('thing', 1)).toBeUndefined()
})
