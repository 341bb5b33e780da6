import type { Field, Value } from '../../model/model.ts'
import { useEngine } from '../view.ts'
import { useWords } from '../words.ts'
import type { CallField } from './CallFields.tsx'

interface Collecting {
  shown: CallField[]
  values: Record<string, Value>
  /** Leaves out empty values. */
  keepEmpty: boolean
  problemOf(this: void, field: Field, required: boolean, given: Value | undefined): string | undefined
  /** Shows problems. @returns whether there are any. */
  show(this: void, messages: Record<string, string>): boolean
}

/** Reads the canonical values of a dialog; undefined if there is a problem, which it then shows. */
export function useReadDialog({ shown, values, keepEmpty, problemOf, show }: Collecting) {
  const { widgets } = useEngine()
  const words = useWords()
  return (): Record<string, Value> | undefined => {
    const wrong = shown.map(
      ({ field, required }) => [field.name, problemOf(field, required, values[field.name]) ?? ''] as const,
    )
    if (show(Object.fromEntries(wrong))) return undefined
    const collected = shown.map(
      ({ field: { name, type, options } }) => [name, widgets[type].normalize(values[name] ?? null, options)] as const,
    )
    if (!keepEmpty) return Object.fromEntries(collected)
    const given = collected.filter(([, value]) => value !== null)
    if (given.length === 0 && collected.length > 0) {
      show({ [collected[0][0]]: words('nothingGiven') })
      return undefined
    }
    return Object.fromEntries(given)
  }
}
