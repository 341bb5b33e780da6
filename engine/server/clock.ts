/** The only clock for rules, dates and months. Sessions and files use the machine's clock. */
export interface Clock {
  /** `yyyy-MM-dd HH:mm:ss` in Asia/Shanghai. */
  now(): string
  /** `yyyy-MM-dd`. */
  today(): string
}

/** China has one time zone and, since 1991, no daylight saving time. */
const offset = 8 * 3600_000

/** @param businessDate fixes the date (`yyyy-MM-dd`), while the time of day goes on. @throws if it is not a date. */
export function createClock(businessDate?: string, machine: () => number = Date.now): Clock {
  if (businessDate !== undefined && new Date(`${businessDate}T00:00:00Z`).toJSON()?.slice(0, 10) !== businessDate) {
    throw new Error(`BUSINESS_DATE is "${businessDate}", but must be a date such as 2026-03-15.`)
  }
  const now = () => {
    const text = new Date(machine() + offset).toISOString().slice(0, 19).replace('T', ' ')
    return businessDate === undefined ? text : `${businessDate}${text.slice(10)}`
  }
  return { now, today: () => now().slice(0, 10) }
}
