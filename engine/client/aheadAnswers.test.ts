import { afterEach, expect, test, vi } from 'vitest'
import { aheadAnswers } from './aheadAnswers.ts'

afterEach(() => {
  aheadAnswers.discard()
  vi.useRealTimers()
})
const answer = { data: { code: 1, message: '', result: 7 }, headers: {} }
const keep = (parameters: object = {}) => aheadAnswers.keep('/a', parameters, Promise.resolve(answer))

test('the first request for the same takes the answer, and the second asks itself', async () => {
  keep({ page: 1 })
  expect(aheadAnswers.take('/a', { page: 2 })).toBeUndefined()
  expect(aheadAnswers.take('/b', { page: 1 })).toBeUndefined()
  expect(await aheadAnswers.take('/a', { page: 1 })).toBe(answer)
  expect(aheadAnswers.take('/a', { page: 1 })).toBeUndefined()
})

test('a failure is no answer: whoever takes it asks itself', async () => {
  aheadAnswers.keep('/a', {}, Promise.reject(new Error('cut off')))
  expect(await aheadAnswers.take('/a', {})).toBeUndefined()
})

test('an answer is not kept for long, nor over something that was written', () => {
  vi.useFakeTimers()
  keep()
  vi.advanceTimersByTime(10_000)
  expect(aheadAnswers.take('/a', {})).toBeUndefined()
  keep()
  aheadAnswers.discard()
  expect(aheadAnswers.take('/a', {})).toBeUndefined()
})
