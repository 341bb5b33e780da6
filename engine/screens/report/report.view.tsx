import { Alert } from 'antd'
import { useId, useRef } from 'react'
import { useEngine } from '../../client/index.ts'
import type { ScreenViewProps } from '../../client/index.ts'
import type { ReportPlan } from '../../model/model.ts'
import { Filters } from '../list/Filters.tsx'
import { Tabs } from '../list/Tabs.tsx'
import { useNarrow } from '../list/useNarrow.ts'
import { ReportBar } from './ReportBar.tsx'
import { ReportCharts } from './ReportCharts.tsx'
import { ReportTable } from './ReportTable.tsx'
import { useReportModel } from './useReportModel.ts'
import '../list/list.css'
import './report.css'

/**
 * A report over an entity's records, grouped as the reader chooses: charts, and a table whose figures open the records.
 */
export function ReportView(props: ScreenViewProps<ReportPlan>) {
  const { plan: screen, frame } = props
  const { text } = useEngine()
  const model = useReportModel(props)
  const panel = useId()
  const root = useRef<HTMLDivElement>(null)
  const narrow = useNarrow(root)
  const { plan, tabs, tab, state, granted, problem, refused } = model
  const title = text(screen.title)
  const charts = plan.charts.filter(
    (chart) => granted(chart.permission) && (chart.tab === undefined || chart.tab === tab?.name),
  )
  const isTabbed = tabs.length > 1

  return (
    <div ref={root} className="list report" data-embedded data-narrow={narrow || undefined}>
      {frame.place === 'page' && <h1 className="visually-hidden">{title}</h1>}
      <Filters plan={model.list} entity={model.entity} applied={state.list} narrow={narrow} onQuery={model.query} />
      {refused && <Alert type="warning" showIcon role="alert" message={text(refused)} />}
      <ReportBar model={model} />
      {isTabbed && (
        <Tabs
          label={title}
          panel={panel}
          open={tab?.name}
          onOpen={(name) => model.changeList({ tab: name, sort: undefined })}
          tabs={tabs.map(({ name, label }) => ({ name, label: text(label) }))}
        />
      )}
      {!problem && <ReportCharts plan={plan} charts={charts} query={model.common} frame={frame} />}
      {!problem && tab && (
        <div
          id={panel}
          className="list-body"
          role={isTabbed ? 'tabpanel' : undefined}
          aria-label={isTabbed ? text(tab.label) : undefined}
        >
          <ReportTable model={model} tab={tab} label={title} narrow={narrow} frame={frame} />
        </div>
      )}
      {model.dialogs}
    </div>
  )
}
