import type { ChartPlan, GroupedRow, GroupKey, MeasurePlan, Value } from '../../model/model.ts'
import { fieldText } from '../fieldText.ts'
import { fill } from '../fill.ts'
import type { EngineContext } from '../view.ts'

/**
 * One series of a chart. `values` are only for drawing; `texts` state them exactly; a series with another `unit` has
 * its own axis.
 */
export interface ChartSeries {
  name: string
  label: string
  unit: string
  line: boolean
  values: (number | null)[]
  texts: string[]
}
export interface ChartData {
  categories: { label: string; to?: string }[]
  series: ChartSeries[]
}

/** `rows` may be only the first of all groups; `rest` are then the sums of the others. */
export interface ChartSource {
  rows: readonly GroupedRow[]
  totals: GroupedRow['values']
  rest: GroupedRow['values'] | undefined
  by: readonly GroupKey[]
  measures: readonly MeasurePlan[]
  chart: ChartPlan
}

const nothing = { cn: '（空）', en: '(none)' }
const others = { cn: '其他', en: 'Others' }

/**
 * Rows as a chart draws them. Rows that are not grouped use their measures as categories; a ring shows the whole; a top
 * list omits zeros.
 */
export function chartDataOf(source: ChartSource, engine: EngineContext): ChartData {
  const { totals, by, measures, chart } = source
  const shownMeasures = chart.measures.flatMap((name) => measures.find((measure) => measure.name === name) ?? [])
  if (by.length === 0) {
    const series = {
      name: '',
      label: '',
      unit: '',
      line: false,
      values: shownMeasures.map(({ name }) => numberOf(totals[name])),
      texts: shownMeasures.map(({ name, field }) => fieldText(totals[name], field, engine)),
    }
    return { categories: shownMeasures.map(({ field }) => ({ label: engine.text(field.label) })), series: [series] }
  }
  const [first] = chart.measures
  const rows = chart.draw === 'top' ? source.rows.filter(({ values }) => numberOf(values[first]) !== 0) : source.rows
  const left = chart.draw === 'ring' && source.rest ? [source.rest] : []
  const all = [...rows.map(({ values }) => values), ...left]
  return {
    categories: [
      ...rows.map((row) => ({ label: groupText(row.by, by, engine), ...linkOf(chart.open, row.by[0]) })),
      ...left.map(() => ({ label: engine.text(others) })),
    ],
    series: shownMeasures.map(({ name, field }) => ({
      name,
      label: engine.text(field.label),
      unit: field.type,
      line: chart.draw === 'line' || chart.lines.includes(name),
      values: all.map((values) => numberOf(values[name])),
      texts: all.map((values) => fieldText(values[name], field, engine)),
    })),
  }
}

/** The group of a row, in words. */
export const groupText = (values: readonly Value[], by: readonly GroupKey[], engine: EngineContext): string =>
  by.map(({ shown }, index) => fieldText(values[index], shown, engine) || engine.text(nothing)).join(' · ')

/** Only for the height of a bar: sums stay exact texts. */
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
