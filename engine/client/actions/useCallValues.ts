import { useState } from 'react'
import { isSame } from '../../expression/normalizeRecord.ts'
import type { PromptedField, RecordData, Value } from '../../model/model.ts'
import { useFormulas } from '../conditions.ts'
import type { ActionHost } from '../frame.ts'
import { useEngine } from '../view.ts'

interface Beginning {
  fields: PromptedField[]
  record: RecordData | undefined
  /** Fields start empty. */
  keepEmpty: boolean
  /** Values that the server prepared. */
  initial: Record<string, Value>
}

interface CallValues {
  values: Record<string, Value>
  /** Whether the user has entered something that would be lost. */
  typed: boolean
  change(this: void, name: string, value: Value): void
}

/** The values of a dialog's fields; without a record they follow their formulas until the user enters another value. */
export function useCallValues(
  entity: ActionHost['entity'],
  { fields, record, keepEmpty, initial }: Beginning,
): CallValues {
  const { widgets } = useEngine()
  const work = useFormulas(entity)
  const followed =
    record || keepEmpty
      ? []
      : fields.flatMap(({ field }) => (entity.fields[field].defaultFrom === undefined ? [] : entity.fields[field]))
  const follow = (given: Record<string, Value>, own: readonly string[]) =>
    followed
      .filter(({ name }) => !own.includes(name))
      .reduce((all, field) => ({ ...all, [field.name]: work(field.defaultFrom!, field, all) }), given)
  const beginningOf = ({ field: name, defaultFrom }: PromptedField): Value => {
    if (Object.hasOwn(initial, name)) return initial[name]
    if (keepEmpty) return null
    const field = entity.fields[name]
    const made = record && defaultFrom !== undefined ? work(defaultFrom, field, record) : undefined
    return record?.[name] ?? made ?? field.default ?? null
  }
  const [values, setValues] = useState<Record<string, Value>>(() => {
    const open = fields.filter(({ field }) => !entity.fields[field].computed)
    return follow(
      Object.fromEntries(open.map((prompted) => [prompted.field, beginningOf(prompted)])),
      Object.keys(initial),
    )
  })
  const [begun] = useState(values)
  const [touched, setTouched] = useState<string[]>(() => Object.keys(initial))
  function change(name: string, value: Value) {
    const own = [...touched, name]
    setTouched(own)
    setValues((all) => follow({ ...all, [name]: value }, own))
  }
  const typed = touched.some((name) => !isSame(entity.fields[name], values[name], begun[name], widgets))
  return { values, typed, change }
}
