import { addDays, addMonths } from '../../expression/index.ts'
import type { FilterValue, GroupedRow, GroupKey, MeasurePlan, Value } from '../../model/model.ts'
import { clientConditions, declaredConditions } from '../records/reading/filters.ts'
import { changeOf, type Grouped, readGroups } from '../records/reading/grouped.ts'
import { main } from '../records/reading/columnOf.ts'
import { visibleConditions } from '../records/reading/visibleConditions.ts'
import type { ReportRequest } from './reportRequest.ts'

/**
 * The rows of a report. If a measure compares monthly rows with the previous month, the previous months are read too,
 * completely, even beyond the reader's filter.
 */
export async function readCompared(
  request: ReportRequest,
  by: readonly GroupKey[],
  measures: readonly MeasurePlan[],
): Promise<Grouped> {
  const found = await read(request, by, measures, request.filters)
  const changes = measures.flatMap(({ name, field, value }) =>
    value.kind === 'change' ? [{ name, field, of: value.of }] : [],
  )
  const place = by.findIndex(({ unit }) => unit === 'month')
  const months = found.list.flatMap((row) => (place < 0 ? [] : (row.by[place] ?? []))) as string[]
  if (changes.length === 0 || months.length === 0) return found
  const sorted = months.toSorted()
  const span = [sorted[0], sorted.at(-1)!].map((month) => addMonths(month, -1)!) as [string, string]
  const filters = { ...request.filters, [by[place].field]: { between: reachOf(span, by[place]) } }
  const before = await read(request, by, measures, filters)
  const known = new Map(before.list.map((row) => [JSON.stringify(row.by), row.values]))
  const formerOf = (row: GroupedRow) =>
    known.get(JSON.stringify(row.by.map((key, at) => (at === place && key ? addMonths(String(key), -1) : key))))
  const list = found.list.map((row) => {
    const former = formerOf(row)
    const changed = changes.map(({ name, field, of: measure }): [string, Value] => {
      const change = changeOf(former?.[measure] ?? null, row.values[measure])
      return [name, request.context.derived.widget(field).normalize(change, field.options) as Value]
    })
    return { ...row, values: { ...row.values, ...Object.fromEntries(changed) } }
  })
  return { ...found, list }
}

/** Covers what the user may see. */
function read(
  { context, plan, entity }: ReportRequest,
  by: readonly GroupKey[],
  measures: readonly MeasurePlan[],
  filters: Record<string, FilterValue>,
): Promise<Grouped> {
  const conditions = [
    ...visibleConditions(context, entity),
    ...declaredConditions(context, entity, main, plan.where),
    ...clientConditions(context, entity, main, filters),
  ]
  return readGroups(context, context.runtime.database.kysely, entity, { by, measures, conditions })
}

/** From the first to the last value of these months. */
function reachOf([first, last]: [string, string], { grain }: GroupKey): [string, string] {
  if (grain === 'month') return [first, last]
  const days: [string, string] = [`${first}-01`, addDays(addMonths(`${last}-01`, 1)!, -1)!]
  return grain === 'day' ? days : [`${days[0]} 00:00:00`, `${days[1]} 23:59:59`]
}
