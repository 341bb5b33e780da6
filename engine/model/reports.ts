import type { ActionPlan } from './action.ts'
import type { Field } from './field.ts'
import type { Value } from './values.ts'
import type { FilterValue, Operator } from './widget.ts'
import type { Label } from './shape.ts'

/**
 * A figure over many records. `field` is not a field of the entity: it says how the figure is shown and exported to a
 * sheet.
 */
export interface MeasurePlan {
  name: string
  field: Field
  value:
    | { kind: 'count' }
    | { kind: 'sum' | 'avg' | 'min' | 'max'; of: string }
    /** Over the measures before it. */
    | { kind: 'formula'; formula: string }
    /** The change of the measure `of` from the previous month, in percent, in rows grouped by month. */
    | { kind: 'change'; of: string }
  /** Only these records count. */
  where: Record<string, FilterValue>
}

/** The precision of calendar values: `yyyy-MM`, `yyyy-MM-dd`, `yyyy-MM-dd HH:mm:ss`. */
export type Grain = 'month' | 'day' | 'moment'
/**
 * What records are grouped by: the value of a field, or the month of a date with that grain. `shown` says how such a
 * value is shown.
 */
export interface GroupKey {
  field: string
  unit?: 'month'
  /** Groups a list by each of its values. */
  each?: boolean
  grain?: Grain
  shown: Field
}
export interface GroupPlan {
  name: string
  label: Label
  by: GroupKey[]
}

export type ChartDrawing = 'bars' | 'stacked' | 'line' | 'ring' | 'top'
/**
 * How rows are charted. `lines` are the measures drawn as lines over the bars; `open` is filled from the `{id}` of the
 * row's group.
 */
export interface ChartPlan {
  draw: ChartDrawing
  measures: string[]
  lines: string[]
  limit?: number
  /** A measure, with a leading - if descending; otherwise rows are in the order of their groups. */
  sort?: string
  open?: string
}

export interface ReportFilter {
  field: string
  label: Label
  operator: Operator
  default?: string
  defaultFrom?: string[]
  required: boolean
  months?: number
}
export interface ReportColumn {
  measure: string
  label: Label
  width: number
  total: boolean
  sort: boolean
}
export interface ReportTab {
  name: string
  label: Label
  permission?: string
  columns: ReportColumn[]
  sort?: string
  actions?: ReportAction[]
}
/** An action on all records behind `measure` in a row, offered if rows are grouped like one of `groups`. */
export interface ReportAction {
  measure: string
  groups?: string[]
  plan: ActionPlan
}
export interface ReportChart extends ChartPlan {
  name: string
  label: Label
  permission?: string
  tab?: string
  group?: string
}

/**
 * A report over an entity's records. Read by `GET /plans/report`, exported to a sheet by `GET /plans/report/export`.
 */
export interface ReportPlan {
  filters: ReportFilter[]
  where: Record<string, FilterValue>
  /** The day that `today()` means throughout the report; shown as this field. */
  asOf?: Field
  groups: GroupPlan[]
  measures: MeasurePlan[]
  tabs: ReportTab[]
  charts: ReportChart[]
  /** The list that a figure opens, its available filters, and its initial ones. */
  records?: { to: string; permission: string; filters: Record<string, Operator>; started: string[] }
  export?: { permission: string }
}

/**
 * What a tab of a detail reports about the records whose reference `by` is the one shown. Read by `GET /plans/grouped`.
 */
export interface DetailGroups {
  entity: string
  permission: string
  by: string
  keys: GroupKey[]
  measures: MeasurePlan[]
}

/** One row: the values it was grouped by, in order, and measure → figure. */
export interface GroupedRow {
  by: Value[]
  values: Record<string, Value>
}
/** `totals` are over all records, `total` counts the rows of all pages. */
export interface ReportResult {
  list: GroupedRow[]
  total: number
  totals: Record<string, Value>
  /** Of a chart: the sums of the groups beyond those listed, in which a record of several groups counts in each. */
  rest?: Record<string, Value>
}

/** Figures of an entity's records on a board; its plan holds them under `blocks`, read as other blocks are. */
export interface GroupedBlock {
  name: string
  entity: string
  permission: string
  filter: Record<string, FilterValue>
  by: GroupKey[]
  measures: MeasurePlan[]
  sort?: string
  limit?: number
  /**
   * Only records of the last `months` months by this field. With `upTo`, all earlier ones too; with `until`, all whose
   * period overlaps them.
   */
  period?: { field: string; until?: string; grain: Grain; months: number; upTo: boolean }
  /** Also the previous month's figure, and the change in percent. */
  compared: boolean
}
export interface GroupedResult extends ReportResult {
  before?: Record<string, Value>
  change?: Record<string, string | null>
}

/** What a required filter still lacks: a value, an end of its range, or a short enough range. */
export function filterProblem(
  { operator, required, months }: ReportFilter,
  value: FilterValue | undefined,
): 'required' | 'range' | undefined {
  const operand = value?.[operator]
  const ends = operator === 'between' && Array.isArray(operand) ? operand : undefined
  if (required && (operand === undefined || operand === null || ends?.some((end) => end === null || end === '')))
    return 'required'
  if (months === undefined || ends === undefined) return undefined
  const [from, to] = ends.map((end) => monthNumber(end))
  return from !== undefined && to !== undefined && to - from >= months ? 'range' : undefined
}

/** The number of months since year 0. */
function monthNumber(value: Value): number | undefined {
  const [, year, month] = /^(\d{4})-(\d\d)/.exec(String(value)) ?? []
  return year === undefined ? undefined : Number(year) * 12 + Number(month)
}
