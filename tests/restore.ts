import { afterAll, vi } from 'vitest'
import { passwordCost } from '../engine/server/identity/passwords.ts'

passwordCost.N = 2

/** Files share their worker, so each gives back the globals, timers and functions that it replaced. */
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
