import { Alert, Select } from 'antd'
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react'
import {
  ActionButton,
  fieldText,
  OutdatedAlert,
  ScreenFailure,
  ScreenSkeleton,
  useActions,
  useClient,
  useEngine,
  useWords,
} from '../../client/index.ts'
import type { ReactNode } from 'react'
import type { ScreenViewProps } from '../../client/index.ts'
import { useReport } from '../../client/records.ts'
import { useViews } from '../../client/useViews.ts'
import type { ActionPlan, RecordData, ReportPlan, Value } from '../../model/model.ts'
import { rowHeights } from '../list/columnChoices.ts'
import { Filters } from '../list/Filters.tsx'
import { Grid } from '../list/Grid.tsx'
import { isFiltered, nextSort } from '../list/listState.ts'
import { Pager } from '../list/Pager.tsx'
import { Tabs } from '../list/Tabs.tsx'
import { useNarrow } from '../list/useNarrow.ts'
import { useStableActions } from '../list/useStableActions.ts'
import { ReportCharts } from './ReportCharts.tsx'
import { listPlanOf, problemOf, readReportState, writeReportState } from './reportState.ts'
import type { ReportState } from './reportState.ts'
import { useReportColumns } from './useReportColumns.tsx'
import '../list/list.css'
import './report.css'

const texts = { group: { cn: '统计方式', en: 'Group by' }, export: { cn: '导出', en: 'Export' } }

/**
 * What is told of an entity's records, put together as the reader chooses: charts, and a table whose numbers open the
 * records.
 */
