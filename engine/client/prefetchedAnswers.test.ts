import { afterEach, expect, test, vi } from 'vitest'
import { prefetchedAnswers } from './prefetchedAnswers.ts'

afterEach(() => {
  prefetchedAnswers.discard()
  vi.useRealTimers()
})
const answer = { data: { code: 1, message: '', result: 7 }, headers: {} }
const requestFor = (rest: Partial<Parameters<typeof prefetchedAnswers.take>[0]> = {}) => ({
  token: 'T-1',
  language: 'zh-CN',
  path: '/a',
  parameters: {},
  ...rest,
})
const keep = (parameters: object = {}) => prefetchedAnswers.keep(requestFor({ parameters }), Promise.resolve(answer))

test('the first equal request takes the answer, and the second fetches its own', async () => {
  keep({ page: 1 })
  expect(prefetchedAnswers.take(requestFor({ parameters: { page: 2 } }))).toBeUndefined()
  expect(prefetchedAnswers.take(requestFor({ path: '/b', parameters: { page: 1 } }))).toBeUndefined()
  expect(await prefetchedAnswers.take(requestFor({ parameters: { page: 1 } }))).toBe(answer)
  expect(prefetchedAnswers.take(requestFor({ parameters: { page: 1 } }))).toBeUndefined()
})

test('a failure is no answer, so the request is sent itself', async () => {
  prefetchedAnswers.keep(requestFor(), Promise.reject(new Error('cut off')))
  expect(await prefetchedAnswers.take(requestFor())).toBeUndefined()
})

test('an answer expires soon, and is dropped after a write', () => {
  vi.useFakeTimers()
  keep()
  vi.advanceTimersByTime(10_000)
  expect(prefetchedAnswers.take(requestFor())).toBeUndefined()
  keep()
  prefetchedAnswers.discard()
  expect(prefetchedAnswers.take(requestFor())).toBeUndefined()
})

test('another user or language fetches its own answer', async () => {
  keep()
  expect(prefetchedAnswers.take(requestFor({ token: 'T-2' }))).toBeUndefined()
  expect(prefetchedAnswers.take(requestFor({ language: 'en-US' }))).toBeUndefined()
  expect(await prefetchedAnswers.take(requestFor())).toBe(answer)
})
