import type { ActionPlan } from './action.ts'
import type { Field } from './entity.ts'
import type { Value } from './values.ts'
import type { FilterValue, Operator } from './widget.ts'
import type { Label } from './shape.ts'

/**
 * A number told of many records at once. `field` is no field of the entity: it says how the number is shown and what a
 * sheet makes of it.
 */
export interface MeasurePlan {
  name: string
  field: Field
  value:
    | { kind: 'count' }
    | { kind: 'sum' | 'avg' | 'min' | 'max'; of: string }
    /** Over the measures before it. */
    | { kind: 'formula'; formula: string }
    /** By how many percent the measure `of` has changed against the month before, in rows that are of a month. */
    | { kind: 'change'; of: string }
  /** Only these records count. */
  where: Record<string, FilterValue>
}

/** How fine the values of a calendar are: `yyyy-MM`, `yyyy-MM-dd`, `yyyy-MM-dd HH:mm:ss`. */
export type Grain = 'month' | 'day' | 'moment'
/**
 * What records are put together by: the value of a field, or the month that a date of that grain lies in. `shown` says
 * how such a value is shown.
 */
export interface GroupKey {
  field: string
  unit?: 'month'
  /** Of a list of values, each by itself. */
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
 * What is drawn of rows. `lines` are those of its measures that are drawn as lines over the bars; `open` is filled from
 * `{id}` of what a row is about.
 */
export interface ChartPlan {
  draw: ChartDrawing
  measures: string[]
  lines: string[]
  limit?: number
  /** A measure, with a leading - descending; else the rows stand in the order of what they are put together by. */
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
/** What is done to all records that `measure` tells of in a row, where rows are put together like one of `groups`. */
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
 * What a report tells of an entity's records. Read by `GET /plans/report`, written into a sheet by `GET
 * /plans/report/export`.
 */
export interface ReportPlan {
  filters: ReportFilter[]
  where: Record<string, FilterValue>
  /** A day that `today()` means in everything that the report reads; shown as this field. */
  asOf?: Field
  groups: GroupPlan[]
  measures: MeasurePlan[]
  tabs: ReportTab[]
  charts: ReportChart[]
  /**
   * The list that a number opens, the fields that it can be narrowed by, and those that it is narrowed by from the
   * start.
   */
  records?: { to: string; permission: string; filters: Record<string, Operator>; started: string[] }
  export?: { permission: string }
}

/**
 * What a tab of a detail tells of the records whose reference `by` is the one that is shown. Read by `GET
 * /plans/grouped`.
 */
export interface DetailGroups {
  entity: string
  permission: string
  by: string
  keys: GroupKey[]
  measures: MeasurePlan[]
}

/** One row: the values it was put together by, in their order, and measure → its number. */
export interface GroupedRow {
  by: Value[]
  values: Record<string, Value>
}
/** `totals` are over all records, `total` counts the rows of all pages. */
export interface ReportResult {
  list: GroupedRow[]
  total: number
  totals: Record<string, Value>
}

/** Numbers that a board shows of an entity's records; its plan holds them under `blocks`, read as other blocks are. */
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
   * Only records of the last so many months by this field; `upTo`: and all before them; `until`: all that go on from
   * the one to the other in some of them.
   */
  period?: { field: string; until?: string; grain: Grain; months: number; upTo: boolean }
  /** The same of the month before, and by how many percent it has changed. */
  compared: boolean
}
export interface GroupedResult extends ReportResult {
  before?: Record<string, Value>
  change?: Record<string, string | null>
}

/**
 * What is missing in a filter before anything is read: a value, an end of its range, or a range that is short enough.
 */
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

/** Months since the year 0 of a month or a day. */
function monthNumber(value: Value): number | undefined {
  const [, year, month] = /^(\d{4})-(\d\d)/.exec(String(value)) ?? []
  return year === undefined ? undefined : Number(year) * 12 + Number(month)
}
