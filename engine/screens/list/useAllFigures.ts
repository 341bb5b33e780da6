import { useMemo, useState } from 'react'
import { useFigures, type useList } from '../../client/records.ts'
import { useStable } from '../../client/useStable.ts'
import type { ListQuery } from '../../model/model.ts'
import { figureQuery, lacksFigures } from './listState.ts'

interface Given {
  path: string
  pageQuery: ListQuery
  found: ReturnType<typeof useList>
  active: boolean
  version: number | undefined
}

/**
 * The figures of all matching records. For very many records they do not come with the page: visible ones are requested
 * separately, a mere total only on demand.
 */
export function useAllFigures({ path, pageQuery, found: { data, isPlaceholderData }, active, version }: Given) {
  const query = useMemo(() => figureQuery(pageQuery), [pageQuery])
  const key = JSON.stringify(query)
  const [counted, setCounted] = useState<string>()
  const isOpen = data !== undefined && (data.more === true || lacksFigures(pageQuery, data))
  const enabled = active && isOpen && !isPlaceholderData && (lacksFigures(pageQuery, data) || counted === key)
  const all = useFigures(path, query, { enabled, version })
  const figures = isOpen ? all.data : data
  return {
    total: (figures ?? data)?.total ?? 0,
    sums: figures?.sums,
    counts: figures?.counts,
    summary: figures?.summary,
    error: enabled ? all.error : null,
    open:
      data?.more && !figures
        ? { next: data.next === true, counting: all.isFetching, onCount: () => setCounted(key) }
        : undefined,
    renew: useStable(() => void (enabled && all.refetch())),
  }
}
