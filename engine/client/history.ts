import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { HistoryEntry, QueryOf, WorkDetail } from '../model/model.ts'
import { useClient } from './frame.ts'

export const historyPageSize = 20

/** A page of a record's history, newest first. The previous page stays until the next one arrives. */
export function useHistory(path: string, id: number | string, page: number, version: number) {
  const { request } = useClient()
  return useQuery({
    queryKey: ['history', path, String(id), page, version],
    queryFn: ({ signal }) =>
      request.get<{ list: HistoryEntry[]; total: number }>(
        path,
        { id, page, size: historyPageSize } satisfies QueryOf<'history'>,
        { signal },
      ),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    refetchOnWindowFocus: false,
    retry: false,
  })
}

/** All changes of one work, as far as the reader may see them. */
export function useWork(id: number) {
  const { request } = useClient()
  return useQuery({
    queryKey: ['work', id],
    queryFn: ({ signal }) => request.get<WorkDetail>(`/works/${id}`, {}, { signal }),
    gcTime: 60_000,
    refetchOnWindowFocus: false,
    retry: false,
  })
}
