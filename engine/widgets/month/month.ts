import { optional, shape, string } from '../../model/model.ts'
import type { Static, Widget } from '../../model/model.ts'
import { checkCalendar, normalizeCalendar, readCalendarCell } from '../calendar.ts'

const bound = (cn: string, en: string, atMost?: string) =>
  optional(
    string({
      pattern: '^(today|\\d{4}-\\d{2})$',
      like: '2026-03, or the word today',
      ...(atMost && { atMost }),
      about: { cn, en },
    }),
  )
const options = shape({
  min: bound('最早：2026-03 或 today', 'The earliest: 2026-03, or the word today', 'max'),
  max: bound('最晚：2026-03 或 today', 'The latest: 2026-03, or the word today'),
})

export const month: Widget<Static<typeof options>, string> = {
  type: 'month',
  label: { cn: '月份', en: 'Month' },
  options,
  prompt: 'select',
  expression: 'string',
  column: () => 'text',
  normalize: (value) => normalizeCalendar(value, 'month'),
  check: (value, options, context) => checkCalendar(value, options, context, 'month'),
  text: (value) => value,
  width: () => 100,
  operators: ['between', 'equals', 'empty'],
  sortable: true,
  sheet: {
    format: () => '@',
    write: (value) => value,
    read: (cell) => readCalendarCell(cell, 'month'),
  },
}
