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

/** A value that a save of one of the records would write, and its place: `contacts.0.mobile`. */
export interface Placed {
  proposed: Proposed
  entity: Entity
  field: Field
  path: string
  value: Value
  record: RecordData
  old: RecordData | null
}

export interface Found {
  at: Placed
  problem: FieldProblem
}

const known = new WeakMap<Entity['fields'], readonly Field[]>()

/** For most fields the database knows nothing beyond the record. */
function fieldsToVerify({ derived }: Context, { fields, tree }: Entity): readonly Field[] {
  let selected = known.get(fields)
  if (!selected) {
    selected = Object.values(fields).filter(
      (field) =>
        derived.target(field) ||
        field.unique ||
        field.uniqueWithin !== undefined ||
        derived.widget(field).files ||
        tree?.parent === field.name,
    )
    known.set(fields, selected)
  }
  return selected
}

/** The values that only the database can check. */
export function writtenValues(context: Context, proposed: Proposed): Placed[] {
  const found: Placed[] = []
  addWritten(context, proposed, proposed, '', found)
  return found
}

/** Those of the record, or of one of its rows, whose place begins with the prefix. */
function addWritten(
  context: Context,
  proposed: Proposed,
  { entity, record, old }: Pick<Proposed, 'entity' | 'record' | 'old'>,
  prefix: string,
  found: Placed[],
): void {
  for (const field of fieldsToVerify(context, entity)) {
    const value = record[field.name] ?? null
    if (value === null) continue
    const target = context.derived.target(field)
    if (target?.rows) {
      const before = (old?.[field.name] ?? []) as RecordData[]
      // If it is not a list of rows, that is already a problem.
      const rows = Array.isArray(value) && value.every((row) => isRecord(row)) ? (value as RecordData[]) : []
      rows.forEach((row, index) => {
        const former = row.id === undefined ? null : (before.find(({ id }) => id === row.id) ?? null)
        const written = { entity: target.entity, record: row, old: former }
        addWritten(context, proposed, written, `${prefix}${field.name}.${index}.`, found)
      })
      continue
    }
    // A record that moves to another parent meets other siblings.
    const moved = field.uniqueWithin !== undefined && !isEqual(record[field.uniqueWithin], old?.[field.uniqueWithin])
    if (isEqual(value, old?.[field.name]) && !moved) continue
    found.push({ proposed, entity, field, path: prefix + field.name, value, record, old })
  }
}

export const problemAt = (
  path: string,
  code: string,
  message: Label,
  parameters: Record<string, Label | number | string>,
): FieldProblem => ({ field: path, code, message: fill(message, parameters) })
