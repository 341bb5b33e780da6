import type { FilterValue, ListQuery, Value } from '../../schema/model.ts'
import type { ListFilter, ListPlan } from './list.ts'

/** What of a list the operator has chosen. It stands in the address, as far as it differs from what the plan says. */
export interface ListState {
  search: string
  filters: Record<string, FilterValue>
  tab: string | undefined
  sort: string | undefined
  page: number
  size: number
}
export const pageSizes = [10, 20, 50, 100]
/** All rows of a tree are loaded at once, up to so many. */
const treeSize = 10_000

/** `approved` and `a,b` (any of them) and `2026-01-01,` (from): a default as it stands in a schema file. */
function defaultOf({ operator, default: text }: ListFilter): FilterValue | undefined {
  if (text === undefined) return undefined
  const parts = text.split(',').map((part) => part.trim())
  if (operator === 'in') return { in: parts }
  if (operator === 'between' || operator === 'overlaps') return { [operator]: [parts[0] || null, parts[1] || null] }
  return { [operator]: operator === 'empty' ? text === 'true' : text }
}

/** Keys that were written by hand, or are of another version of the schema, count for nothing. */
export function readState(state: Readonly<Record<string, string>>, plan: ListPlan): ListState {
  const filters: Record<string, FilterValue> = {}
  for (const filter of plan.filters) {
    const written = state[`f.${filter.field}`]
    // '' is a default that was taken away.
    const value = written === undefined ? defaultOf(filter) : written === '' ? undefined : parsed(written)
    if (value) filters[filter.field] = value
  }
  const page = Number(state.page)
  const size = Number(state.size)
  const field = state.sort?.replace(/^-/, '')
  return {
    search: plan.search ? state.q ?? '' : '',
    filters,
    tab: (plan.tabs.find(({ name }) => name === state.tab) ?? plan.tabs[0])?.name,
    sort: plan.columns.some((column) => column.field === field && column.sort) ? state.sort : plan.sort,
    page: Number.isInteger(page) && page > 0 ? page : 1,
    size: pageSizes.includes(size) ? size : plan.pageSize,
  }
}

export function writeState(list: ListState, plan: ListPlan): Record<string, string> {
  const state: Record<string, string> = {}
  if (list.search) state.q = list.search
  for (const filter of plan.filters) {
    const value = list.filters[filter.field]
    const written = value ? JSON.stringify(value) : ''
    const byDefault = defaultOf(filter)
    if (written !== (byDefault ? JSON.stringify(byDefault) : '')) state[`f.${filter.field}`] = written
  }
  if (list.tab !== plan.tabs[0]?.name && list.tab) state.tab = list.tab
  if (list.sort !== plan.sort && list.sort) state.sort = list.sort
  if (list.page > 1) state.page = String(list.page)
  if (list.size !== plan.pageSize) state.size = String(list.size)
  return state
}

/** As a new list begins. */
export const initialState = (plan: ListPlan): ListState => readState({}, plan)

/**
 * What the server is asked. What the schema and the place of the list fix travels beside the operator's filters,
 * so that neither loosens the other.
 */
export function listQuery(list: ListState, plan: ListPlan, fixed: Record<string, FilterValue> = {}, screen?: string): ListQuery {
  const always = { ...plan.where, ...fixed }
  const tab = plan.tabs.find(({ name }) => name === list.tab)
  const narrowed = { ...always, ...tab?.filter }
  const sums = plan.columns.filter((column) => column.sum).map((column) => column.field)
  return {
    page: plan.tree ? 1 : list.page,
    size: plan.tree ? treeSize : list.size,
    ...(list.sort && { sort: list.sort }),
    ...(list.search && { search: list.search }),
    ...(Object.keys(list.filters).length > 0 && { filters: list.filters }),
    ...(Object.keys(narrowed).length > 0 && { tab: narrowed }),
    ...(plan.tabs.length > 0 && { counts: plan.tabs.map(({ filter }) => ({ ...always, ...filter })) }),
    ...(sums.length > 0 && { sums }),
    ...(plan.summary && screen !== undefined && { summary: screen }),
  }
}

export const isFiltered = (list: ListState): boolean => list.search !== '' || Object.keys(list.filters).length > 0

/** A click on the header of a column: ascending, descending, and back to what the plan says. */
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
