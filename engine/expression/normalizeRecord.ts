import type { Field, RecordData, Value, Widget } from '../model/model.ts'
import type { VerdictEntity, VerdictContext } from './VerdictContext.ts'

/** Whether two values of a field are equal in canonical form, references by their ids. */
export function isSame(
  field: Field,
  left: Value | undefined,
  right: Value | undefined,
  widgets: Record<string, Widget>,
): boolean {
  const widget = widgets[field.type]
  const target = widget.target?.(field.options)
  const canonical = (value: Value | undefined): Value => {
    const normal: Value = widget.normalize(value ?? null, field.options)
    if (!target || target.rows) return normal
    return Array.isArray(normal) ? normal.map(idOf) : idOf(normal)
  }
  return equal(canonical(left), canonical(right))
}
const idOf = (value: Value): Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value.id ?? null) : value

/** An absent key is null. */
function equal(left: Value | undefined, right: Value | undefined): boolean {
  const [a, b] = [left ?? null, right ?? null]
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]))
    )
  }
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => equal(a[key], b[key]))
}

/** The given fields in canonical form, including their rows. Unknown keys are left for the caller to refuse. */
export function normalizeRecord(
  entity: Pick<VerdictEntity, 'fields'>,
  values: RecordData,
  context: Pick<VerdictContext, 'widgets' | 'entities'>,
): RecordData {
  // A copy keeps the shape of the record; built up field by field, its objects would be several times as slow.
  const normal: RecordData = { ...values }
  for (const name of Object.keys(values)) {
    const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
    if (!field) continue
    const given = values[name] ?? null
    // Every widget leaves null as it is.
    if (given === null) {
      normal[name] = null
      continue
    }
    const widget = context.widgets[field.type]
    const value: Value = widget.normalize(given, field.options)
    const target = Array.isArray(value) ? widget.target?.(field.options) : undefined
    const rows = target?.rows && context.entities[target.entity]
    normal[name] = rows && Array.isArray(value) ? value.map((row) => normalRow(rows, row, context)) : value
  }
  return normal
}

function normalRow(
  entity: Pick<VerdictEntity, 'fields'>,
  row: Value,
  context: Pick<VerdictContext, 'widgets' | 'entities'>,
): Value {
  const isRow = typeof row === 'object' && row !== null && !Array.isArray(row)
  return isRow ? (normalizeRecord(entity, row as RecordData, context) as Value) : row
}
