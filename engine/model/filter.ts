import type { Filter } from './shape.ts'
import type { Value } from './values.ts'
import type { FilterValue } from './widget.ts'

/** A filter as written in a file → wire form: a bare value is `equals`, a list is `in`, an object is taken as it is. */
export const filterValues = (filter: Filter): Record<string, FilterValue> =>
  Object.fromEntries(Object.entries(filter).map(([field, value]) => [field, filterValue(value)]))

function filterValue(value: unknown): FilterValue {
  if (Array.isArray(value)) return { in: value as Value[] }
  return typeof value === 'object' && value !== null ? (value as FilterValue) : { equals: value as Value }
}
