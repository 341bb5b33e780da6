import { expect, test } from 'vitest'
import { mergePatch } from './generate.ts'

test('a patch merges objects, replaces lists and values, and takes away by null', () => {
  expect(mergePatch({ a: { b: 1, c: [1, 2] }, d: 'x' }, { a: { c: [3], e: 2 }, d: null })).toEqual({ a: { b: 1, c: [3], e: 2 } })
  expect(mergePatch({ a: 'text' }, { a: { b: null, c: 1 } })).toEqual({ a: { c: 1 } })
  expect(mergePatch([1], { a: 1 })).toEqual({ a: 1 })
})

test('a patch leaves what it is given untouched', () => {
  const target = { a: { b: 1 } }
  mergePatch(target, { a: { b: 2 } })
  expect(target).toEqual({ a: { b: 1 } })
})
