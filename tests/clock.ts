import { createClock, type Clock } from '../engine/server/clock.ts'

const started = Date.now()
/** Ten in the morning in Asia/Shanghai, in milliseconds since midnight UTC. */
const morning = 2 * 3600_000

/**
 * A clock on that day (`yyyy-MM-dd`). It starts at ten in the morning whenever the tests run, because daily rules do
 * not run before two.
 */
export const clockOn = (day: string): Clock => createClock(day, () => morning + Date.now() - started)
