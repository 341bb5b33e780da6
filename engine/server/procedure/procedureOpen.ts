/** Access to fields that only some families have, and to those whose names the files generate. */
import type { RecordData, Value } from '../../model/model.ts'
import type { EntityName, Stored } from './procedureTypes.ts'

/** Values of such fields. */
export type OpenValues = Record<string, Value>

type KeysIn<R> = R extends unknown ? keyof R & string : never
/**
 * `N`, if a record of this type may have such a field: that very name, or for `${string}Company` any that fits. Names
 * of type `string` and records of unknown fields are not checked.
 */
type NameIn<R, N extends string> = string extends N | KeysIn<R>
  ? N
  : N extends string
    ? [Extract<KeysIn<R>, N>] extends [never]
      ? never
      : N
    : never

/** Null if absent. */
export const valueIn = <R extends object, const N extends string>(record: R, name: N & NameIn<R, N>): Value =>
  (record as RecordData)[name] ?? null

/** The value of an amount, a rate, a text or a choice. */
export function textIn<R extends object, const N extends string>(record: R, name: N & NameIn<R, N>): string | null {
  const value = (record as RecordData)[name]
  return typeof value === 'string' ? value : null
}

/** The rows of a field, which are records of this entity. */
export function rowsIn<E extends EntityName, R extends object, const N extends string>(
  _entity: E,
  record: R,
  name: N & NameIn<R, N>,
): Stored<E>[] {
  const value = (record as RecordData)[name]
  return Array.isArray(value) ? (value as unknown as Stored<E>[]) : []
}
