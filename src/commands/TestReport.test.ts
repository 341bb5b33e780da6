import { expect, test } from 'vitest'
import { text } from './TestReport.ts'

test('a failure shows its cause, with the code if there is one', () => {
  const refused = Object.assign(new Error('connect refused'), {
    code: 'ECONNREFUSED',
    stack: 'Error: connect refused\n    at /app/node_modules/net.js:1\n    at /app/src/own.ts:2',
  })
  expect(text({ message: 'fetch failed', cause: refused })).toBe(
    'fetch failed\ncaused by ECONNREFUSED Error: connect refused\n    at /app/src/own.ts:2',
  )
  expect(text({ message: 'not as expected', cause: { message: 'in time' } })).toBe('not as expected\ncaused by in time')
  expect(text({ message: 'alone' })).toBe('alone')
})
