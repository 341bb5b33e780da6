import type { Filter } from './shape.ts'
import type { Value } from './values.ts'
import type { FilterValue, Operator } from './widget.ts'

/** A filter as written in a file → wire form: a bare value is `equals`, a list is `in`, an object is taken as it is. */
export const filterValues = (filter: Filter): Record<string, FilterValue> =>
  Object.fromEntries(Object.entries(filter).map(([field, value]) => [field, filterValue(value)]))

function filterValue(value: unknown): FilterValue {
  if (Array.isArray(value)) return { in: value as Value[] }
  return typeof value === 'object' && value !== null ? (value as FilterValue) : { equals: value as Value }
}

type Filters = Readonly<Record<string, FilterValue>>

/** The records that match each of these filters: on a field of several, all of them hold. */
export function combined(...all: (Filters | undefined)[]): Record<string, FilterValue> {
  const found: Record<string, FilterValue> = {}
  for (const [field, filter] of all.flatMap((filters) => Object.entries(filters ?? {}))) {
    const before = Object.hasOwn(found, field) ? partsOf(found[field]) : []
    const more = partsOf(filter).filter((part) => !before.some((each) => JSON.stringify(each) === JSON.stringify(part)))
    const parts = [...before, ...more]
    found[field] = parts.length === 1 ? parts[0] : { and: parts }
  }
  return found
}

type Part = { [operator in Operator]?: Value }
const partsOf = ({ and = [], ...own }: FilterValue): Part[] => (Object.keys(own).length > 0 ? [own, ...and] : and)

/** Each operator of a filter with its operand. Wherever `and` is not made of filters, it counts as an operator itself. */
export const conditionsOf = (filter: FilterValue): [operator: string, operand: Value][] =>
  Object.entries(filter).flatMap(([operator, operand]) =>
    operator === 'and' && areParts(operand) ? operand.flatMap((part) => Object.entries(part)) : [[operator, operand]],
  )

const areParts = (operand: unknown): operand is Record<string, Value>[] =>
  Array.isArray(operand) &&
  operand.every((part) => typeof part === 'object' && part !== null && !Array.isArray(part) && !('and' in part))
