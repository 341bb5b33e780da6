import { optional, shape, string } from '../../model/model.ts'
import type { Static, Widget } from '../../model/model.ts'
import { calendarDate, checkCalendar, normalizeCalendar, readCalendarCell } from '../calendar.ts'

const bound = (cn: string, en: string) =>
  optional(
    string({
      pattern: '^(today|\\d{4}-\\d{2}-\\d{2}( \\d{2}:\\d{2}:\\d{2})?)$',
      about: { cn, en },
    }),
  )
const options = shape({
  min: bound(
    '最早：2026-03-01、2026-03-01 08:30:00 或 today',
    'The earliest: 2026-03-01, 2026-03-01 08:30:00, or the word today',
  ),
  max: bound(
    '最晚：2026-03-01、2026-03-01 08:30:00 或 today',
    'The latest: 2026-03-01, 2026-03-01 08:30:00, or the word today',
  ),
})

/** A moment, in Asia/Shanghai. */
export const datetime: Widget<Static<typeof options>, string> = {
  type: 'datetime',
  alsoCalled: ['timestamp'],
  label: { cn: '日期时间', en: 'Date and time' },
  options,
  prompt: 'select',
  expression: 'string',
  column: () => 'timestamp(0)',
  normalize: (value) => normalizeCalendar(value, 'datetime'),
  check: (value, options, context) => checkCalendar(value, options, context, 'datetime'),
  text: (value) => value,
  width: () => 170,
  operators: ['between', 'equals', 'empty'],
  sortable: true,
  sheet: {
    format: () => 'yyyy-mm-dd hh:mm:ss',
    write: (value) => calendarDate(value),
    read: (cell) => readCalendarCell(cell, 'datetime'),
  },
}
