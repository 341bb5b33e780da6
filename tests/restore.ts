import { afterAll, vi } from 'vitest'
import { passwordCost } from '../engine/server/identity/passwords.ts'
import { jobPauses } from '../engine/server/jobs/jobPauses.ts'

passwordCost.N = 2
// In most tests nobody works on jobs, so that calls would wait in vain.
jobPauses.milliseconds = [20]

/** Files share their worker, so each gives back the globals, timers and functions that it replaced. */
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
