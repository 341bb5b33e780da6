/** Access to untyped fields: those that only some families have, and whose names the files generate. */
import type { RecordData, Value } from '../../model/model.ts'
import type { EntityName, Stored } from './procedureTypes.ts'

/** Values of such fields. */
export type OpenValues = Record<string, Value>

/** Null if absent. */
export const valueIn = (record: object, name: string): Value => (record as RecordData)[name] ?? null

/** The value of an amount, a rate, a text or a choice. */
export function textIn(record: object, name: string): string | null {
  const value = valueIn(record, name)
  return typeof value === 'string' ? value : null
}

/** The rows of a field. `E`: their entity. */
export function rowsIn<E extends EntityName>(record: object, name: string): Stored<E>[] {
  const value = valueIn(record, name)
  return Array.isArray(value) ? (value as unknown as Stored<E>[]) : []
}
