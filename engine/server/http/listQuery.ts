import { truncateText } from '../../model/truncateText.ts'
import type { Filter, FilterValue, ListQuery, SortKey } from '../../model/model.ts'
import { Refusal } from '../errors.ts'
import type { ExportQuery } from '../exports/exports.ts'
import { isStorable } from '../records/storable.ts'

/** The query parameters of a call. */
export type Query = Record<string, string | undefined>

/** @throws Refusal request. */
export function listQuery(query: Query): ListQuery {
  return {
    ...pageOf(query, 20),
    sort: query.sort || undefined,
    search: (query.search && truncateText(query.search, 200)) || undefined,
    filters: json('filters', query.filters, isFilters),
    tab: json('tab', query.tab, isFilters),
    counts: json(
      'counts',
      query.counts,
      (value): value is Record<string, FilterValue>[] =>
        Array.isArray(value) && value.length <= 20 && value.every(isFilters),
    ),
    sums: names('sums', query.sums),
    counted: json('counted', query.counted, isFilters),
    fields: names('fields', query.fields),
    summary: query.summary || undefined,
    ...(query.countTo !== undefined && { countTo: positiveInteger('countTo', query.countTo) }),
    ...(query.after !== undefined && { after: json('after', query.after, isKey) }),
    ...(query.before !== undefined && { before: json('before', query.before, isKey) }),
  }
}

/**
 * A filter as JSON, or as a schema file writes it, because a reference sends its own unchanged. @throws Refusal
 * request.
 */
export const filterOf = ({ filters }: Query): Filter | undefined => json('filters', filters, isFilter)

/** Ids separated by commas. @throws Refusal request. */
export const idsIn = (name: string, text: string): number[] => text.split(',').map((id) => positiveInteger(name, id))

export const exportQuery = (query: Query): ExportQuery => ({
  ...listQuery(query),
  screen: query.screen,
  ids: query.ids === undefined ? undefined : idsIn('ids', query.ids),
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isFilter = (value: unknown): value is Filter => isObject(value)
const isFilters = (value: unknown): value is Record<string, FilterValue> =>
  isObject(value) && Object.values(value).every(isObject)
const isKey = (value: unknown): value is SortKey =>
  Array.isArray(value) && value.length <= 10 && value.every((part) => part === null || typeof part === 'string')
const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 300 && value.every((name) => typeof name === 'string')

/**
 * Distinct names: a list as JSON, as the client sends it, or separated by commas, as people type it.
 * @throws Refusal request.
 */
function names(name: string, text: string | undefined): string[] | undefined {
  if (!text) return undefined
  const list = json(name, text.startsWith('[') ? text : JSON.stringify(text.split(',')), isNames)
  return list && [...new Set(list)]
}

function json<T>(name: string, text: string | undefined, is: (value: unknown) => value is T): T | undefined {
  if (!text) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (!is(value) || !isStorable(value)) throw new Refusal('request', { parameters: { detail: name } })
  return value
}

/** Multiplied by the page size, it still fits into the database's offset. */
const lastPage = 1_000_000_000_000

/** @throws Refusal request. */
export function pageOf(query: Query, usual: number): { page: number; size: number } {
  const page = positiveInteger('page', query.page ?? '1')
  if (page > lastPage) throw new Refusal('request', { parameters: { detail: 'page' } })
  return { page, size: positiveInteger('size', query.size ?? String(usual)) }
}

/** @throws Refusal request, unless the text is an integer from 1 */
export function positiveInteger(name: string, text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Refusal('request', { parameters: { detail: name } })
  return Number(text)
}
