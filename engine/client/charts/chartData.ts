import type { ChartPlan, GroupedRow, GroupKey, MeasurePlan, Value } from '../../schema/model.ts'
import { fieldText } from '../fieldText.ts'
import { fill } from '../fill.ts'
import type { EngineContext } from '../view.ts'

/** One thing that is told of each category. `values` are for drawing alone; `texts` say them exactly. */
export interface ChartSeries { name: string; label: string; line: boolean; values: (number | null)[]; texts: string[] }
export interface ChartData { categories: { label: string; to?: string }[]; series: ChartSeries[] }

export interface ChartSource { rows: readonly GroupedRow[]; totals: GroupedRow['values']; by: readonly GroupKey[]; measures: readonly MeasurePlan[]; chart: ChartPlan }

const nothing = { cn: '（空）', en: '(none)' }

/** Rows as a chart draws them. What is put together by nothing has its measures for categories. */
export function chartDataOf({ rows, totals, by, measures, chart }: ChartSource, engine: EngineContext): ChartData {
  const told = chart.measures.flatMap((name) => measures.find((measure) => measure.name === name) ?? [])
  if (by.length === 0) {
    const series = { name: '', label: '', line: false, values: told.map(({ name }) => numberOf(totals[name])), texts: told.map(({ name, field }) => fieldText(totals[name], field, engine)) }
    return { categories: told.map(({ field }) => ({ label: engine.text(field.label) })), series: [series] }
  }
  return {
    categories: rows.map((row) => ({ label: groupText(row.by, by, engine), ...linkOf(chart.open, row.by[0]) })),
    series: told.map(({ name, field }) => ({
      name, label: engine.text(field.label), line: chart.draw === 'line' || chart.lines.includes(name),
      values: rows.map(({ values }) => numberOf(values[name])), texts: rows.map(({ values }) => fieldText(values[name], field, engine)),
    })),
  }
}

/** What a row was put together by, in words. */
export const groupText = (values: readonly Value[], by: readonly GroupKey[], engine: EngineContext): string =>
  by.map(({ shown }, index) => fieldText(values[index], shown, engine) || engine.text(nothing)).join(' · ')

/** For the height of a bar alone: sums stay exact texts. */
function numberOf(value: Value | undefined): number | null {
  const number = value === null || value === undefined ? NaN : Number(value)
  return Number.isFinite(number) ? number : null
}

function linkOf(open: string | undefined, about: Value): { to?: string } {
  if (open === undefined || about === null) return {}
  const id = typeof about === 'object' && !Array.isArray(about) ? about.id : about
  const to = fill(open, { id: id as number }, encodeURIComponent)
  return to === undefined ? {} : { to }
}
