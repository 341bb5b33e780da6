import { expect, test } from 'vitest'
import { createRequestKeys } from './requestKeys.ts'

test('the same request has the same key until it was answered', () => {
  const keys = createRequestKeys()
  const first = keys.keyOf('/thing/enable', { id: 1 })
  expect(keys.keyOf('/thing/enable', { id: 1 })).toBe(first)
  expect(keys.keyOf('/thing/enable', { id: 2 })).not.toBe(first)
  keys.answered('/thing/enable', { id: 1 })
  expect(keys.keyOf('/thing/enable', { id: 1 })).not.toBe(first)
})
