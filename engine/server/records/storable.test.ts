import { expect, it } from 'vitest'
import { isStorable } from './storable.ts'

const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)])

it('accepts what can be stored and returned unchanged', () => {
  for (const value of ['张三 👍\n', 1, -0.5, 2 ** 53 - 1, null, true, { a: [{ b: '' }] }, nested(40)])
    expect(isStorable(value), JSON.stringify(value)).toBe(true)
})

it('refuses a NUL, half a character, an inexact number and excessive nesting', () => {
  for (const value of ['a\u0000', '\ud83d', { a: ['\udc4d'] }, { 'a\u0000': 1 }, 2 ** 53, -1e21, nested(41)])
    expect(isStorable(value), JSON.stringify(value).slice(0, 40)).toBe(false)
})
