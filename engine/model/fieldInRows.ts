import type { Field } from './field.ts'
import type { ByType } from './widget.ts'

/** A field as a table of rows shows it: with the table's options for its type, which also apply to tables inside it. */
export function fieldInRows(field: Field, byType: ByType | undefined): Field {
  if (!byType || Object.keys(byType).length === 0) return field
  const { byType: inner } = field.options as { byType?: ByType }
  return {
    ...field,
    options: { ...field.options, ...byType[field.type], ...(inner && { byType: { ...byType, ...inner } }) },
  }
}
