import { useState } from 'react'
import type { AskedField, RecordData, Value } from '../../model/model.ts'
import { useFormulas } from '../conditions.ts'
import type { ActionHost } from '../frame.ts'

interface Beginning {
  fields: AskedField[]
  record: RecordData | undefined
  /** Fields start empty. */
  keepEmpty: boolean
  /** Values that the server prepared. */
  initial: Record<string, Value>
}

/** The values of a dialog's fields; without a record they follow their formulas until the user enters another value. */
export function useCallValues(
  entity: ActionHost['entity'],
  { fields, record, keepEmpty, initial }: Beginning,
): [Record<string, Value>, (name: string, value: Value) => void] {
  const work = useFormulas(entity)
  const followed =
    record || keepEmpty
      ? []
      : fields.flatMap(({ field }) => (entity.fields[field].defaultFrom === undefined ? [] : entity.fields[field]))
  const follow = (given: Record<string, Value>, own: readonly string[]) =>
    followed
      .filter(({ name }) => !own.includes(name))
      .reduce((all, field) => ({ ...all, [field.name]: work(field.defaultFrom!, field, all) }), given)
  const begun = ({ field: name, defaultFrom }: AskedField): Value => {
    if (Object.hasOwn(initial, name)) return initial[name]
    if (keepEmpty) return null
    const field = entity.fields[name]
    const made = record && defaultFrom !== undefined ? work(defaultFrom, field, record) : undefined
    return record?.[name] ?? made ?? field.default ?? null
  }
  const [values, setValues] = useState<Record<string, Value>>(() => {
    const open = fields.filter(({ field }) => !entity.fields[field].computed)
    return follow(Object.fromEntries(open.map((asked) => [asked.field, begun(asked)])), Object.keys(initial))
  })
  const [touched, setTouched] = useState<string[]>(() => Object.keys(initial))
  function change(name: string, value: Value) {
    const own = [...touched, name]
    setTouched(own)
    setValues((all) => follow({ ...all, [name]: value }, own))
  }
  return [values, change]
}
