import { addDays, addMonths } from '../../expression/index.ts'
import type { FilterValue, GroupKey, GroupPlan, MeasurePlan, Operator, ReportPlan, Value } from '../../model/model.ts'

interface Number {
  measure: MeasurePlan
  group: GroupPlan
  by: readonly Value[]
  filters: Record<string, FilterValue>
}

/** Filters for exactly the records behind a figure; undefined if no filters can express them. */
export function recordsOf(
  { where }: Pick<ReportPlan, 'where'>,
  { measure, group, by, filters }: Number,
): Map<string, FilterValue> | undefined {
  if (measure.value.kind === 'formula' || measure.value.kind === 'change') return undefined
  const wanted = new Map<string, FilterValue>()
  const parts = [
    where,
    filters,
    measure.where,
    ...group.by.map((key, index) => ({ [key.field]: valueOf(by[index], key) })),
  ]
  for (const [field, filter] of parts.flatMap((part) => Object.entries(part))) {
    if (!filter) return undefined
    const known = wanted.get(field)
    const both = known ? common(known, filter) : filter
    if (!both) return undefined
    wanted.set(field, both)
  }
  return wanted
}

/**
 * The address of the list with exactly the records behind a figure; undefined if the list cannot be filtered to them,
 * because it would show others. `allowed` are the operators that a field can be filtered with.
 */
export function recordsLink(
  plan: ReportPlan,
  number: Number,
  allowed: (field: string) => readonly Operator[],
): string | undefined {
  const { records } = plan
  const wanted = records && recordsOf(plan, number)
  if (!records || !wanted) return undefined
  for (const [field, filter] of wanted) {
    if (!Object.hasOwn(records.filters, field)) return undefined
    wanted.set(field, records.filters[field] === 'in' && filter.equals !== undefined ? { in: [filter.equals] } : filter)
    if (!Object.keys(wanted.get(field)!).every((operator) => allowed(field).includes(operator as Operator)))
      return undefined
  }
  // The list's initial filters are cleared unless they are wanted.
  const open = records.started.filter((field) => !wanted.has(field)).map((field) => `f.${field}=`)
  const query = [
    ...[...wanted].map(([field, filter]) => `f.${field}=${encodeURIComponent(JSON.stringify(filter))}`),
    ...open,
  ]
  return query.length > 0 ? `${records.to}?${query.join('&')}` : records.to
}

/** The records of a group, as a filter; undefined if no filter can express them. */
function valueOf(value: Value, { unit, grain }: GroupKey): FilterValue | undefined {
  if (value === null || Array.isArray(value)) return undefined
  if (typeof value === 'object') return { equals: value.id }
  if (unit !== 'month') return { equals: value }
  const first = `${String(value)}-01`
  const last = addDays(addMonths(first, 1)!, -1)
  return {
    between:
      grain === 'month' ? [value, value] : grain === 'day' ? [first, last] : [`${first} 00:00:00`, `${last} 23:59:59`],
  }
}

/** The intersection of both filters, if a single filter can express it. */
function common(a: FilterValue, b: FilterValue): FilterValue | undefined {
  if (JSON.stringify(a) === JSON.stringify(b)) return a
  const [first, second] = [a, b].map(choicesOf)
  if (first && second) {
    const shared = first.filter((value) => second.includes(value))
    return shared.length > 0 ? { in: shared } : undefined
  }
  const [range, otherRange] = [a, b].map(({ between }) => (Array.isArray(between) ? between : undefined))
  if (!range || !otherRange) return undefined
  const [from, to] = [ends(range[0], otherRange[0], (x, y) => x > y), ends(range[1], otherRange[1], (x, y) => x < y)]
  return { between: [from, to] }
}

const choicesOf = ({ equals, in: several }: FilterValue): Value[] | undefined =>
  equals !== undefined ? [equals] : Array.isArray(several) ? several : undefined

const ends = (a: Value, b: Value, first: (x: string, y: string) => boolean): Value =>
  a === null || a === '' ? b : b === null || b === '' ? a : first(String(a), String(b)) ? a : b
