import type { Entity, Field, FieldProblem, Label, RecordData, Value } from '../../model/model.ts'
import { fill } from '../errors.ts'
import type { Context } from '../runtime.ts'
import { isEqual, isRecord } from './reading/canonical.ts'

/** A record as it would be saved. */
export interface Proposed {
  entity: Entity
  record: RecordData
  old: RecordData | null
  /** Restricts the check to these fields. */
  fields?: readonly string[]
  /** It has no other problems. */
  isGood?: boolean
}

/** A value that a save would write, and its place: `contacts.0.mobile`. */
interface Written {
  entity: Entity
  field: Field
  path: string
  value: Value
  record: RecordData
  old: RecordData | null
}

/** A written value of one of the records. */
export interface Placed extends Written {
  of: Proposed
}

export interface Found {
  at: Placed
  problem: FieldProblem
}

const known = new WeakMap<Entity['fields'], readonly Field[]>()

/** For most fields the database knows nothing beyond the record. */
function askedAbout({ derived }: Context, { fields, tree }: Entity): readonly Field[] {
  let asked = known.get(fields)
  if (!asked) {
    asked = Object.values(fields).filter(
      (field) =>
        derived.target(field) ||
        field.unique ||
        field.uniqueWithin !== undefined ||
        derived.widget(field).files ||
        tree?.parent === field.name,
    )
    known.set(fields, asked)
  }
  return asked
}

/** The values that only the database can check. */
export function writtenValues(
  context: Context,
  entity: Entity,
  record: RecordData,
  old: RecordData | null,
  prefix: string,
): Written[] {
  return askedAbout(context, entity).flatMap((field): Written[] => {
    const value = record[field.name] ?? null
    const target = context.derived.target(field)
    if (target?.rows) {
      const before = (old?.[field.name] ?? []) as RecordData[]
      // If it is not a list of rows, that is already a problem.
      const rows = Array.isArray(value) && value.every((row) => isRecord(row)) ? (value as RecordData[]) : []
      return rows.flatMap((row, index) => {
        const former = row.id === undefined ? null : (before.find(({ id }) => id === row.id) ?? null)
        return writtenValues(context, target.entity, row, former, `${prefix}${field.name}.${index}.`)
      })
    }
    // A record that moves to another parent meets other siblings.
    const moved = field.uniqueWithin !== undefined && !isEqual(record[field.uniqueWithin], old?.[field.uniqueWithin])
    if (value === null || (isEqual(value, old?.[field.name]) && !moved)) return []
    return [{ entity, field, path: prefix + field.name, value, record, old }]
  })
}

export const problemAt = (
  path: string,
  code: string,
  message: Label,
  parameters: Record<string, Label | number | string>,
): FieldProblem => ({ field: path, code, message: fill(message, parameters) })
