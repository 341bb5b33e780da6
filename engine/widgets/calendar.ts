/**
 * Calendar texts without a date library. A date is `yyyy-MM-dd`, a month `yyyy-MM`, a datetime `yyyy-MM-dd HH:mm:ss`:
 * as texts they compare and sort correctly. Years run from 1900, where spreadsheets begin, to 9999.
 */
import type { Label, Problem, Unread, WidgetContext } from '../model/model.ts'
import { problem } from './problem.ts'
import { isNothing } from './selection.ts'

export type CalendarUnit = 'month' | 'date' | 'datetime'

const written = /^(\d{4})[-/.年](\d{1,2})(?:[-/.月](\d{1,2})日?|月)?(?:[ T]+(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?)?$/
const canonical: Record<CalendarUnit, RegExp> = {
  month: /^\d{4}-\d{2}$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  datetime: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/,
}
const two = (part: string | undefined) => (part ?? '0').padStart(2, '0')

/**
 * Input (`2026/3/1`, `2026-03`, `2026年3月1日`) → canonical. Unreadable input comes back trimmed, for `check` to refuse.
 */
export function normalizeCalendar(value: unknown, unit: CalendarUnit): Unread {
  if (isNothing(value)) return null
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '') return null
  const parts = written.exec(text)
  if (!parts) return text
  const [, year, month, day, hour, minute, second] = parts
  if (unit === 'month') return day === undefined && hour === undefined ? `${year}-${two(month)}` : text
  if (day === undefined) return text
  const date = `${year}-${two(month)}-${two(day)}`
  if (unit === 'date') return hour === undefined ? date : text
  return `${date} ${two(hour)}:${two(minute)}:${two(second)}`
}

/** Whether this is canonical and exists: 2026-02-29 does not. */
export function isCalendar(value: unknown, unit: CalendarUnit): value is string {
  if (typeof value !== 'string' || !canonical[unit].test(value)) return false
  const [year, month, day = 1] = value.slice(0, 10).split('-').map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  if (year < 1900 || date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return false
  return unit !== 'datetime' || /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value.slice(11))
}

/**
 * A spreadsheet's cell → a text for `normalizeCalendar`. Spreadsheets know no time zone: a Date has its wall clock in
 * UTC, a number is the days since 1899-12-30. A month may be the number 202603.
 */
export function readCalendarCell(cell: unknown, unit: CalendarUnit): unknown {
  if (typeof cell === 'string') {
    const text = cell.normalize('NFKC').trim()
    const typed = normalizeCalendar(text, unit)
    if (isCalendar(typed, unit)) return typed
    // Exported sheets often contain full moments: they are cut to the field's precision if the rest is zero.
    const moment = normalizeCalendar(text, 'datetime')
    if (!isCalendar(moment, 'datetime')) return text
    return unit === 'month' ? moment.slice(0, 7) : moment.endsWith(' 00:00:00') ? moment.slice(0, 10) : text
  }
  if (unit === 'month' && typeof cell === 'number' && cell >= 190001) {
    const text = String(cell)
    return /^\d{6}$/.test(text) ? `${text.slice(0, 4)}-${text.slice(4)}` : text
  }
  const moment = typeof cell === 'number' ? serialDate(cell) : cell
  if (!(moment instanceof Date) || Number.isNaN(moment.getTime())) return typeof cell === 'number' ? String(cell) : cell
  const text = moment.toISOString().slice(0, 19).replace('T', ' ')
  return unit === 'month' ? text.slice(0, 7) : unit === 'date' ? text.slice(0, 10) : text
}

/**
 * Excel counts a 29 February 1900, which did not exist: serials before it are shifted by a day. Seconds are rounded,
 * because floats are inexact.
 */
function serialDate(serial: number): Date | undefined {
  if (!(serial >= 1 && serial < 2_958_466)) return undefined
  return new Date(Math.round((serial - 25_569 + (serial < 60 ? 1 : 0)) * 86_400) * 1000)
}

/** A canonical text → the Date that spreadsheet writers expect (its wall clock in UTC). */
export const calendarDate = (value: string) => new Date(`${value.slice(0, 10)}T${value.slice(11) || '00:00:00'}Z`)

const invalid: Record<CalendarUnit, Label> = {
  date: { cn: '不是有效日期，请按2026-03-05的格式填写', en: 'Not a valid date: write it as 2026-03-05' },
  month: { cn: '不是有效月份，请按2026-03的格式填写', en: 'Not a valid month: write it as 2026-03' },
  datetime: {
    cn: '不是有效时间，请按2026-03-05 08:30:00的格式填写',
    en: 'Not a valid time: write it as 2026-03-05 08:30:00',
  },
}

/**
 * Checks that it is canonical, exists, and is within `min` and `max`: canonical texts, days for a datetime, or the word
 * `today`.
 */
export function checkCalendar(
  value: unknown,
  options: { min?: string; max?: string },
  context: WidgetContext,
  unit: CalendarUnit,
): Problem | undefined {
  if (!isCalendar(value, unit)) return { code: 'date', message: invalid[unit] }
  for (const side of ['min', 'max'] as const) {
    const bound = options[side]
    if (bound === undefined) continue
    // Both are cut to the same length, so that a day as the bound of a datetime includes the whole day.
    const limit = (bound === 'today' ? context.now().slice(0, 10) : bound).slice(0, value.length)
    const given = value.slice(0, limit.length)
    if (side === 'min' ? given >= limit : given <= limit) continue
    return problem(side, messages[side], context, { bound: bound === 'today' ? todays[unit] : bound })
  }
  return undefined
}

const messages: Record<'min' | 'max', Label> = {
  min: { cn: '{label}不能早于{bound}', en: '{label} cannot be earlier than {bound}' },
  max: { cn: '{label}不能晚于{bound}', en: '{label} cannot be later than {bound}' },
}
const today: Label = { cn: '今天', en: 'today' }
const todays: Record<CalendarUnit, Label> = {
  date: today,
  datetime: today,
  month: { cn: '本月', en: 'the current month' },
}
