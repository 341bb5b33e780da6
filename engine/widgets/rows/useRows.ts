import { useState } from 'react'
import type { Field, Value } from '../../model/model.ts'
import type { Row, RowsOptions } from './rows.ts'

interface Given {
  value: Row[] | null
  columns: Field[]
  options: RowsOptions
  onChange(value: Row[] | null): void
  onBlur?(): void
}

/** The rows of a field, and the operations on them. */
export function useRows({ value, columns, options, onChange, onBlur }: Given) {
  const rows = value ?? []
  const [keys, setKeys] = useKeys(rows.length)
  const set = (next: Row[]) => onChange(next.length > 0 ? next : null)
  return {
    rows,
    keys,
    change(index: number, name: string, cell: Value) {
      set(rows.map((row, at) => (at === index ? { ...row, [name]: cell } : row)))
    },
    add() {
      const begun = Object.fromEntries(columns.map((column) => [column.name, column.default ?? null]))
      set([...rows, { ...begun, ...(options.where as Row) }])
    },
    remove(index: number) {
      setKeys(keys.filter((_, at) => at !== index))
      set(rows.filter((_, at) => at !== index))
      onBlur?.()
    },
    move(index: number, by: 1 | -1) {
      const swapped = <T>(list: readonly T[]) =>
        list.map((entry, at) => (at === index ? list[index + by] : at === index + by ? list[index] : entry))
      setKeys(swapped(keys))
      set(swapped(rows))
    },
  }
}

/** Keys that stay with their rows when these are moved and removed, because an unsaved row has no id. */
function useKeys(length: number) {
  const [keys, setKeys] = useState<readonly number[]>(() => resized([], length))
  const current = keys.length === length ? keys : resized(keys, length)
  if (current !== keys) setKeys(current)
  return [current, setKeys] as const
}
let lastKey = 0
const resized = (keys: readonly number[], length: number): readonly number[] => [
  ...keys.slice(0, length),
  ...Array.from({ length: Math.max(0, length - keys.length) }, () => ++lastKey),
]
