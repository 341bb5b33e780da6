import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { addDays, addMonths, dependencies } from '../../expression/index.ts'
import { filterProblem } from '../../model/model.ts'
import type {
  DetailGroups,
  Entity,
  FilterValue,
  GroupedBlock,
  GroupedResult,
  GroupedRow,
  GroupKey,
  MeasurePlan,
  ReportPlan,
  ReportResult,
  ReportTab,
  ScreenPlan,
  Value,
} from '../../model/model.ts'
import { demand, isOpenTo } from '../identity/access.ts'
import { Refusal } from '../errors.ts'
import { declaredConditions } from '../records/reading/filters.ts'
import { changeOf, firstGroups, readGroups, sortGroups } from '../records/reading/grouped.ts'
import { answer } from '../http/envelope.ts'
import { inExportTurn } from '../exports/exportTurns.ts'
import { exportReport } from './reportExport.ts'
import { main } from '../records/reading/columnOf.ts'
import { allOf, visibleConditions } from '../records/reading/visibleConditions.ts'
import { listQuery, type Query } from '../http/listQuery.ts'
import type { Context } from '../runtime.ts'
import type { Condition } from '../identity/scope.ts'
import type { ReportRequest } from './reportRequest.ts'
import { readCompared } from './comparedRows.ts'

/** The most months in a chart. */
const mostMonths = 600

/**
 * `GET /plans/report?screen=&group=&tab=|chart=&filters=&asOf=&sort=&page=&size=` and, with a tab,
 * `/plans/report/export`: the figures of a report over the records in the user's data scope. Only the plan decides what
 * it reveals, so that a report may be read by users who may not see the single records.
 */
export function reportRoutes(api: FastifyInstance): void {
  api.get<{ Querystring: Query }>('/plans/report', async ({ context, query }) => {
    const request = reportRequestOf(context, query)
    return answer(query.chart === undefined ? await readTab(request, query) : await readChart(request, query.chart))
  })
  api.get<{ Querystring: Query }>('/plans/grouped', async ({ context, query }) =>
    answer(await readDetailGroups(context, query)),
  )
  api.get<{ Querystring: Query }>('/plans/report/export', async ({ context, query }, reply) => {
    const request = reportRequestOf(context, query)
    const permission = request.plan.export?.permission
    if (permission === undefined) throw new Refusal('unknownPath')
    demand(context.user, permission)
    const tab = tabOf(request, query.tab)
    return inExportTurn(context, reply, async () => {
      const { list, totals } = await rowsOf(request, tab, query.sort)
      return exportReport(request, tab, { list, totals }, reply)
    })
  })
}

/** `GET /plans/grouped?screen=&tab=&id=`. @throws Refusal unknownScreen, permission. */
async function readDetailGroups(context: Context, query: Query): Promise<ReportResult> {
  const { screens, entities } = context.derived.catalog
  const screen = Object.hasOwn(screens, query.screen ?? '')
    ? (screens[query.screen!] as ScreenPlan<{ tabs?: { name: string; grouped?: DetailGroups }[] }>)
    : undefined
  const grouped = screen?.body.tabs?.find(({ name }) => name === query.tab)?.grouped
  if (!screen || !grouped) throw new Refusal('unknownScreen')
  if (!isOpenTo(context.user, screen)) throw new Refusal('permission')
  demand(context.user, screen.permission)
  demand(context.user, grouped.permission)
  const id = Number(query.id)
  if (!Number.isSafeInteger(id) || id < 1) throw new Refusal('request', { parameters: { detail: 'id' } })
  const entity = entities[grouped.entity]
  const conditions = [
    ...visibleConditions(context, entity),
    ...declaredConditions(context, entity, main, { [grouped.by]: { equals: id } }),
  ]
  const { list, totals } = await readGroups(context, context.runtime.database.kysely, entity, {
    by: grouped.keys,
    measures: grouped.measures,
    conditions,
  })
  return { list, total: list.length, totals }
}

/** @throws Refusal if there is no such report, the user may not read it, or a required filter is missing. */
function reportRequestOf(given: Context, query: Query): ReportRequest {
  const { screens, entities } = given.derived.catalog
  const screen = Object.hasOwn(screens, query.screen ?? '')
    ? (screens[query.screen!] as ScreenPlan<Partial<ReportPlan>>)
    : undefined
  if (!screen?.body.groups || screen.entity === undefined) throw new Refusal('unknownScreen')
  if (!isOpenTo(given.user, screen)) throw new Refusal('permission')
  demand(given.user, screen.permission)
  const plan = screen.body as ReportPlan
  const entity = entities[screen.entity]
  const group = query.group ? plan.groups.find(({ name }) => name === query.group) : plan.groups[0]
  if (!group) throw new Refusal('request', { parameters: { detail: 'group' } })
  const { filters = {} } = listQuery({ filters: query.filters })
  checkFilters(plan, entity, filters)
  const context = asOf(given, plan.asOf && query.asOf)
  return { context, screen: screen as ScreenPlan<ReportPlan>, plan, entity, group, filters }
}

