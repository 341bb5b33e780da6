import { createClock, type Clock } from '../engine/server/clock.ts'

const started = Date.now()
/** Ten in the morning in Asia/Shanghai, in milliseconds of a day. */
const morning = 2 * 3600_000

/**
 * A clock that stands on that day (`yyyy-MM-dd`). Tests begin at ten in the morning, whenever they are run: at night
 * the system does nothing by itself.
 */
export const clockOn = (day: string): Clock => createClock(day, () => morning + Date.now() - started)
