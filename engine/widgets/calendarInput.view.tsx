import { forwardRef, useLayoutEffect, useRef } from 'react'
import type { ChangeEvent, FocusEvent, InputHTMLAttributes, KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { readCalendarCell } from './calendar.ts'
import type { CalendarUnit } from './calendar.ts'

type Props = InputHTMLAttributes<HTMLInputElement>

/**
 * The input of a picker. It reads what was typed as an import does, but only once that is complete: `2026-3-1` may
 * become `2026-3-15`.
 */
export function calendarInput(unit: CalendarUnit) {
  return forwardRef<HTMLInputElement, Props>(function CalendarInput(props, ref) {
    const latest = useRef(props)
    useLayoutEffect(() => {
      latest.current = props
    })
    const read = ({ currentTarget }: KeyboardEvent<HTMLInputElement> | FocusEvent<HTMLInputElement>) => {
      const value = readCalendarCell(currentTarget.value, unit)
      if (value !== currentTarget.value) props.onChange?.({ target: { value } } as ChangeEvent<HTMLInputElement>)
    }
    return (
      <input
        {...props}
        ref={ref}
        onKeyDown={(event) => {
          // The picker submits the text that it has rendered.
          if (event.key === 'Enter' || event.key === 'Tab') flushSync(() => read(event))
          latest.current.onKeyDown?.(event)
        }}
        onBlur={(event) => {
          read(event)
          props.onBlur?.(event)
        }}
      />
    )
  })
}
