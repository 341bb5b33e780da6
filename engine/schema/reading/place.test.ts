import { describe, expect, test } from 'vitest'
import { positionOf, rangeOf, treeOf, type Part } from './place.ts'

const text = '{\n  "list": ["a", { "key/x": "say \\"hi\\" \\u4f60 now" }],\n  "object": { "deep": 7 }\n}\n'
const marked = (pointer: string, part?: Part) => {
  const { start, end } = rangeOf(treeOf(text), text, pointer, part)
  return text.slice(start, end)
}

describe('a pointer', () => {
  test('marks the value, or its key', () => {
    expect(marked('/list/0')).toBe('"a"')
    expect(marked('/object/deep')).toBe('7')
    expect(marked('/object/deep', { key: true })).toBe('"deep"')
    expect(marked('/list/1/key~1x', { key: true })).toBe('"key/x"')
  })

  test('marks the key of a whole object, and the bracket of one in a list', () => {
    expect(marked('/object')).toBe('"object"')
    expect(marked('/list/1')).toBe('{')
  })

  test('marks the nearest ancestor for the result of a shorthand or a default', () => {
    expect(marked('/list/0/field')).toBe('"a"')
    expect(marked('/object/missing/deeper')).toBe('"object"')
  })

  test('marks a part of a string, counting escapes as one character', () => {
    expect(marked('/list/1/key~1x', { part: { start: 9, end: 10 } })).toBe('\\u4f60')
    expect(marked('/list/1/key~1x', { part: { start: 11, end: 14 } })).toBe('now')
    expect(marked('/list/1/key~1x', { part: { start: 4, end: 8 } })).toBe('\\"hi\\"')
  })
})

test('positions count from one, with the line itself', () => {
  expect(positionOf('a\r\nbc\r\n', 4)).toEqual({ line: 2, column: 2, excerpt: 'bc' })
  expect(positionOf('', 0)).toEqual({ line: 1, column: 1, excerpt: '' })
})
