import { useState } from 'react'
import type { Field, Value } from '../../model/model.ts'
import type { CallField } from './CallFields.tsx'

interface Problems {
  /** Problems found elsewhere, such as by the server: field → message. */
  found: Record<string, string>
  values: Record<string, Value>
  problemOf(this: void, field: Field, required: boolean, given: Value | undefined): string | undefined
  focus(this: void, name: string): void
}

/** The problems of the fields. A problem found elsewhere stays until its field gets another value. */
export function useCallProblems({ found, values, problemOf, focus }: Problems) {
  const [foundOf, setFoundOf] = useState(() => withValues(found, values))
  const [problems, setProblems] = useState(() =>
    Object.fromEntries(Object.entries(foundOf).map(([name, { message }]) => [name, message])),
  )
  /** Shows exactly these. @returns whether there are any. */
  function show(messages: Record<string, string>): boolean {
    setProblems(messages)
    const wrong = Object.keys(messages).find((name) => messages[name])
    if (wrong !== undefined) focus(wrong)
    return wrong !== undefined
  }
  return {
    problems,
    show,
    /** Validates a value that the user entered. */
    mark({ field, required }: CallField, value: Value) {
      const before = foundOf[field.name]
      const problem = problemOf(field, required, value) ?? (before?.value === value ? before.message : '')
      setProblems((all) => ({ ...all, [field.name]: problem }))
    },
    /** Shows problems that were found elsewhere. @returns whether there are any. */
    keep(messages: Record<string, string>): boolean {
      setFoundOf(withValues(messages, values))
      return show(messages)
    },
  }
}

/** Each message with the value that it refers to. */
const withValues = (messages: Record<string, string>, values: Record<string, Value>) =>
  Object.fromEntries(Object.entries(messages).map(([name, message]) => [name, { value: values[name], message }]))
