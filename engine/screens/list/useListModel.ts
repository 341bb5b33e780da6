import { useEffect, useRef } from 'react'
import { useConditions } from '../../client/conditions.ts'
import type { ScreenViewProps } from '../../client/frame.ts'
import { useStable } from '../../client/useStable.ts'
import { drawerWidth, rowHeights } from './columnChoices.ts'
import type { ListPlan } from './list.ts'
import { isFiltered, writeState } from './listState.ts'
import type { ListState } from './listState.ts'
import { isRefused, recordToCome } from './recordToCome.ts'
import { useAllFigures } from './useAllFigures.ts'
import { useCard } from './useCard.ts'
import { useCells } from './useCells.tsx'
import { useChosenColumns } from './useChosenColumns.ts'
import { useGridColumns } from './useGridColumns.tsx'
import { useListActions } from './useListActions.ts'
import { useListQuery } from './useListQuery.ts'
import { useNarrow } from './useNarrow.ts'
import { useOrdering } from './useOrdering.ts'
import { useRefreshing } from './useRefreshing.ts'
import { useRowKeys } from './useRowKeys.ts'
import { useSums } from './useSums.ts'
import { takesTicked, useTicks } from './useTicks.ts'
import { useTreeRows } from './useTreeRows.ts'

/** What a list holds and what can be done with it, for its view to draw. */
export function useListModel(props: ScreenViewProps<ListPlan>) {
  const { bundle, frame, owner, onChanged } = props
  const { plan: screen, fixed, list, asked, found, stepTo } = useListQuery(props)
  const plan = screen.body
  const entity = bundle.entities[screen.entity!]
  const root = useRef<HTMLDivElement>(null)
  const narrow = useNarrow(root)
  const { data, isPlaceholderData, isFetching } = found
  const records = data?.list
  const all = useAllFigures({ path: plan.paths.list, asked, found, active: frame.active, version: frame.version })
  const error = found.error ?? all.error
  const refetch = useStable(() => {
    all.renew()
    return found.refetch()
  })
  const change = useStable((part: Partial<ListState>) =>
    frame.setState(writeState({ ...list, page: 1, ...part }, plan)),
  )

  const chosen = useChosenColumns(screen, entity)
  const { arranged } = chosen
  const ticks = useTicks(JSON.stringify([list.search, list.filters, list.tab, fixed]), records)
  const reload = () => {
    ticks.clear()
    onChanged?.()
    void refetch()
  }
  const refused = () => {
    onChanged?.()
    void refetch()
  }
  const does = { screen, entity, bundle, frame, fixed, asked, arranged, records, reload, refused, change }
  const { actions, dialogs } = useListActions(does)
  const holds = useStable(useConditions(entity))
  const toCome = owner && fixed && recordToCome(entity, Object.keys(fixed)[0], owner)
  const offered = plan.actions.filter(
    (action) => action.on !== 'toolbar' || !toCome || !isRefused(action, toCome, holds),
  )
  const { rows, toggle } = useTreeRows(records, plan, list)
  const cells = useCells({
    screen,
    bundle,
    frame,
    enabled: !narrow,
    columns: arranged,
    rows,
    reload: async () => {
      await refetch()
      onChanged?.()
    },
  })
  const sums = useSums(all.sums, entity)
  const columns = useGridColumns({ entity, plan, arranged, narrow, actions, holds, records, sums, cells })
  const isUnderWay = records?.some((record) => holds(plan.refreshWhen, record)) ?? false
  useRefreshing(plan.refreshWhen !== undefined && frame.active && isUnderWay, refetch)
  const ordering = useOrdering({
    tree: plan.tree,
    records,
    granted: bundle.granted,
    entity: entity.name,
    reload,
    enabled: list.sort === plan.tree?.order?.field && !isFiltered(list) && fixed === undefined,
  })

  const tickable = plan.actions.some(takesTicked)
  const rowHeight = rowHeights[chosen.density]
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

  const drawn = data !== undefined && !chosen.isPending
  const { setBusy, setWidth } = frame
  const width = drawerWidth(columns, tickable)
  useEffect(() => {
    if (drawn) setWidth?.(width)
  }, [drawn, setWidth, width])
  const settled = drawn || error !== null
  useEffect(() => {
    if (settled) setBusy(false)
  }, [settled, setBusy])

  const { setEmpty } = frame
  const isNarrowed = Object.keys(frame.state).length > 0
  const isEmpty = data && !isNarrowed && !isPlaceholderData ? data.list.length === 0 : undefined
  useEffect(() => {
    if (isEmpty !== undefined) setEmpty?.(isEmpty)
  }, [isEmpty, setEmpty])

  // The last record of the last page is gone.
  const last = data && !all.open ? Math.max(1, Math.ceil(all.total / list.size)) : undefined
  const beyond = last !== undefined && !plan.tree && !isPlaceholderData && list.page > last
  useEffect(() => {
    if (beyond) change({ page: last })
  }, [beyond, last, change])

  // A tree stays a table: what is below what is seen there.
  const card = useCard(narrow && !plan.tree, entity, arranged)
  return {
    screen,
    entity,
    /** The actions, without those that would add what may not be added here. */
    offered,
    fixed,
    list,
    data,
    /** The rows are those of the query before. */
    isPlaceholderData,
    stale: isPlaceholderData || isFetching,
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
