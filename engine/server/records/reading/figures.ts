import { sql, type RawBuilder } from 'kysely'
import type { Entity, ListQuery, ListResult, MeasurePlan } from '../../../model/model.ts'
import { Refusal } from '../../errors.ts'
import { clientConditions, declaredConditions, queriedField } from './filters.ts'
import { ComputedFields } from './ComputedFields.ts'
import { readGroups } from './grouped.ts'
import { columnOf, main } from './columnOf.ts'
import { allOf } from './visibleConditions.ts'
import { readableTable } from './readableTable.ts'
import type { Context, Db } from '../../runtime.ts'
import type { Condition } from '../../identity/scope.ts'
import { together } from '../../postgres/together.ts'

type Figures = Pick<ListResult, 'total' | 'sums' | 'counts' | 'summary' | 'more'>

export interface FigureQuery {
  /** The conditions of the query without its tab: the base of the tabs' counts. */
  matching: readonly Condition[]
  tab: readonly Condition[]
  query: ListQuery
  measures: MeasurePlan[] | undefined
}

/** The figures of all matching records: one scan, and one for the summary. */
export async function readFigures(
  context: Context,
  db: Db,
  entity: Entity,
  figureQuery: FigureQuery,
): Promise<Figures> {
  const { columns, joins } = columnsOf(context, entity, figureQuery)
  const scan = sql`select ${columns} from (${recordsOf(context, entity, figureQuery, every)}) as ${sql.ref(main)} ${joins}`
  const [figures, summary] = await together(
    db,
    () => readScan(db, figureQuery.query, scan),
    () => readSummary(context, db, entity, figureQuery),
  )
  return { ...figures, ...summary }
}

/**
 * The same if at most so many records match. If there are more, only the total is counted, up to the limit; the rest
 * must be requested separately.
 */
export async function readFiguresUpTo(
  context: Context,
  db: Db,
  entity: Entity,
  most: number,
  figureQuery: FigureQuery,
): Promise<Figures> {
  const scan = scanUpTo(context, entity, most, figureQuery)
  const { scanned, ...figures } = await readScan(db, figureQuery.query, scan)
  if (scanned! <= most) return { ...figures, ...(await readSummary(context, db, entity, figureQuery)) }
  // Without other tabs to count, every scanned record is in the open tab.
  if (!figureQuery.query.counts?.length) return { total: most, more: true }
  const {
    rows: [{ total }],
  } = await sql<{ total: number }>`select count(*)::integer as total from
    (select from ${readableTable(context, entity)} as ${sql.ref(main)}
      where ${allOf([...figureQuery.matching, ...figureQuery.tab])} limit ${most + 1}) as found`.execute(db)
  return total > most ? { total: most, more: true } : { total }
}

/** Also answers how many records it found, which may be one more. */
function scanUpTo(context: Context, entity: Entity, most: number, figureQuery: FigureQuery): RawBuilder<unknown> {
  const { columns, joins, isPlain } = columnsOf(context, entity, figureQuery)
  const upTo = (what: RawBuilder<unknown>) => sql`${recordsOf(context, entity, figureQuery, what)} limit ${most + 1}`
  if (isPlain) return sql`select ${columns}, count(*)::integer as scanned from (${upTo(every)}) as ${sql.ref(main)}`
  // Computed fields take far longer than counting, and those of too many records would be of no use.
  const table = sql`${readableTable(context, entity)} as ${sql.ref(main)}`
  const number = sql`(select count(*) from found)`
  const records = sql`select ${every} from ${table}
    where ${sql.ref(`${main}.id`)} in (select id from found) and ${number} <= ${most} offset 0`
  return sql`with found as materialized (${upTo(sql.ref(`${main}.id`))})
    select ${columns}, ${number}::integer as scanned from (${records}) as ${sql.ref(main)} ${joins}`
}

async function readSummary(
  context: Context,
  db: Db,
  entity: Entity,
  { measures, matching, tab }: FigureQuery,
): Promise<Pick<Figures, 'summary'>> {
  if (!measures) return {}
  const { totals } = await readGroups(context, db, entity, { by: [], measures, conditions: [...matching, ...tab] })
  return { summary: totals }
}

async function readScan(
  db: Db,
  { sums = [], counts = [] }: ListQuery,
  scan: RawBuilder<unknown>,
): Promise<Figures & { scanned?: number }> {
  const {
    rows: [row],
  } = await sql<Record<string, number | string>>`${scan}`.execute(db)
  return {
    total: row.total as number,
    sums: Object.fromEntries(sums.map((name) => [name, String(row[`sum ${name}`])])),
    counts: counts.map((_, index) => row[`count ${index}`] as number),
    ...(row.scanned !== undefined && { scanned: row.scanned as number }),
  }
}

/** The total, the sums and the tabs' counts, and the joins that they need; `isPlain`: none. */
function columnsOf(context: Context, entity: Entity, { tab, query }: FigureQuery) {
  const { counts = [], sums = [], counted: addedUp = {} } = query
  const computed = computedOf(context, entity)
  // Without other tabs to count, only records of the open one are read at all.
  const inTab = counts.length === 0 ? [] : tab
  const inSums = allOf([...inTab, ...clientConditions(context, entity, main, addedUp, computed)])
  const summed = sums.map((name) => {
    const field = queriedField(context, entity, name)
    const column = columnOf(context, entity, field, true, computed) ?? computed.valueOf(field)
    if (!context.derived.widget(field).summable || !column)
      throw new Refusal('unsummable', { parameters: { field: field.label } })
    return sql`coalesce(sum(${column}) filter (where ${inSums}), 0)::text as ${sql.ref(`sum ${name}`)}`
  })
  const counted = counts.map(
    (filter, index) =>
      sql`count(*) filter (where ${allOf(clientConditions(context, entity, main, filter, computed))})::integer as ${sql.ref(`count ${index}`)}`,
  )
  const columns = sql.join([sql`count(*) filter (where ${allOf(inTab)})::integer as total`, ...summed, ...counted])
  return { columns, joins: computed.joins, isPlain: computed.isEmpty }
}

const computedOf = (context: Context, entity: Entity) =>
  new ComputedFields(context, entity, { alias: main, scoped: true, conditions: declaredConditions })

const every = sql`${sql.ref(main)}.*`

/** The matching records that the tab or a count covers: others need not be read. */
function recordsOf(
  context: Context,
  entity: Entity,
  { matching, tab, query: { counts = [] } }: FigureQuery,
  what: RawBuilder<unknown>,
) {
  const computed = computedOf(context, entity)
  const others = counts.map((filter) => clientConditions(context, entity, main, filter, computed))
  const any = [tab, ...others]
  const isEvery = any.some((array) => array.length === 0)
  const conditions = allOf([...matching, ...(isEvery ? [] : [sql<boolean>`(${sql.join(any.map(allOf), sql` or `)})`])])
  return sql`select ${what} from ${readableTable(context, entity)} as ${sql.ref(main)}
    ${isEvery ? sql`` : computed.joins} where ${conditions}`
}
