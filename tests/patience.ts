import { vi } from 'vitest'

/** How long a test waits for what must come, in ms: only a failure takes that long, and a busy machine takes seconds. */
const patience = 60_000

const { waitFor, waitUntil } = vi
// A worker that carries several files keeps this object: each wraps it again, and the outermost decides.
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: patience, ...options })
vi.waitUntil = (callback, options = {}) =>
  waitUntil(callback, typeof options === 'number' ? options : { timeout: patience, ...options })

if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/react')
  configure({ asyncUtilTimeout: patience })
}
