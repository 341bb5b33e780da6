import { vi } from 'vitest'

/**
 * Timeout in ms for events that must happen: only a failure takes that long, although a busy machine may take seconds.
 */
const patience = 60_000

const { waitFor, waitUntil } = vi
// Test files of one worker share this object; each wraps it again, and the outermost wrapper applies.
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: patience, ...options })
vi.waitUntil = (callback, options = {}) =>
  waitUntil(callback, typeof options === 'number' ? options : { timeout: patience, ...options })

if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react')
  configure({ asyncUtilTimeout: patience })
}
