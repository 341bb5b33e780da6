import { sql, type RawBuilder } from 'kysely'
import { compileFormula, Decimal, decimalOf, type VariableTypes } from '../../../expression/index.ts'
import type { Entity, GroupedRow, GroupKey, MeasurePlan, RecordData, Value } from '../../../model/model.ts'
import { Refusal } from '../../errors.ts'
import { declaredConditions } from './filters.ts'
import { ComputedFields } from './ComputedFields.ts'
import { main } from './columnOf.ts'
import { present } from './read.ts'
import { allOf } from './visibleConditions.ts'
import { readableTable } from './readableTable.ts'
import type { Context, Db } from '../../runtime.ts'
import type { Condition } from '../../identity/scope.ts'

/** More rows than anybody reads. */
export const mostGroups = 20_000

interface Grouping {
  by: readonly GroupKey[]
  measures: readonly MeasurePlan[]
  conditions: readonly Condition[]
}
export interface Grouped {
  list: GroupedRow[]
  totals: Record<string, Value>
}

/**
 * Records grouped by these values, with the measures of each group: one query. The conditions, including the user's
 * data scope, decide which records count. Rows are in the order of their values.
 */
export async function readGroups(
  context: Context,
  db: Db,
  entity: Entity,
  { by, measures, conditions }: Grouping,
): Promise<Grouped> {
  const counted = measures.filter(({ value }) => value.kind !== 'formula' && value.kind !== 'change')
  const keys = by.map((_, index) => sql.ref(`group ${index}`))
  const used = [
    ...by.map(({ field }) => field),
    ...counted.flatMap(({ value, where }) => ['of' in value ? value.of : [], Object.keys(where)].flat()),
  ]
  const { table, inside } = withWorkedOut(context, entity, [...new Set(used)], conditions)
  // To the database, an expression with parameters is never the same twice, so it gets a name first.
  const inner = [
    ...by.map((key, index) => sql`${keyOf(inside, entity, key)} as ${keys[index]}`),
    ...counted.flatMap(({ name, value, where }) => [
      ...('of' in value ? [sql`${sql.ref(`${main}.${value.of}`)} as ${sql.ref(`of ${name}`)}`] : []),
      ...(Object.keys(where).length === 0
        ? []
        : [sql`${allOf(declaredConditions(inside, entity, main, where))} as ${sql.ref(`counts ${name}`)}`]),
    ]),
  ]
  const whole = keys.length === 0 ? sql`true` : sql`grouping(${keys[0]}) = 1`
  const outer = [
    sql`${whole} as whole`,
    ...keys,
    ...counted.map((measure) => sql`${numberOf(context, measure)} as ${sql.ref(`measure ${measure.name}`)}`),
  ]
  const { rows } = await sql<
    Record<string, Value>
  >`select ${sql.join(outer)} from (select ${sql.join([sql`1 as one`, ...inner])} from ${table}) as records
    ${keys.length === 0 ? sql`` : sql`group by grouping sets ((${sql.join(keys)}), ())`} limit ${mostGroups + 2}`.execute(
    db,
  )
  if (rows.length > mostGroups + 1) throw new Refusal('reportTooLarge', { parameters: { limit: mostGroups } })

  const shown = worked(context, measures)
  const total = rows.find((row) => row.whole === true)
  const groups = by.length === 0 ? [] : rows.filter((row) => row.whole === false)
  const values = await presented(context, db, entity, by, groups)
  const list = groups.map((row, index) => ({ by: values[index], values: shown(row) }))
  // A record in several groups counts once in the total.
  const totals = by.some(({ each }) => each)
    ? (await readGroups(context, db, entity, { by: [], measures, conditions })).totals
    : shown(total ?? {})
  return { list: list.sort(inOrder(context, entity, by)), totals }
}

/**
 * The records that count, with each field that has no column computed once, however many measures use it; `inside` sees
 * them as columns. (Without the offset the database would inline the expressions.)
 */
function withWorkedOut(
  context: Context,
  entity: Entity,
  fields: readonly string[],
  conditions: readonly Condition[],
): { table: RawBuilder<unknown>; inside: Context } {
  const { derived } = context
  const names = fields.filter((name) => derived.columns[entity.name][name] === undefined)
  const computed = new ComputedFields(context, entity, { alias: main, scoped: true, conditions: declaredConditions })
  const columns = names.map((name) => sql`${computed.read(name)} as ${sql.ref(name)}`)
  const table = sql`(select ${sql.join([sql`${sql.ref(main)}.*`, ...columns])}
    from ${readableTable(context, entity)} as ${sql.ref(main)} ${computed.joins} where ${allOf(conditions)} offset 0) as ${sql.ref(main)}`
  const types = Object.fromEntries(
    names.map((name) => [name, derived.widget(entity.fields[name]).column(entity.fields[name].options)!]),
  )
  return {
    table,
    inside: {
      ...context,
      derived: {
        ...derived,
        columns: { ...derived.columns, [entity.name]: { ...derived.columns[entity.name], ...types } },
      },
    },
  }
}

/** The order of several values in one record does not matter: the same values are the same group. */
function keyOf(context: Context, entity: Entity, { field, unit, each }: GroupKey): RawBuilder<unknown> {
  const expression = sql.ref(`${main}.${field}`)
  if (unit === 'month') return sql`left((${expression})::text, 7)`
  const type = context.derived.widget(entity.fields[field]).column(entity.fields[field].options)
  if (each && type?.endsWith('[]')) return sql`array[unnest(${expression})]`
  return type?.endsWith('[]')
    ? sql`(select array_agg(item order by item) from unnest(${expression}) as item)`
    : expression
}