export function ReportView({ plan: screen, bundle, frame }: ScreenViewProps<ReportPlan>) {
  const plan = screen.body
  const entity = bundle.entities[screen.entity!]
  const engine = useEngine()
  const words = useWords()
  const { user } = useClient()
  const panel = useId()
  const root = useRef<HTMLDivElement>(null)
  const narrow = useNarrow(root)
  const granted = useCallback(
    (permission: string | undefined) => permission === undefined || bundle.granted[permission] !== false,
    [bundle],
  )

  const now = engine.now()
  const today = now.slice(0, 10)
  const tabs = useMemo(() => plan.tabs.filter(({ permission }) => granted(permission)), [plan, granted])
  const list = useMemo(
    () => listPlanOf(plan, tabs, frame.state.tab, { user, settings: engine.settings ?? {}, now: `${today} 00:00:00` }),
    [plan, tabs, frame.state.tab, user, engine.settings, today],
  )
  const state = useMemo(() => readReportState(frame.state, plan, list, today), [frame.state, plan, list, today])
  const change = (part: Partial<ReportState>) =>
    frame.setState(writeReportState({ ...state, ...part }, plan, list, today))
  const changeList = (part: Partial<ReportState['list']>) => change({ list: { ...state.list, page: 1, ...part } })

  const tab = tabs.find(({ name }) => name === state.list.tab) ?? tabs[0]
  const group = plan.groups.find(({ name }) => name === state.group)!
  const { filters } = state.list
  const problem = problemOf(plan.filters, filters)
  /** What was asked for and cannot be read. */
  const [refused, setRefused] = useState<typeof problem>()
  const common = {
    screen: screen.name,
    group: group.name,
    filters,
    ...(plan.asOf && state.asOf !== today && { asOf: state.asOf }),
  }
  const asked = { ...common, tab: tab?.name, ...(state.list.sort !== undefined && { sort: state.list.sort }) }
  const { data, error, isPlaceholderData, isFetching, refetch } = useReport(
    { ...asked, page: state.list.page, size: state.list.size },
    { enabled: frame.active && !problem && tab !== undefined, version: frame.version },
  )

  const settled = data !== undefined || error !== null || problem !== undefined || tab === undefined
  const { setBusy } = frame
  useEffect(() => {
    if (settled) setBusy(false)
  }, [settled, setBusy])
  const live = useActions({ entity, bundle, frame, reload: () => void refetch(), exportQuery: () => asked })
  const actions = useStableActions(live)
  const exporting: ActionPlan | undefined = plan.export && {
    name: 'export',
    label: texts.export,
    on: 'toolbar',
    permission: plan.export.permission,
    danger: false,
    primary: false,
    do: { kind: 'export', path: '/plans/report/export' },
  }

  const opens = plan.records !== undefined && granted(plan.records.permission)
  const isToday = state.asOf === today
  const columns = useReportColumns({
    plan,
    entity,
    group,
    tab,
    filters,
    narrow,
    opens: opens && isToday,
    acts: isToday && tab?.actions ? actions : undefined,
    frame,
  })
  const rows = useMemo(
    () =>
      (data?.list ?? []).map((row, index) => ({
        record: { id: index + 1, ...row } as unknown as RecordData,
        depth: 0,
      })),
    [data],
  )
  const totals =
    data &&
    tab &&
    Object.fromEntries(
      tab.columns
        .filter(({ total }) => total)
        .map(({ measure }) => {
          const { field } = plan.measures.find(({ name }) => name === measure)!
          return [measure, fieldText(data.totals[measure], field, engine)]
        }),
    )

  return (
    <div ref={root} className="list report" data-embedded data-narrow={narrow || undefined}>
      {frame.place === 'page' && <h1 className="visually-hidden">{engine.text(screen.title)}</h1>}
      <Filters
        plan={list}
        entity={entity}
        applied={state.list}
        narrow={narrow}
        onQuery={(part) => {
          const unread = problemOf(plan.filters, part.filters)
          setRefused(unread)
          if (unread) return
          const next = writeReportState({ ...state, list: { ...state.list, ...part, page: 1 } }, plan, list, today)
          if (JSON.stringify(next) === JSON.stringify(writeReportState(state, plan, list, today))) void refetch()
          else frame.setState(next)
        }}
      />
      {(refused ?? problem) && (
        <Alert type="warning" showIcon role="alert" message={engine.text((refused ?? problem)!)} />
      )}
      <div className="report-bar">
        <Choice label={engine.text(texts.group)}>
          {(id) => (
            <Select
              id={id}
              value={group.name}
              popupMatchSelectWidth={false}
              options={plan.groups.map(({ name, label }) => ({ value: name, label: engine.text(label) }))}
              onChange={(name: string) => change({ group: name, list: { ...state.list, page: 1 } })}
            />
          )}
        </Choice>
        {plan.asOf && (
          <AsOf
            plan={plan}
            value={state.asOf}
            onChange={(asOf) => change({ asOf, list: { ...state.list, page: 1 } })}
          />
        )}
        <span className="report-spring" />
        {exporting && <ActionButton actions={actions} action={exporting} records={[]} />}
      </div>
      {tabs.length > 1 && (
        <Tabs
          label={engine.text(screen.title)}
          panel={panel}
          open={tab?.name}
          onOpen={(name) => changeList({ tab: name, sort: undefined })}
          tabs={tabs.map(({ name, label }) => ({ name, label: engine.text(label) }))}
        />
      )}
      {!problem && (
        <ReportCharts
          plan={plan}
          charts={plan.charts.filter(
            (chart) => granted(chart.permission) && (chart.tab === undefined || chart.tab === tab?.name),
          )}
          query={common}
          frame={frame}
        />
      )}
      {!problem && tab && (
        <div
          id={panel}
          className="list-body"
          role={tabs.length > 1 ? 'tabpanel' : undefined}
          aria-label={tabs.length > 1 ? engine.text(tab.label) : undefined}
        >
          {error && data && <OutdatedAlert error={error} retry={() => void refetch()} />}
          {data ? (
            <Grid
              label={engine.text(screen.title)}
              columns={columns}
              rows={rows}
              rowHeight={rowHeights.standard}
              stale={isPlaceholderData || isFetching}
              sort={state.list.sort}
              onSort={(field) => changeList({ sort: nextSort(state.list.sort, field, list) })}
              onResize={() => undefined}
              onToggle={() => undefined}
              sums={totals}
              empty={
                <p>
                  <strong>{words(isFiltered(state.list) ? 'noMatches' : 'noRecords')}</strong>
                </p>
              }
            />
          ) : error ? (
            <ScreenFailure title={words('listFailed')} error={error} retry={() => void refetch()} />
          ) : (
            <ScreenSkeleton />
          )}
          {data && (
            <Pager
              page={state.list.page}
              size={state.list.size}
              total={data.total}
              onChange={(page, size) => changeList({ page, size })}
            />
          )}
        </div>
      )}
      {live.dialogs}
    </div>
  )
}

function Choice({ label, children }: { label: string; children(id: string): ReactNode }) {
  const id = useId()
  return (
    <span className="report-choice">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </span>
  )
}

/** The day that everything is read as of. */
function AsOf({ plan, value, onChange }: { plan: ReportPlan; value: string; onChange(day: string): void }) {
  const { text } = useEngine()
  const field = plan.asOf!
  const view = useViews([field.type])[field.type]
  const label = text(field.label)
  return (
    <Choice label={label}>
      {(id) =>
        view && (
          <view.Edit
            id={id}
            field={field}
            label={label}
            value={value}
            onChange={(day: Value) => onChange(String(day ?? ''))}
          />
        )
      }
    </Choice>
  )
}