function checkFilters(plan: ReportPlan, entity: Entity, filters: Record<string, FilterValue>): void {
  const unknown = Object.keys(filters).find((name) => !plan.filters.some(({ field }) => field === name))
  if (unknown !== undefined) throw new Refusal('unknownField', { parameters: { entity: entity.label, field: unknown } })
  for (const filter of plan.filters) {
    const problem = filterProblem(filter, filters[filter.field])
    if (problem === 'required') throw new Refusal('filterRequired', { parameters: { field: filter.label } })
    if (problem === 'range')
      throw new Refusal('filterRange', { parameters: { field: filter.label, months: filter.months! } })
  }
}

/** The end of that day; the current business day lasts until now. */
function asOf(context: Context, day: string | undefined): Context {
  if (!day || day === context.now.slice(0, 10)) return context
  if (!/^\d{4}-\d\d-\d\d$/.test(day) || addDays(day, 0) !== day)
    throw new Refusal('request', { parameters: { detail: 'asOf' } })
  return { ...context, now: `${day} 23:59:59` }
}

function tabOf({ context, plan }: ReportRequest, name: string | undefined): ReportTab {
  const tab = name ? plan.tabs.find((each) => each.name === name) : plan.tabs[0]
  if (!tab) throw new Refusal('request', { parameters: { detail: 'tab' } })
  if (tab.permission !== undefined) demand(context.user, tab.permission)
  return tab
}

async function readTab(request: ReportRequest, query: Query): Promise<ReportResult> {
  const { page, size } = listQuery({ page: query.page, size: query.size })
  const { list, totals } = await rowsOf(request, tabOf(request, query.tab), query.sort)
  return { list: list.slice((page - 1) * size, page * size), total: list.length, totals }
}

/** All rows of a tab in order. Only its visible measures can be sorted by. */
async function rowsOf(request: ReportRequest, tab: ReportTab, sort: string | undefined) {
  const { plan, group } = request
  const columns = tab.columns.map(({ measure }) => measure)
  const chosen = sort || tab.sort
  if (chosen !== undefined && chosen !== tab.sort && !columns.includes(chosen.replace(/^-/, '')))
    throw new Refusal('request', { parameters: { detail: 'sort' } })
  const { list, totals } = await readCompared(request, group.by, needed(plan.measures, columns))
  const only = onlyThese(columns)
  return {
    list: sortGroups(list, chosen).map(({ by, values }) => ({ by, values: only(values) })),
    totals: only(totals),
  }
}

async function readChart(request: ReportRequest, name: string): Promise<ReportResult> {
  const { context, plan } = request
  const chart = plan.charts.find((each) => each.name === name)
  if (!chart) throw new Refusal('request', { parameters: { detail: 'chart' } })
  if (chart.permission !== undefined) demand(context.user, chart.permission)
  if (chart.tab !== undefined) tabOf(request, chart.tab)
  const { by } = chart.group === undefined ? request.group : plan.groups.find((group) => group.name === chart.group)!
  const names = [...chart.measures, ...(chart.sort === undefined ? [] : [chart.sort.replace(/^-/, '')])]
  const measures = needed(plan.measures, names)
  const { list, totals } = await readCompared(request, by, measures)
  const only = onlyThese(chart.measures)
  const rows = sortGroups(withMissingMonths(context, { list, by, measures }), chart.sort).map((row) => ({
    by: row.by,
    values: only(row.values),
  }))
  return { ...firstGroups(rows, chart.limit), total: list.length, totals: only(totals) }
}

const onlyThese =
  (names: readonly string[]) =>
  (values: GroupedRow['values']): GroupedRow['values'] =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? null]))

/** These measures, and the earlier ones that they are computed from. */
function needed(measures: readonly MeasurePlan[], names: readonly string[]): MeasurePlan[] {
  const wanted = new Set(names)
  for (const { name, value } of measures.toReversed()) {
    if (!wanted.has(name)) continue
    if (value.kind === 'formula') for (const used of dependencies(value.formula)) wanted.add(used.split('.')[0])
    if (value.kind === 'change') wanted.add(value.of)
  }
  return measures.filter(({ name }) => wanted.has(name))
}

