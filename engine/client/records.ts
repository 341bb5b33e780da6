import { hashKey, keepPreviousData, replaceEqualDeep, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { pathOf } from '../model/model.ts'
import type {
  ListQuery,
  ListResult,
  OptionsResult,
  RecordData,
  ReportResult,
  ScreenBundle,
  QueryOf,
  Waiting,
} from '../model/model.ts'
import { useClient } from './frame.ts'
import type { Newest } from './frame.ts'
import { RequestError } from './RequestError.ts'
import type { Request } from './request.ts'
import type { EngineContext } from './view.ts'

export interface ScreenAddress {
  route?: string
  name?: string
}

/** A refused request is not retried; one that never reached the server is, once. */
const retry = (failures: number, error: Error) =>
  error instanceof RequestError && error.code === 0 && !error.cancelled && failures < 1
const quiet = { retry, refetchOnWindowFocus: false } as const

/**
 * Polls after so many milliseconds while enabled and the window is visible; immediately when the user returns later.
 */
const renewed = (every: number | undefined) =>
  every === undefined
    ? {}
    : {
        refetchInterval: every,
        refetchOnWindowFocus: ({ state }: { state: { dataUpdatedAt: number } }) =>
          Date.now() - state.dataUpdatedAt >= every && ('always' as const),
      }

export const screenQuery = (request: Request, address: ScreenAddress) => ({
  queryKey: ['screen', address.route ?? null, address.name ?? null],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    request.get<ScreenBundle>('/plans/screen', { ...address }, { signal }),
  staleTime: 300_000,
  gcTime: Infinity,
  ...quiet,
})

/** The plan of a screen with everything it refers to; invalidate all of `screen` after the schemas are reloaded. */
export function useScreenBundle(address: ScreenAddress) {
  const { request } = useClient()
  return useQuery(screenQuery(request, address))
}

/** When each read was sent whose component is not mounted yet, by the hash of its key. */
const earlyReads = new WeakMap<QueryClient, Map<string, number>>()
const freshFor = 10_000

function earlyReadsOf(client: QueryClient): Map<string, number> {
  const known = earlyReads.get(client) ?? new Map<string, number>()
  earlyReads.set(client, known)
  return known
}

function readEarly<T>(client: QueryClient, options: FetchQueryOptions<T>): void {
  if (client.getQueryState(options.queryKey)) return
  earlyReadsOf(client).set(hashKey(options.queryKey), Date.now())
  void client.prefetchQuery(options)
}

const isFresh = (sent = 0): boolean => Date.now() - sent < freshFor

/**
 * Requests during render: an observer would only request once mounted, which may have to wait for code, and would then
 * request again what has arrived meanwhile.
 */
function useEarly<T>(options: FetchQueryOptions<T>, enabled: boolean): { refetchOnMount: boolean } {
  const client = useQueryClient()
  const key = hashKey(options.queryKey)
  if (enabled) readEarly(client, options)
  useEffect(() => void earlyReadsOf(client).delete(key), [client, key])
  return { refetchOnMount: !isFresh(earlyReadsOf(client).get(key)) }
}

interface Reading {
  enabled?: boolean
  /** Increases when records changed elsewhere. */
  version?: number
  /** Milliseconds between polls. */
  every?: number
}

/** The newest answer, now or once it arrives: it may be newer than what is drawn. */
function useNewest<T>(queryKey: QueryKey, recordsOf: (answer: T) => RecordData[]): Newest {
  const cache = useQueryClient().getQueryCache()
  return () => {
    const query = cache.find<T>({ queryKey })
    if (query?.state.fetchStatus === 'fetching' && query.promise) return query.promise.then(recordsOf, () => [])
    return query?.state.data === undefined ? [] : recordsOf(query.state.data)
  }
}

const listKey = (path: string, query: ListQuery, version = 0) => ['list', path, query, version]

/** The newest known records of a page of a list. */
export const useNewestOf = (path: string, query: ListQuery, version?: number): Newest =>
  useNewest<ListResult>(listKey(path, query, version), ({ list }) => list)

/** A page of a list. The previous rows stay until the new ones arrive. */
export function useList(path: string, query: ListQuery, { enabled = true, version = 0, every }: Reading = {}) {
  const { request } = useClient()
  const options = {
    queryKey: listKey(path, query, version),
    queryFn: ({ signal }: { signal: AbortSignal }) => request.get<ListResult>(path, { ...query }, { signal }),
    gcTime: 60_000,
    retry,
  }
  return useQuery({
    ...options,
    ...useEarly(options, enabled),
    placeholderData: keepPreviousData,
    // An unchanged row keeps its object identity and is not rendered again; for very many rows the comparison costs
    // more than rendering.
    structuralSharing: (old, next) => ((next as ListResult).list.length > 1000 ? next : replaceEqualDeep(old, next)),
    enabled,
    ...quiet,
    ...renewed(every),
  })
}

/** The total, sums and counts of all matching records, which a list did not return with its page. */
export function useFigures(path: string, query: ListQuery, { enabled = true, version = 0 }: Reading = {}) {
  const { request } = useClient()
  return useQuery({
    queryKey: ['figures', path, query, version],
    queryFn: ({ signal }) => request.get<ListResult>(path, { ...query }, { signal }),
    enabled,
    gcTime: 60_000,
    // Paging refreshes them only after a while; changed records refresh them at once.
    staleTime: 30_000,
    ...quiet,
  })
}

/** The records or figures of a block of a screen. */
export function useBlock<T = RecordData[]>(
  screen: string,
  name: string,
  { enabled = true, version = 0, every }: Reading = {},
) {
  const { request } = useClient()
  return useQuery({
    queryKey: ['block', screen, name, version],
    queryFn: ({ signal }) => request.get<T>('/plans/block', { screen, name }, { signal }),
    placeholderData: keepPreviousData,
    enabled,
    gcTime: 60_000,
    ...quiet,
    ...renewed(every),
  })
}

/** How many records wait under each card of a board. */
export function useWaiting(screen: string, { enabled = true, version = 0, every }: Reading = {}) {
  const { request } = useClient()
  return useQuery({
    queryKey: ['waiting', screen, version],
    queryFn: ({ signal }) => request.get<Waiting>('/plans/waiting', { screen }, { signal }),
    placeholderData: keepPreviousData,
    enabled,
    gcTime: 60_000,
    ...quiet,
    ...renewed(every),
  })
}

export interface ReportQuery {
  screen: string
  group: string
  /** A tab, or a chart in its place. */
  tab?: string
  chart?: string
  filters?: ListQuery['filters']
  asOf?: string
  sort?: string
  page?: number
  size?: number
}

/** The groups and sums of a detail's tab, over the records that refer to the one shown. */
export function useGrouped(query: { screen: string; tab: string; id: number }, { version = 0 }: Reading = {}) {
  const { request } = useClient()
  return useQuery({
    queryKey: ['grouped', query, version],
    queryFn: ({ signal }) => request.get<ReportResult>('/plans/grouped', { ...query }, { signal }),
    gcTime: 60_000,
    ...quiet,
  })
}

/** The rows of a report. The previous rows stay until the new ones arrive. */
export function useReport(query: ReportQuery, { enabled = true, version = 0 }: Reading = {}) {
  const { request } = useClient()
  return useQuery({
    queryKey: ['report', query, version],
    queryFn: ({ signal }) => request.get<ReportResult>('/plans/report', { ...query }, { signal }),
    placeholderData: keepPreviousData,
    enabled,
    gcTime: 60_000,
    ...quiet,
  })
}

const recordKey = (path: string, id: number | string | null | undefined, version = 0) => [
  'record',
  path,
  String(id),
  version,
]

/** The newest known state of one record. */
export const useNewestRecord = (path: string, id: number | string | undefined, version?: number): Newest =>
  useNewest<RecordData>(recordKey(path, id, version), (record) => [record])

/** One record: `GET {path}?id=`; with null, the only record of an entity that has exactly one. */
export function useRecord(path: string, id: number | string | null | undefined, { enabled = true, version = 0 } = {}) {
  const { request } = useClient()
  return useQuery({
    queryKey: recordKey(path, id, version),
    queryFn: ({ signal }) => request.get<RecordData>(path, { id } satisfies QueryOf<'detail'>, { signal }),
    placeholderData: (previous, query) => (query?.queryKey[2] === String(id) ? previous : undefined),
    enabled: enabled && id !== undefined && id !== '',
    gcTime: 60_000,
    ...quiet,
  })
}

type OptionsQuery = Parameters<EngineContext['options']>[1]

/** The options of a reference. */
export function useOptions() {
  const { request } = useClient()
  const client = useQueryClient()
  return useCallback(
    (endpoint: string, { search, ids, page, filter, all }: OptionsQuery) =>
      client.fetchQuery({
        queryKey: ['options', endpoint, search ?? '', ids ?? [], page ?? 1, filter ?? {}, all ?? false],
        queryFn: ({ signal }) =>
          request.get<OptionsResult>(
            pathOf(endpoint, 'options'),
            {
              search: search || undefined,
              id: ids?.join(','),
              page,
              filters: filter,
              all,
            } satisfies QueryOf<'options'>,
            { signal },
          ),
        staleTime: 10_000,
        gcTime: 60_000,
        retry,
      }),
    [client, request],
  )
}

export const preferenceKey = (key: string) => ['preference', key]

/** A user's preference for a screen: `GET` and `POST /preferences`. */
export function usePreference<T>(key: string) {
  const { request } = useClient()
  const client = useQueryClient()
  const queryKey = preferenceKey(key)
  const options = {
    queryKey,
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      (await request.get<T | null>('/preferences', { key }, { signal })) ?? null,
    gcTime: Infinity,
    retry: false,
  }
  useEarly(options, true)
  const { data, isPending } = useQuery({ ...options, staleTime: Infinity, refetchOnWindowFocus: false })
  return {
    value: data ?? undefined,
    isPending,
    async save(value: T): Promise<void> {
      client.setQueryData(queryKey, value)
      // A late answer to an earlier request would overwrite what the user has chosen since.
      const cancelled = client.cancelQueries({ queryKey }).then(() => client.setQueryData(queryKey, value))
      await Promise.all([request.post('/preferences', { key, value }), cancelled])
    },
  }
}
