import { useCallback, useEffect, useMemo, useState } from 'react'
import { useActions, useClient, useEngine } from '../../client/index.ts'
import type { ScreenViewProps } from '../../client/index.ts'
import { useReport } from '../../client/records.ts'
import type { ReportPlan } from '../../model/model.ts'
import { useStableActions } from '../list/useStableActions.ts'
import { listPlanOf, problemOf, readReportState, writeReportState } from './reportState.ts'
import type { ReportState } from './reportState.ts'

export type ReportModel = ReturnType<typeof useReportModel>

/** The query of a report, its answer, and how the reader changes the query. */
export function useReportModel({ plan: screen, bundle, frame }: ScreenViewProps<ReportPlan>) {
  const plan = screen.body
  const entity = bundle.entities[screen.entity!]
  const engine = useEngine()
  const { user } = useClient()
  const granted = useCallback(
    (permission: string | undefined) => permission === undefined || bundle.granted[permission] !== false,
    [bundle],
  )

  const today = engine.now().slice(0, 10)
  const tabs = useMemo(() => plan.tabs.filter(({ permission }) => granted(permission)), [plan, granted])
  const list = useMemo(
    () => listPlanOf(plan, tabs, frame.state.tab, { user, settings: engine.settings ?? {}, now: `${today} 00:00:00` }),
    [plan, tabs, frame.state.tab, user, engine.settings, today],
  )
  const state = useMemo(() => readReportState(frame.state, plan, list, today), [frame.state, plan, list, today])
  const written = (part: Partial<ReportState>) => writeReportState({ ...state, ...part }, plan, list, today)
  const change = (part: Partial<ReportState>) => frame.setState(written(part))
  const changeList = (part: Partial<ReportState['list']>) => change({ list: { ...state.list, page: 1, ...part } })

  const tab = tabs.find(({ name }) => name === state.list.tab) ?? tabs[0]
  const group = plan.groups.find(({ name }) => name === state.group)!
  const { filters } = state.list
  const problem = problemOf(plan.filters, filters)
  /** The refused query. */
  const [refused, setRefused] = useState<typeof problem>()
  const common = {
    screen: screen.name,
    group: group.name,
    filters,
    ...(plan.asOf && state.asOf !== today && { asOf: state.asOf }),
  }
  const query = { ...common, tab: tab?.name, ...(state.list.sort !== undefined && { sort: state.list.sort }) }
  const { data, error, isPlaceholderData, isFetching, refetch } = useReport(
    { ...query, page: state.list.page, size: state.list.size },
    { enabled: frame.active && !problem && tab !== undefined, version: frame.version },
  )
  const read = () => void refetch()

  const settled = data !== undefined || error !== null || problem !== undefined || tab === undefined
  const { setBusy } = frame
  useEffect(() => {
    if (settled) setBusy(false)
  }, [settled, setBusy])
  const live = useActions({ entity, bundle, frame, reload: read, exportQuery: () => query })
  const actions = useStableActions(live)

  return {
    plan,
    entity,
    list,
    tabs,
    tab,
    group,
    state,
    /** The query shared by the table and the charts. */
    common,
    granted,
    problem,
    refused: refused ?? problem,
    answer: { data, error, stale: isPlaceholderData || isFetching, read },
    actions,
    dialogs: live.dialogs,
    isToday: state.asOf === today,
    change,
    changeList,
    /** Queries with these filters; an unchanged query is reloaded. */
    query(part: Partial<ReportState['list']> & Pick<ReportState['list'], 'filters'>) {
      const unread = problemOf(plan.filters, part.filters)
      setRefused(unread)
      if (unread) return
      const next = written({ list: { ...state.list, ...part, page: 1 } })
      if (JSON.stringify(next) === JSON.stringify(written({}))) read()
      else frame.setState(next)
    },
  }
}
