import { expect, test } from 'vitest'
import { createRequestKeys } from './requestKeys.ts'

/** What a page stores across a reload. */
function keptStorage(): Storage {
  const kept = new Map<string, string>()
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
    get length() {
      return kept.size
    },
  } as Storage
}

test('a request keeps its key until it is answered', () => {
  const keys = createRequestKeys(() => undefined)
  const first = keys.keyOf('/thing/enable', { id: 1 })
  expect(keys.keyOf('/thing/enable', { id: 1 })).toBe(first)
  expect(keys.keyOf('/thing/enable', { id: 2 })).not.toBe(first)
  keys.answered(first)
  expect(keys.keyOf('/thing/enable', { id: 1 })).not.toBe(first)
})

test('a page reloaded after a lost answer reuses the key, and stores nothing that was typed', () => {
  const storage = keptStorage()
  let time = 0
  const page = () =>
    createRequestKeys(
      () => storage,
      () => time,
    )
  const create = (keys = page()) => keys.keyOf('/thing/create', { values: { name: '王小明' } })
  const first = create()
  expect(JSON.stringify(storage.getItem('erp-request-keys'))).not.toContain('王小明')
  expect(create()).toBe(first)
  const other = page().keyOf('/thing/create', { values: { name: '王小红' } })
  expect(other).not.toBe(first)

  const again = page()
  expect(create(again)).toBe(first)
  again.answered(first)
  again.answered(other)
  expect(storage.length).toBe(0)
  const second = create()
  expect(second).not.toBe(first)
  time += 11 * 60_000
  expect(create(), 'much later it is meant anew').not.toBe(second)
})

test('an attempt with other content can reuse the key, and both are forgotten with the answer', () => {
  const storage = keptStorage()
  const keys = createRequestKeys(() => storage)
  const key = keys.keyOf('/thing/create', { values: { name: '甲' } })
  expect(keys.keyOf('/thing/create', { values: { name: '乙' } }, key)).toBe(key)
  keys.answered(key)
  expect(storage.length).toBe(0)
})

test('without permission for storage the keys last as long as the page', () => {
  const keys = createRequestKeys(() => {
    throw new Error('forbidden')
  })
  expect(keys.keyOf('/thing/enable', { id: 1 })).toBe(keys.keyOf('/thing/enable', { id: 1 }))
})
