/** The pickers of the calendar widgets. */
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import type { Dayjs } from 'dayjs'
import { useMemo, useRef, useState } from 'react'
import { useEngine } from '../client/view.ts'
import type { EditProps, FilterProps, WidgetView } from '../client/view.ts'
import type { Label, Value } from '../model/model.ts'
import { isCalendar } from './calendar.ts'
import type { CalendarUnit } from './calendar.ts'
import { calendarInput, TypedTextReact } from './calendarInput.view.tsx'
import { controlProps } from './text/text.view.tsx'

const formats: Record<CalendarUnit, string> = { month: 'YYYY-MM', date: 'YYYY-MM-DD', datetime: 'YYYY-MM-DD HH:mm:ss' }
/** The first is shown; all are complete as soon as they are typed. */
const typed: Record<CalendarUnit, string[]> = {
  month: [formats.month, 'YYYYMM'],
  date: [formats.date, 'YYYYMMDD'],
  datetime: [formats.datetime],
}

const toDay = (value: unknown, unit: CalendarUnit): Dayjs | null =>
  isCalendar(value, unit) ? dayjs(value, formats[unit]) : null

/** Bounds for the picker's disabled days: whole days, as the check treats them. */
function bound(value: string | undefined, now: string, end: boolean): Dayjs | undefined {
  if (value === undefined) return undefined
  const day = dayjs(value === 'today' ? now.slice(0, 10) : value)
  return value.length > 10 ? day : end ? day.endOf('day') : day.startOf('day')
}

/** Text that is not a date, left for the check to report. */
const unread = (value: unknown, unit: CalendarUnit): string | undefined =>
  typeof value === 'string' && !isCalendar(value, unit) ? value : undefined

function editOf(unit: CalendarUnit) {
  const components = { input: calendarInput(unit) }
  return function CalendarEdit(props: EditProps<string>) {
    const { value, onChange, onBlur, field } = props
    const { now: clock, widgets, dictionary } = useEngine()
    const now = clock()
    const [open, setOpen] = useState(false)
    // The same day until it changes: with a new one the picker forgets what was typed.
    const day = useMemo(() => toDay(value, unit), [value])
    // When it is left, the picker passes on the last day that was complete while a longer text was typed.
    const isOver = useRef(false)
    const typedText = {
      textOf: () => unread(value, unit),
      take(_: unknown, read: unknown, leaves: boolean) {
        const given = read === '' ? null : (read as string)
        const isGood =
          given !== null && !widgets[unit].check(given, field.options, { label: field.label, dictionary, now: clock })
        if (isGood) return
        isOver.current = leaves
        if (given !== value) onChange(given)
      },
    }
    const picker = (
      <DatePicker
        {...controlProps(props)}
        onOpenChange={setOpen}
        onFocus={() => {
          isOver.current = false
        }}
        // Enter accepts the typed day, without also submitting the surrounding form.
        onKeyDown={(event) => {
          if (event.key === 'Enter' && open) event.preventDefault()
        }}
        style={{ width: '100%' }}
        picker={unit === 'month' ? 'month' : 'date'}
        showTime={unit === 'datetime'}
        needConfirm={false}
        format={typed[unit]}
        components={components}
        value={day}
        onChange={(day: Dayjs | null) => {
          if (!isOver.current) onChange(day ? day.format(formats[unit]) : null)
        }}
        onBlur={() => onBlur?.()}
        minDate={bound(field.options.min, now, false)}
        maxDate={bound(field.options.max, now, true)}
      />
    )
    return <TypedTextReact.Provider value={typedText}>{picker}</TypedTextReact.Provider>
  }
}

/** Only as wide as the value, because there is no room for more. */
const ends = { from: { cn: '开始', en: 'From' }, to: { cn: '结束', en: 'To' } }
const presetLabels = {
  today: { cn: '今天', en: 'Today' },
  yesterday: { cn: '昨天', en: 'Yesterday' },
  thisWeek: { cn: '本周', en: 'This week' },
  thisMonth: { cn: '本月', en: 'This month' },
  lastMonth: { cn: '上月', en: 'Last month' },
  nextMonth: { cn: '下月', en: 'Next month' },
  thisYear: { cn: '今年', en: 'This year' },
  lastYear: { cn: '去年', en: 'Last year' },
} satisfies Record<string, Label>

