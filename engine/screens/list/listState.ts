import { evaluateFormula, type Scope } from '../../expression/index.ts'
import { combined, nearRows } from '../../model/model.ts'
import type { FilterValue, ListQuery, ListResult, Value } from '../../model/model.ts'
import type { ListFilter, ListPlan } from './list.ts'
import { startsNarrowed } from './startsNarrowed.ts'

/** The user's choices in a list; the address stores what differs from the plan. */
export interface ListState {
  search: string
  filters: Record<string, FilterValue>
  /** The filters that the user emptied before coming to a tab where they begin empty; they stay empty in the others. */
  emptied?: string[]
  tab: string | undefined
  sort: string | undefined
  page: number
  size: number
}
export const pageSizes = [10, 20, 50, 100]
/** The maximum number of rows of a tree, which load at once. */
const treeSize = 10_000
/** More records than this are counted only on demand. */
export const mostCounted = 10_000

/** A default as a schema file writes it: `approved`, `a,b` (any of them), `2026-01-01,` (from). */
function defaultOf({ operator, default: text }: ListFilter): FilterValue | undefined {
  if (text === undefined) return undefined
  const parts = text.split(',').map((part) => part.trim())
  if (operator === 'in') return { in: parts }
  if (operator === 'between' || operator === 'overlaps') return { [operator]: [parts[0] || null, parts[1] || null] }
  return { [operator]: operator === 'empty' ? text === 'true' : text }
}

/** The initial value of a filter in a tab. */
const startOf = (filter: ListFilter, { tabs }: ListPlan, tab: string | undefined): FilterValue | undefined =>
  tabs.find(({ name }) => name === tab)?.clears?.includes(filter.field) ? undefined : defaultOf(filter)

/** The filters that the user emptied, in this tab or before it was opened. */
export const emptiedIn = (list: ListState, plan: ListPlan): string[] =>
  plan.filters
    .filter(
      (filter) =>
        !list.filters[filter.field] && (startOf(filter, plan, list.tab) || list.emptied?.includes(filter.field)),
    )
    .map(({ field }) => field)

/** The filters of the list in another tab: those that still have their initial value get that tab's. */
export function filtersIn(list: ListState, plan: ListPlan, tab: string | undefined): ListState['filters'] {
  const filters = { ...list.filters }
  const emptied = emptiedIn(list, plan)
  for (const filter of plan.filters.filter(({ field }) => !emptied.includes(field))) {
    if (textOf(filters[filter.field]) !== textOf(startOf(filter, plan, list.tab))) continue
    const start = startOf(filter, plan, tab)
    if (start) filters[filter.field] = start
    else delete filters[filter.field]
  }
  return filters
}

