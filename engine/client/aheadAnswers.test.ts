import { afterEach, expect, test, vi } from 'vitest'
import { aheadAnswers } from './aheadAnswers.ts'

afterEach(() => {
  aheadAnswers.discard()
  vi.useRealTimers()
})
const answer = { data: { code: 1, message: '', result: 7 }, headers: {} }
const asked = (rest: Partial<Parameters<typeof aheadAnswers.take>[0]> = {}) => ({
  token: 'T-1',
  language: 'zh-CN',
  path: '/a',
  parameters: {},
  ...rest,
})
const keep = (parameters: object = {}) => aheadAnswers.keep(asked({ parameters }), Promise.resolve(answer))

test('the first equal request takes the answer, and the second fetches its own', async () => {
  keep({ page: 1 })
  expect(aheadAnswers.take(asked({ parameters: { page: 2 } }))).toBeUndefined()
  expect(aheadAnswers.take(asked({ path: '/b', parameters: { page: 1 } }))).toBeUndefined()
  expect(await aheadAnswers.take(asked({ parameters: { page: 1 } }))).toBe(answer)
  expect(aheadAnswers.take(asked({ parameters: { page: 1 } }))).toBeUndefined()
})

test('a failure is no answer, so the request is sent itself', async () => {
  aheadAnswers.keep(asked(), Promise.reject(new Error('cut off')))
  expect(await aheadAnswers.take(asked())).toBeUndefined()
})

test('an answer expires soon, and is dropped after a write', () => {
  vi.useFakeTimers()
  keep()
  vi.advanceTimersByTime(10_000)
  expect(aheadAnswers.take(asked())).toBeUndefined()
  keep()
  aheadAnswers.discard()
  expect(aheadAnswers.take(asked())).toBeUndefined()
})

test('another user or language fetches its own answer', async () => {
  keep()
  expect(aheadAnswers.take(asked({ token: 'T-2' }))).toBeUndefined()
  expect(aheadAnswers.take(asked({ language: 'en-US' }))).toBeUndefined()
  expect(await aheadAnswers.take(asked())).toBe(answer)
})