/** Weeks begin on Monday regardless of the picker's locale. */
function presets(today: Dayjs): Record<keyof typeof presetLabels, [Dayjs, Dayjs]> {
  const monday = today.subtract((today.day() + 6) % 7, 'day')
  const whole = (day: Dayjs, unit: 'month' | 'year'): [Dayjs, Dayjs] => [day.startOf(unit), day.endOf(unit)]
  return {
    today: [today, today],
    yesterday: [today.subtract(1, 'day'), today.subtract(1, 'day')],
    thisWeek: [monday, monday.add(6, 'day')],
    thisMonth: whole(today, 'month'),
    lastMonth: whole(today.subtract(1, 'month'), 'month'),
    nextMonth: whole(today.add(1, 'month'), 'month'),
    thisYear: whole(today, 'year'),
    lastYear: whole(today.subtract(1, 'year'), 'year'),
  }
}
const offered: Record<CalendarUnit, (keyof typeof presetLabels)[]> = {
  date: ['today', 'yesterday', 'thisWeek', 'thisMonth', 'lastMonth', 'nextMonth', 'thisYear'],
  datetime: ['today', 'yesterday', 'thisWeek', 'thisMonth', 'lastMonth', 'thisYear'],
  month: ['thisMonth', 'lastMonth', 'nextMonth', 'thisYear', 'lastYear'],
}

function filterOf(unit: CalendarUnit) {
  // A datetime is filtered by whole days, because nobody filters by the second.
  const shown = unit === 'datetime' ? 'date' : unit
  const components = { input: calendarInput(shown) }
  const from = (day: Dayjs | null | undefined) =>
    day ? day.format(formats[shown]) + (unit === 'datetime' ? ' 00:00:00' : '') : null
  const to = (day: Dayjs | null | undefined) =>
    day ? day.format(formats[shown]) + (unit === 'datetime' ? ' 23:59:59' : '') : null
  return function CalendarFilter({ id, value, onChange, label, invalid, describedBy }: FilterProps) {
    const engine = useEngine()
    const [start, end] = Array.isArray(value?.between) ? value.between : [null, null]
    const endId = `${id}-end`
    const isOver = useRef(false)
    const give = (between: [Value, Value]) => onChange(between[0] || between[1] ? { between } : undefined)
    const typedText = {
      textOf: (input: string | undefined) => unread(input === endId ? end : start, unit),
      take(input: string | undefined, read: unknown, leaves: boolean) {
        if (isCalendar(read, shown)) return
        isOver.current = leaves
        // A moment is cut to its day, as a chosen one.
        const day = toDay(read, unit)
        const typed = day ? (input === endId ? to(day) : from(day)) : read === '' ? null : (read as string)
        if (typed !== (input === endId ? end : start)) give(input === endId ? [start, typed] : [typed, end])
      },
    }
    // The same array until it changes: with a new one the picker forgets the end that was entered first.
    const range = useMemo<[Dayjs | null, Dayjs | null]>(() => [toDay(start, unit), toDay(end, unit)], [start, end])
    const choices = presets(dayjs(engine.now().slice(0, 10)))
    const picker = (
      <DatePicker.RangePicker
        id={{ start: id, end: endId }}
        aria-label={label}
        status={invalid ? 'error' : undefined}
        aria-describedby={describedBy}
        onFocus={() => {
          isOver.current = false
        }}
        placeholder={[engine.text(ends.from), engine.text(ends.to)]}
        style={{ width: '100%' }}
        picker={shown === 'month' ? 'month' : 'date'}
        format={typed[shown]}
        components={components}
        allowEmpty={[true, true]}
        value={range}
        onChange={(days) => {
          if (isOver.current) return
          const kept = (value: Value) => (days && unread(value, unit)) ?? null
          give([from(days?.[0]) ?? kept(start), to(days?.[1]) ?? kept(end)])
        }}
        presets={offered[unit].map((name) => ({ label: engine.text(presetLabels[name]), value: choices[name] }))}
      />
    )
    return <TypedTextReact.Provider value={typedText}>{picker}</TypedTextReact.Provider>
  }
}

export const calendarView = (unit: CalendarUnit): WidgetView => ({ Edit: editOf(unit), Filter: filterOf(unit) })
