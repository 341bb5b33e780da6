import { useEffect, useRef } from 'react'
import type { ScreenViewProps } from '../../client/frame.ts'
import { drawerWidth, rowHeights } from './columnChoices.ts'
import type { ListPlan } from './list.ts'
import type { ListState } from './listState.ts'
import { useCardsLoaded } from './useCardsLoaded.ts'
import { useCard } from './useCard.ts'
import { useChosenColumns } from './useChosenColumns.ts'
import { useGridColumns } from './useGridColumns.tsx'
import { useListData } from './useListData.ts'
import { useListWork } from './useListWork.ts'
import { useNarrow } from './useNarrow.ts'
import { useRefreshing } from './useRefreshing.ts'
import { useReportingToFrame } from './useReportingToFrame.ts'
import { useRowFocus } from './useRowFocus.ts'
import { useRowKeys } from './useRowKeys.ts'
import { useSums } from './useSums.ts'
import { takesTicked, useTicks } from './useTicks.ts'
import { useTreeRows } from './useTreeRows.ts'

/** What a list contains and what the user can do with it, for its view to draw. */
export function useListModel(props: ScreenViewProps<ListPlan>) {
  const { bundle, frame } = props
  const root = useRef<HTMLDivElement>(null)
  const narrow = useNarrow(root)
  const data = useListData(props)
  const { screen, fixed, list, found, all, records, error, refetch, change, stepTo } = data
  const plan = screen.body
  const entity = bundle.entities[screen.entity!]
  const chosen = useChosenColumns(screen, entity)
  const { arranged } = chosen
  const ticks = useTicks(JSON.stringify([list.search, list.filters, list.tab, fixed]), records)
  const { rows, toggle } = useTreeRows(records, plan, list)
  const work = useListWork(props, { data, arranged, rows, narrow, untick: ticks.clear })
  const { actions, dialogs, offered, holds, cells, ordering } = work
  const sums = useSums(all.sums, entity)
  const columns = useGridColumns({ entity, plan, arranged, narrow, actions, holds, records, sums, cells })
  const isUnderWay = records?.some((record) => holds(plan.refreshWhen, record)) ?? false
  useRefreshing(plan.refreshWhen !== undefined && frame.active && isUnderWay, refetch)
  const tickable = plan.actions.some(takesTicked)
  const rowHeight = rowHeights[chosen.density]
  useRowFocus({ root, rows })
  useRowKeys({
    root,
    enabled: frame.active && frame.place === 'page' && fixed === undefined,
    rows,
    rowHeight,
    edit: (record) => {
      const edit = plan.actions.find(({ name, on }) => name === 'edit' && on === 'row')
      return edit && actions.shown(edit, [record]) ? () => actions.run(edit, [record]) : undefined
    },
    tick: (record) => tickable && ticks.set([record], !ticks.has(record.id!)),
  })

  const hasCards = useCardsLoaded(narrow && !plan.tree)
  const drawn = found.data !== undefined && !chosen.isPending && hasCards
  useReportingToFrame(frame, {
    drawn,
    settled: drawn || error !== null,
    width: drawerWidth(columns, tickable),
    isEmpty: found.data && !found.isPlaceholderData ? found.data.list.length === 0 : undefined,
  })
  const isCounted = found.data && !found.isPlaceholderData && !all.open && !plan.tree
  useLastPage(isCounted ? Math.max(1, Math.ceil(all.total / list.size)) : undefined, list.page, change)

  // A tree stays a table, which shows the hierarchy.
  const card = useCard(narrow && !plan.tree, entity, arranged)
  return {
    screen,
    entity,
    frame,
    /** The actions, without those that would add a record that is not allowed here. */
    offered,
    fixed,
    list,
    data: found.data,
    /** Whether the rows are still those of the previous query. */
    isPlaceholderData: found.isPlaceholderData,
    stale: found.isPlaceholderData || found.isFetching,
    all,
    error,
    refetch,
    change,
    stepTo,
    root,
    narrow,
    chosen,
    actions,
    dialogs,
    ticks,
    tickable,
    rows,
    rowHeight,
    toggle,
    ordering,
    columns,
    sums,
    card,
    drawn,
  }
}

/** Returns to the last page when the records of a later one are gone. */
function useLastPage(last: number | undefined, page: number, change: (part: Partial<ListState>) => void) {
  const beyond = last !== undefined && page > last
  useEffect(() => {
    if (beyond) change({ page: last })
  }, [beyond, last, change])
}