function numberOf(context: Context, { name, field, value, where }: MeasurePlan): RawBuilder<unknown> {
  const only = Object.keys(where).length === 0 ? sql`` : sql` filter (where ${sql.ref(`counts ${name}`)})`
  const operand = sql.ref(`of ${name}`)
  switch (value.kind) {
    case 'sum':
      return sql`coalesce(sum(${operand})${only}, 0)::text`
    case 'avg':
      return sql`round((avg(${operand})${only})::numeric, ${scaleOf(context.derived.widget(field).column(field.options))}::integer)::text`
    case 'min':
      return sql`(min(${operand})${only})::text`
    case 'max':
      return sql`(max(${operand})${only})::text`
    default:
      return sql`(count(*)${only})::text`
  }
}

/** `numeric(16,2)` has two decimal places. */
const scaleOf = (type: string | null): number => Number(/^numeric\(\d+,\s*(\d+)\)/.exec(type ?? '')?.[1] ?? 0)

/** The database's results in wire form, with the formulas computed in order. */
function worked(
  context: Context,
  measures: readonly MeasurePlan[],
): (row: Record<string, Value>) => Record<string, Value> {
  const types: VariableTypes = Object.fromEntries(
    measures.map(({ name, field }) => [name, context.derived.widget(field).expression]),
  )
  const formulas = new Map(
    measures.flatMap(({ name, value }) =>
      value.kind === 'formula' ? [[name, compileFormula(value.formula, types)] as const] : [],
    ),
  )
  return (row) => {
    const record: RecordData = {}
    for (const { name, field } of measures) {
      const formula = formulas.get(name)
      const value = formula
        ? formula({ record, user: context.user, settings: context.settings, now: context.now })
        : (row[`measure ${name}`] ?? null)
      record[name] = context.derived.widget(field).normalize(value, field.options) as Value
    }
    return record as Record<string, Value>
  }
}

/** The values of groups in wire form for this user: references are `{ id, code, name }`. */
async function presented(
  context: Context,
  db: Db,
  entity: Entity,
  by: readonly GroupKey[],
  rows: Record<string, Value>[],
): Promise<Value[][]> {
  const records = await present(
    context,
    db,
    entity,
    rows.map((row) =>
      Object.fromEntries(
        by.flatMap(({ field, unit }, index) => (unit === undefined ? [[field, row[`group ${index}`] ?? null]] : [])),
      ),
    ),
  )
  return records.map((record, at) =>
    by.map(({ field, unit }, index) => (unit === undefined ? record[field] : rows[at][`group ${index}`]) ?? null),
  )
}

/** References by name, choices in dictionary order, anything else by value; missing values come last. */
function inOrder(context: Context, entity: Entity, by: readonly GroupKey[]): (a: GroupedRow, b: GroupedRow) => number {
  const places = by.map(({ field, unit }) =>
    unit === undefined ? placeOf(context, entity, field) : (value: Value) => value as string,
  )
  return (a, b) => {
    for (const [index, place] of places.entries()) {
      const order = compare(place(a.by[index]), place(b.by[index]))
      if (order !== 0) return order
    }
    return 0
  }
}

type Place = string | number | null

function placeOf({ derived }: Context, entity: Entity, name: string): (value: Value) => Place {
  const field = entity.fields[name]
  const dictionary = derived.widget(field).dictionary?.(field.options)
  const choices =
    dictionary === undefined ? undefined : derived.catalog.dictionaries[dictionary].choices.map(({ value }) => value)
  const placeAt = (value: Value): Place => {
    if (value === null) return null
    if (choices) return choices.indexOf(String(value))
    if (typeof value === 'object') return String((value as { name?: Value }).name ?? '')
    return typeof value === 'number' ? value : typeof value === 'boolean' ? Number(value) : value
  }
  return (value) => (Array.isArray(value) ? value.map(placeAt).join('\n') || null : placeAt(value))
}

const texts = new Intl.Collator('zh-Hans-CN', { numeric: true })

function compare(a: Place, b: Place): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  return typeof a === 'number' && typeof b === 'number' ? a - b : texts.compare(String(a), String(b))
}

/** By a measure, with a leading - if descending; missing figures come last either way. Equal rows keep their order. */
export function sortGroups(list: readonly GroupedRow[], sort: string | undefined): GroupedRow[] {
  if (sort === undefined) return [...list]
  const name = sort.replace(/^-/, '')
  const sign = sort.startsWith('-') ? -1 : 1
  return list.toSorted((a, b) => {
    const [left, right] = [a, b].map(({ values }) => values[name] ?? null)
    const numbers = [decimalOf(left), decimalOf(right)]
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1
    return sign * (numbers[0] && numbers[1] ? numbers[0].comparedTo(numbers[1]) : compare(String(left), String(right)))
  })
}

/** The groups that a chart draws, and the sums of those beyond its limit. */
export function firstGroups(list: readonly GroupedRow[], limit: number | undefined) {
  if (limit === undefined || list.length <= limit) return { list: [...list] }
  const rest: GroupedRow['values'] = {}
  for (const { values } of list.slice(limit)) {
    for (const [name, value] of Object.entries(values)) {
      const sum = decimalOf(value)?.plus(decimalOf(rest[name]) ?? 0)
      if (sum) rest[name] = typeof value === 'number' ? sum.toNumber() : sum.toFixed()
    }
  }
  return { list: list.slice(0, limit), rest }
}

/**
 * The change of a figure in percent, to two places; null if there was none before, or if either is below zero,
 * of which a percentage says nothing.
 */
export function changeOf(before: Value, now: Value): string | null {
  const [from, to] = [decimalOf(before), decimalOf(now)]
  if (!from || !to || from.lessThanOrEqualTo(0) || to.isNegative()) return null
  return to.minus(from).dividedBy(from.abs()).times(100).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed()
}
