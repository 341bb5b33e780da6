import { createContext, forwardRef, useContext, useLayoutEffect, useRef, useState } from 'react'
import type { ChangeEvent, FocusEvent, InputHTMLAttributes, KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { readCalendarCell } from './calendar.ts'
import type { CalendarUnit } from './calendar.ts'

type Props = InputHTMLAttributes<HTMLInputElement>

/** Keeps text that the picker would discard because it is not a date. */
interface TypedText {
  /** The text that stays in this input. */
  textOf(id: string | undefined): string | undefined
  /** What was typed into it, as far as it could be read; `leaves`: the input loses the focus. */
  take(id: string | undefined, typed: unknown, leaves: boolean): void
}
export const TypedTextReact = createContext<TypedText>({ textOf: () => undefined, take: () => undefined })

/** As an import reads it; without separators it needs all its digits. */
function readTyped(text: string, unit: CalendarUnit): unknown {
  const digits = text.normalize('NFKC').trim()
  const [length, written] = unit === 'month' ? [6, '$1-$2'] : [8, '$1-$2-$3']
  const isWhole = digits.length === length && /^\d+$/.test(digits)
  return readCalendarCell(isWhole ? digits.replace(/^(\d{4})(\d{2})(\d{2})?$/, written) : text, unit)
}

/**
 * The input of a picker. It reads what was typed as an import does, but only once that is complete: `2026-3-1` may
 * become `2026-3-15`.
 */
export function calendarInput(unit: CalendarUnit) {
  return forwardRef<HTMLInputElement, Props>(function CalendarInput(props, ref) {
    const { textOf, take } = useContext(TypedTextReact)
    const [typing, setTyping] = useState(false)
    const kept = textOf(props.id)
    const latest = useRef(props)
    useLayoutEffect(() => {
      latest.current = props
    })
    const read = (
      { currentTarget }: KeyboardEvent<HTMLInputElement> | FocusEvent<HTMLInputElement>,
      leaves = false,
    ) => {
      const value = readTyped(currentTarget.value, unit)
      if (typing && value !== currentTarget.value)
        props.onChange?.({ target: { value } } as ChangeEvent<HTMLInputElement>)
      if (typing || kept !== undefined) take(props.id, value, leaves)
      setTyping(false)
    }
    return (
      <input
        {...props}
        ref={ref}
        value={typing || kept === undefined ? props.value : props.value || kept}
        onChange={(event) => {
          setTyping(true)
          props.onChange?.(event)
        }}
        onKeyDown={(event) => {
          // The picker submits the text that it has rendered.
          if (event.key === 'Enter' || event.key === 'Tab') flushSync(() => read(event))
          latest.current.onKeyDown?.(event)
        }}
        onBlur={(event) => {
          read(event, true)
          props.onBlur?.(event)
        }}
      />
    )
  })
}
