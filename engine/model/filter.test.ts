import { expect, test } from 'vitest'
import { combined, conditionsOf } from './filter.ts'

test('filters on the same field all hold, and equal ones are one', () => {
  const filter = combined({ kind: { equals: 'a' }, day: { between: ['2026-01-01', null] } }, undefined, {
    kind: { in: ['a', 'b'] },
    day: { between: ['2026-01-01', null] },
    name: { contains: 'x' },
  })
  expect(filter).toEqual({
    kind: { and: [{ equals: 'a' }, { in: ['a', 'b'] }] },
    day: { between: ['2026-01-01', null] },
    name: { contains: 'x' },
  })
  expect(combined(filter, { kind: { equals: 'b' } }).kind).toEqual({
    and: [{ equals: 'a' }, { in: ['a', 'b'] }, { equals: 'b' }],
  })
})

test('the conditions of a filter are those of its parts; what is no filter is no condition', () => {
  const parts = [{ equals: 'a' }, { in: ['a'], empty: false }]
  expect(conditionsOf({ and: parts, contains: 'x' })).toEqual([
    ['equals', 'a'],
    ['in', ['a']],
    ['empty', false],
    ['contains', 'x'],
  ])
  for (const and of [null, 'x', 1, [null], [1], [['equals', 'a']], [{ and: parts }]])
    expect(conditionsOf({ and } as never)).toEqual([['and', and]])
})