/** Adds the months without records, counted as zero, to monthly rows. */
function withMissingMonths(
  { derived }: Context,
  {
    list,
    by,
    measures,
    ends,
  }: { list: GroupedRow[]; by: readonly GroupKey[]; measures: readonly MeasurePlan[]; ends?: [string, string] },
): GroupedRow[] {
  if (by.length !== 1 || by[0].unit !== 'month') return list
  const known = new Map(list.map((row) => [row.by[0], row]))
  const months = [...known.keys()].filter((month) => month !== null).map(String)
  const [first, last] = ends ?? [months[0], months.at(-1)]
  if (first === undefined || last === undefined) return list
  const nothing = Object.fromEntries(
    measures.map(({ name, value, field }) => [
      name,
      value.kind === 'count' || value.kind === 'sum'
        ? (derived.widget(field).normalize(0, field.options) as Value)
        : null,
    ]),
  )
  const filled: GroupedRow[] = []
  for (let month = first; month <= last && filled.length < mostMonths; month = addMonths(month, 1)!)
    filled.push(known.get(month) ?? { by: [month], values: nothing })
  return filled
}

/** The figures of a block of a board and, if compared, those of the same days of the previous month. */
export async function readGroupedBlock(context: Context, entity: Entity, block: GroupedBlock): Promise<GroupedResult> {
  const db = context.runtime.database.kysely
  const always = [...visibleConditions(context, entity), ...declaredConditions(context, entity, main, block.filter)]
  const month = context.now.slice(0, 7)
  const { period, measures } = block
  const within = (last: string, { months = period?.months, day }: { months?: number; day?: number }) =>
    period ? lyingIn(context, entity, { ...period, months: months! }, last, day) : []
  const read = (last: string, by = block.by, to: { months?: number; day?: number } = {}) =>
    readGroups(context, db, entity, { by, measures, conditions: [...always, ...within(last, to)] })
  if (period?.until !== undefined && isByMonth(block)) {
    // A record with a period counts in each of its months.
    const months = Array.from({ length: period.months }, (_, index) => addMonths(month, index + 1 - period.months)!)
    const each = await Promise.all(
      months.map(async (month) => ({ by: [month], values: (await read(month, [], { months: 1 })).totals })),
    )
    return { list: each, total: each.length, totals: each.at(-1)!.values }
  }
  const { list, totals } = await read(month)
  const ends: [string, string] | undefined =
    period && !period.upTo && period.until === undefined ? [addMonths(month, 1 - period.months)!, month] : undefined
  const rows = sortGroups(
    withMissingMonths(context, { list, by: block.by, measures, ...(ends && { ends }) }),
    block.sort,
  )
  const groups = { ...firstGroups(rows, block.limit), total: list.length, totals }
  if (!block.compared) return groups
  const { totals: before } = await read(addMonths(month, -1)!, [], { day: Number(context.now.slice(8, 10)) })
  return {
    ...groups,
    before,
    change: Object.fromEntries(measures.map(({ name }) => [name, changeOf(before[name], totals[name])])),
  }
}

const isByMonth = ({ by, period }: GroupedBlock): boolean =>
  by.length === 1 && by[0].unit === 'month' && by[0].field === period!.field

type Period = NonNullable<GroupedBlock['period']>

/**
 * The records in the period that ends with the month `last`; those with a period of their own if it overlaps. With a
 * day, only up to that day of `last`; for month values, which have no days, what existed by then.
 */
function lyingIn(context: Context, entity: Entity, period: Period, last: string, day?: number): Condition[] {
  const [first, end] = periodOf(period, last, day)
  if (day !== undefined && period.grain === 'month') {
    const there = sql<boolean>`${sql.ref(`${main}.createdAt`)} < ${addDays(lastDayOf(last, day), 1)!}::timestamp`
    return [...lyingIn(context, entity, period, last), there]
  }
  const { field, until } = period
  if (until === undefined) return declaredConditions(context, entity, main, { [field]: { between: [first, end] } })
  const goesOn = [{ [until]: { empty: true } }, { [until]: { between: [first, null] } }].map((filter) =>
    allOf(declaredConditions(context, entity, main, filter)),
  )
  return [
    ...declaredConditions(context, entity, main, { [field]: { between: [null, end] } }),
    sql`(${sql.join(goesOn, sql` or `)})`,
  ]
}

/** The first and the last value of the months that end with `last`. */
function periodOf({ grain, months, upTo }: Period, last: string, day?: number): [string | null, string] {
  const first = upTo ? null : addMonths(last, 1 - months)!
  if (grain === 'month') return [first, last]
  return [first && `${first}-01`, lastDayOf(last, day)]
}

/** That day of a month, or its last day if the month is shorter. */
function lastDayOf(month: string, day = 31): string {
  const days = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()
  return `${month}-${String(Math.min(day, days)).padStart(2, '0')}`
}
