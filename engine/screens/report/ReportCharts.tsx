import { Button, Skeleton } from 'antd'
import { useMemo } from 'react'
import { chartDataOf } from '../../client/charts/chartData.ts'
import { LazyChart } from '../../client/charts/LazyChart.tsx'
import { errorText, useEngine, useWords } from '../../client/index.ts'
import type { ScreenFrame } from '../../client/index.ts'
import { useReport } from '../../client/records.ts'
import type { ReportQuery } from '../../client/records.ts'
import type { ReportChart, ReportPlan } from '../../model/model.ts'

interface ChartsProps {
  plan: ReportPlan
  charts: ReportChart[]
  query: ReportQuery
  frame: ScreenFrame
}

/** The charts of a report, drawn from the same records as its rows. */
export function ReportCharts({ charts, ...rest }: ChartsProps) {
  if (charts.length === 0) return null
  return (
    <div className="report-charts">
      {charts.map((chart) => (
        <OneChart key={chart.name} chart={chart} {...rest} />
      ))}
    </div>
  )
}

function OneChart({ plan, chart, query, frame }: Omit<ChartsProps, 'charts'> & { chart: ReportChart }) {
  const engine = useEngine()
  const words = useWords()
  const { data, error, refetch } = useReport(
    { ...query, group: chart.group ?? query.group, chart: chart.name },
    { enabled: frame.active, version: frame.version },
  )
  const by = plan.groups.find(({ name }) => name === (chart.group ?? query.group))!.by
  const drawn = useMemo(
    () =>
      data &&
      chartDataOf(
        { rows: data.list, totals: data.totals, rest: data.rest, by, measures: plan.measures, chart },
        engine,
      ),
    [data, by, plan, chart, engine],
  )
  const label = engine.text(chart.label)
  return (
    <section className="report-chart" aria-label={label}>
      <h2>{label}</h2>
      {error && !data && (
        <p role="alert">
          {errorText(error, engine.language)}{' '}
          <Button size="small" type="link" onClick={() => void refetch()}>
            {words('retry')}
          </Button>
        </p>
      )}
      {!drawn && !error && <Skeleton active paragraph={{ rows: 5 }} title={false} aria-label={words('loading')} />}
      {drawn && <LazyChart label={label} draw={chart.draw} data={drawn} frame={frame} />}
    </section>
  )
}
