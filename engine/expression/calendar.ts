/**
 * Dates `yyyy-MM-dd`, months `yyyy-MM` and datetimes `yyyy-MM-dd HH:mm:ss` as texts of one clock, without time zones.
 * The result for a date that does not exist is null.
 */
const pattern = /^(\d{4})-(\d{2})(?:-(\d{2})( \d{2}:\d{2}:\d{2})?)?$/
const millisecondsPerDay = 86_400_000

interface Moment {
  year: number
  month: number
  day: number | undefined
  time: string
}

function read(text: string): Moment | null {
  const match = pattern.exec(text)
  if (!match) return null
  const [year, month] = [Number(match[1]), Number(match[2])]
  const day = match[3] === undefined ? undefined : Number(match[3])
  if (month < 1 || month > 12 || (day !== undefined && (day < 1 || day > lengthOfMonth(year, month)))) return null
  return { year, month, day, time: match[4] ?? '' }
}

function write(year: number, month: number, day: number | undefined, time: string): string | null {
  if (!(year >= 0 && year <= 9999)) return null
  const two = (part: number) => String(part).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${two(month)}${day === undefined ? '' : `-${two(day)}`}${time}`
}

/** Date.UTC maps years below 100 to 19xx; setUTCFullYear does not. */
const dayNumber = (year: number, month: number, day: number) =>
  new Date(0).setUTCFullYear(year, month - 1, day) / millisecondsPerDay
const lengthOfMonth = (year: number, month: number) =>
  new Date(dayNumber(year, month + 1, 0) * millisecondsPerDay).getUTCDate()

/** A date or datetime, `days` later. */
export function addDays(text: string, days: number): string | null {
  const from = read(text)
  if (!from || from.day === undefined || !Number.isInteger(days)) return null
  const to = new Date((dayNumber(from.year, from.month, from.day) + days) * millisecondsPerDay)
  return write(to.getUTCFullYear(), to.getUTCMonth() + 1, to.getUTCDate(), from.time)
}

/** A month, date or datetime, `months` later; the 31st becomes the last day of a shorter month. */
export function addMonths(text: string, months: number): string | null {
  const from = read(text)
  if (!from || !Number.isInteger(months)) return null
  const count = from.year * 12 + from.month - 1 + months
  const [year, month] = [Math.floor(count / 12), (((count % 12) + 12) % 12) + 1]
  return write(year, month, from.day && Math.min(from.day, lengthOfMonth(year, month)), from.time)
}

/**
 * Whole months from the first date to the second (positive if the second is later): as many as can be added to the
 * first without passing the second.
 */
export function monthsBetween(first: string, second: string): number | null {
  const [from, to] = [read(first), read(second)]
  if (from?.day === undefined || to?.day === undefined) return null
  const [start, end] = [first.slice(0, 10), second.slice(0, 10)]
  if (end < start) {
    const back = monthsBetween(end, start)
    return back === null || back === 0 ? back : -back
  }
  const months = (to.year - from.year) * 12 + to.month - from.month
  return addMonths(start, months)! > end ? months - 1 : months
}

/**
 * Whole hours from the first date or datetime to the second (positive if the second is later). A date counts as its
 * midnight.
 */
export function hoursBetween(first: string, second: string): number | null {
  const [from, to] = [read(first), read(second)]
  if (from?.day === undefined || to?.day === undefined) return null
  const hours = (secondNumber(to as Dated) - secondNumber(from as Dated)) / 3600
  return Math.trunc(hours) || 0
}

type Dated = Moment & { day: number }
const secondNumber = ({ year, month, day, time }: Dated): number => {
  const [hours, minutes, seconds] = time === '' ? [0, 0, 0] : time.trim().split(':').map(Number)
  return dayNumber(year, month, day) * 86_400 + hours * 3600 + minutes * 60 + seconds
}

/** Mondays to Fridays after the first up to and including the later second; holidays are not known. */
export function workdaysBetween(first: string, second: string): number | null {
  const days = daysBetween(first, second)
  const from = read(first)
  if (days === null || days < 0) return null
  // 1970-01-01 was a Thursday: 0 is Monday.
  const weekday = (((dayNumber(from!.year, from!.month, from!.day!) + 3) % 7) + 7) % 7
  const rest = Array.from({ length: days % 7 }, (_, index) => (weekday + 1 + index) % 7).filter((day) => day < 5)
  return Math.floor(days / 7) * 5 + rest.length
}

/** Whole days from the first to the second (positive if the second is later); times of day do not count. */
export function daysBetween(first: string, second: string): number | null {
  const [from, to] = [read(first), read(second)]
  if (from?.day === undefined || to?.day === undefined) return null
  return dayNumber(to.year, to.month, to.day) - dayNumber(from.year, from.month, from.day)
}