/** The filters that find what was made from these values; undefined if none begins with a value of its own. */
export function filtersOf(
  values: Record<string, Value>,
  filters: readonly ListFilter[],
): ListState['filters'] | undefined {
  const found = filters
    .filter(
      (filter) => startsNarrowed(filter) && filter.operator !== 'empty' && (values[filter.field] ?? null) !== null,
    )
    .map(({ field, operator }) => {
      const value = values[field]
      const isList = operator === 'between' || operator === 'overlaps'
      return [field, { [operator]: isList ? [value, value] : operator === 'in' ? [value] : value }] as const
    })
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

/** The filters with defaults evaluated now. */
export const withDefaults = <F extends Pick<ListFilter, 'default' | 'defaultFrom'>>(
  filters: readonly F[],
  scope: Omit<Scope, 'record'>,
): F[] =>
  filters.map((filter) =>
    // A filter's default refers to no record.
    filter.defaultFrom
      ? {
          ...filter,
          default: filter.defaultFrom
            .map((formula) => String(evaluateFormula(formula, { ...scope, record: {} }, {}) ?? ''))
            .join(','),
        }
      : filter,
  )

/**
 * Reads an address, ignoring keys that were typed by hand or belong to other schema files. Defaults only apply if the
 * address neither searches nor sets a filter, even to empty.
 * @param each applies the default of each filter on its own, because a report always covers some period
 */
export function readState(state: Readonly<Record<string, string>>, plan: ListPlan, each = false): ListState {
  const filters: Record<string, FilterValue> = {}
  const tab = (plan.tabs.find(({ name }) => name === state.tab) ?? plan.tabs[0])?.name
  const hasCriteria =
    (plan.search !== undefined && Boolean(state.q)) ||
    plan.filters.some(({ field }) => state[`f.${field}`] === '' || parsed(state[`f.${field}`] ?? ''))
  for (const filter of plan.filters) {
    const written = state[`f.${filter.field}`]
    const starts = each ? written === undefined : !hasCriteria
    const value = starts ? startOf(filter, plan, tab) : parsed(written ?? '')
    if (value) filters[filter.field] = value
  }
  // Where the tab has an initial value, the address says it by leaving the filter empty.
  const emptied = plan.filters
    .filter((filter) => state[`f.${filter.field}`] === '' && !startOf(filter, plan, tab) && defaultOf(filter))
    .map(({ field }) => field)
  const page = Number(state.page)
  const size = Number(state.size)
  const field = state.sort?.replace(/^-/, '')
  return {
    search: plan.search ? (state.q ?? '') : '',
    filters,
    ...(emptied.length > 0 && { emptied }),
    tab,
    sort: plan.columns.some((column) => column.field === field && column.sort) ? state.sort : plan.sort,
    page: Number.isInteger(page) && page > 0 ? page : 1,
    size: pageSizes.includes(size) ? size : plan.pageSize,
  }
}

export function writeState(list: ListState, plan: ListPlan, each = false): Record<string, string> {
  const state: Record<string, string> = {}
  if (list.search) state.q = list.search
  const written = plan.filters.map((filter) => ({
    field: filter.field,
    text: textOf(list.filters[filter.field]),
    start: textOf(startOf(filter, plan, list.tab)),
  }))
  const emptied = emptiedIn(list, plan)
  const begins = !list.search && emptied.length === 0 && written.every(({ text, start }) => text === start)
  for (const { field, text, start } of written)
    if (each ? text !== start : !begins && (text !== '' || start !== '' || emptied.includes(field)))
      state[`f.${field}`] = text
  if (list.tab !== plan.tabs[0]?.name && list.tab) state.tab = list.tab
  if (list.sort !== plan.sort && list.sort) state.sort = list.sort
  if (list.page > 1) state.page = String(list.page)
  if (list.size !== plan.pageSize) state.size = String(list.size)
  return state
}

const textOf = (value: FilterValue | undefined) => (value ? JSON.stringify(value) : '')

/** The state of a list that was just opened, in this tab or its first. */
export const initialState = (plan: ListPlan, tab?: string): ListState =>
  readState(tab === undefined ? {} : { tab }, plan)

/**
 * The query for the server. Fixed filters from the schema and the list's place are sent beside the user's filters, so
 * that neither loosens the other.
 */
export function listQuery(
  list: ListState,
  plan: ListPlan,
  fixed: Record<string, FilterValue> = {},
  screen?: string,
): ListQuery {
  const always = combined(plan.where, fixed)
  // What a tab clears belongs to the tab, so that each is counted as it opens.
  const cleared = new Set(plan.tabs.flatMap(({ clears = [] }) => clears))
  const filters = picked(list.filters, (field) => !cleared.has(field))
  const inTab = ({ name, filter }: Pick<ListPlan['tabs'][number], 'name' | 'filter'>) =>
    combined(
      always,
      filter,
      picked(filtersIn(list, plan, name), (field) => cleared.has(field)),
    )
  const tab = plan.tabs.find(({ name }) => name === list.tab)
  const narrowed = tab ? inTab(tab) : always
  const sums = plan.columns.filter((column) => column.sum).map((column) => column.field)
  return {
    page: plan.tree ? 1 : list.page,
    size: plan.tree ? treeSize : list.size,
    ...(list.sort && { sort: list.sort }),
    ...(list.search && { search: list.search }),
    ...(Object.keys(filters).length > 0 && { filters }),
    ...(Object.keys(narrowed).length > 0 && { tab: narrowed }),
    ...(plan.tabs.length > 0 && { counts: plan.tabs.map(inTab) }),
    ...(sums.length > 0 && { sums, ...(plan.counted && { counted: plan.counted }) }),
    ...(plan.summary && screen !== undefined && { summary: screen }),
    ...(!plan.tree && { countTo: mostCounted }),
  }
}

const picked = (filters: ListState['filters'], is: (field: string) => boolean): ListState['filters'] =>
  Object.fromEntries(Object.entries(filters).filter(([field]) => is(field)))

/** The current page, and the keys of its first and last record. */
export interface HeldPage extends Pick<ListResult, 'first' | 'last'> {
  page: number
  size: number
}

/**
 * Requests a page far from the beginning relative to the current one, so that the database need not count all rows
 * before it.
 */
export function fromHeld(
  held: HeldPage,
  { page, size }: Pick<HeldPage, 'page' | 'size'>,
): Pick<ListQuery, 'page' | 'after' | 'before'> | undefined {
  const steps = page - held.page
  if (size !== held.size || steps === 0 || (page - 1) * size < nearRows) return undefined
  if (steps > 0) return held.last && { page: steps, after: held.last }
  return held.first && { page: -steps, before: held.first }
}

/** The query for the figures of all matching records, regardless of page and sort order. */
export function figureQuery({
  sort: _sort,
  countTo: _to,
  after: _after,
  before: _before,
  ...rest
}: ListQuery): ListQuery {
  return { ...rest, page: 1, size: 1, fields: ['id'] }
}

/** Whether the answer lacks figures that the list shows besides its rows. */
export const lacksFigures = ({ sums, counts, summary }: ListQuery, result: ListResult): boolean =>
  result.sums === undefined && Boolean(sums ?? counts ?? summary)

export const isFiltered = (list: ListState): boolean => list.search !== '' || Object.keys(list.filters).length > 0

/** The filters with this one changed or removed. */
export function withFilter(
  filters: ListState['filters'],
  field: string,
  value: FilterValue | undefined,
): ListState['filters'] {
  const { [field]: _former, ...others } = filters
  return value ? { ...others, [field]: value } : others
}

/** Each click on a column header sorts ascending, then descending, then as the plan does. */
export function nextSort(sort: string | undefined, field: string, plan: ListPlan): string | undefined {
  if (sort === field) return `-${field}`
  if (sort === `-${field}`) return plan.sort === `-${field}` ? field : plan.sort
  return field
}

function parsed(text: string): FilterValue | undefined {
  try {
    const value = JSON.parse(text) as Value
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
