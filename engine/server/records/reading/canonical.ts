import type { Entity, Field, RecordData, Value } from '../../../model/model.ts'
import { translateBroughtText } from './translateBroughtText.ts'
import { idsOf } from './references.ts'
import type { Context } from '../../runtime.ts'

/**
 * A canonical value in stored form: a reference as its id, several as a list of ids. Anything else passes through, for
 * the widget to refuse.
 */
export function storedValue({ derived }: Pick<Context, 'derived'>, field: Field, value: Value): Value {
  const target = derived.target(field)
  if (!target || target.rows || value === null) return value
  const ids = idsOf(value)
  if (target.many) return Array.isArray(value) && ids.length === value.length ? ids : value
  return Array.isArray(value) ? value : (ids[0] ?? value)
}

/** Any value of the field → canonical, in stored form; including rows within rows. */
export function canonicalValue(context: Pick<Context, 'derived'>, field: Field, value: unknown): Value {
  if (value === null || value === undefined) return null
  const { derived } = context
  // Texts that the product writes are stored in its first language, whatever language they come back in.
  const normalized = derived.widget(field).normalize(value, field.options) as Value
  const normal: Value = translateBroughtText(derived.catalog.app.languages[0], field, normalized)
  const target = derived.target(field)
  if (target?.rows && Array.isArray(normal)) {
    return normal.map((row) => (isRecord(row) ? (canonicalRecord(context, target.entity, row) as Value) : row))
  }
  return storedValue(context, field, normal)
}

/** The record's fields in canonical form; `id` and `revision` unchanged. */
export function canonicalRecord(context: Pick<Context, 'derived'>, entity: Entity, record: RecordData): RecordData {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      Object.hasOwn(entity.fields, name) ? canonicalValue(context, entity.fields[name], value) : value,
    ]),
  )
}

export const isRecord = (value: unknown): value is RecordData =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const orNull = (value: unknown) => (Array.isArray(value) && value.length === 0 ? null : (value ?? null))

/** Compares canonical values. An absent key is null, and so is an empty list. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  const a = orNull(left)
  const b = orNull(right)
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => isEqual(item, b[index]))
    )
  }
  const [first, second] = [a as Record<string, unknown>, b as Record<string, unknown>]
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].every((key) => isEqual(first[key], second[key]))
}

/** The same text for values that `isEqual`, so that each of many need not be compared with all others. */
export function equalityKey(value: unknown): string {
  const plain = orNull(value)
  if (typeof plain !== 'object' || plain === null) return JSON.stringify(plain)
  if (Array.isArray(plain)) return `[${plain.map(equalityKey).join()}]`
  const filled = Object.entries(plain).filter(([, inner]) => orNull(inner) !== null)
  filled.sort(([first], [second]) => (first < second ? -1 : 1))
  return `{${filled.map(([name, inner]) => `${JSON.stringify(name)}:${equalityKey(inner)}`).join()}}`
}

const known = new WeakMap<Entity['fields'], readonly string[]>()

function keptFields({ fields }: Entity): readonly string[] {
  let names = known.get(fields)
  if (!names) known.set(fields, (names = Object.keys(fields).filter((name) => fields[name].kept !== false)))
  return names
}

/** The names of the fields whose values differ; unstored fields do not count. */
export function changedFields(entity: Entity, before: RecordData | null, after: RecordData): string[] {
  const changed: string[] = []
  for (const name of keptFields(entity)) {
    const [was, is] = [before?.[name] ?? null, after[name]]
    if (was !== (is ?? null) && (is !== undefined || Object.hasOwn(after, name)) && !isEqual(was, is))
      changed.push(name)
  }
  return changed
}

/** Whether writing it would change nothing. @param plain fields that hold a new secret */
export const isUnchanged = (
  entity: Entity,
  before: RecordData,
  after: RecordData,
  plain?: ReadonlySet<string>,
): boolean => !plain?.size && changedFields(entity, before, after).length === 0
