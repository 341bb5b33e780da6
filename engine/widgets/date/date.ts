import { optional, shape, string } from '../../model/model.ts'
import type { Static, Widget } from '../../model/model.ts'
import { calendarDate, checkCalendar, normalizeCalendar, readCalendarCell } from '../calendar.ts'

const bound = (cn: string, en: string, atMost?: string) =>
  optional(
    string({
      pattern: '^(today|\\d{4}-\\d{2}-\\d{2})$',
      like: '2026-03-01, or the word today',
      ...(atMost && { atMost }),
      about: { cn, en },
    }),
  )
const options = shape({
  min: bound('最早：2026-03-01 或 today', 'The earliest: 2026-03-01, or the word today', 'max'),
  max: bound('最晚：2026-03-01 或 today', 'The latest: 2026-03-01, or the word today'),
})

export const date: Widget<Static<typeof options>, string> = {
  type: 'date',
  label: { cn: '日期', en: 'Date' },
  options,
  prompt: 'select',
  expression: 'string',
  column: () => 'date',
  normalize: (value) => normalizeCalendar(value, 'date'),
  check: (value, options, context) => checkCalendar(value, options, context, 'date'),
  text: (value) => value,
  width: () => 120,
  operators: ['between', 'equals', 'empty'],
  sortable: true,
  sheet: {
    format: () => 'yyyy-mm-dd',
    write: (value) => calendarDate(value),
    read: (cell) => readCalendarCell(cell, 'date'),
  },
}
