import { sql, type RawBuilder } from 'kysely'
import type { Entity, Field, ListQuery, ListResult, MeasurePlan, RecordData } from '../schema/model.ts'
import { seesWhole } from './access.ts'
import { Refusal } from './errors.ts'
import { clientConditions, declaredConditions, queriedField } from './filters.ts'
import { displaySql, formulaSql } from './formulaSql.ts'
import { readGroups } from './grouped.ts'
import { allOf, columnOf, main, readRecords, visibleConditions } from './read.ts'
import type { Context, Db } from './runtime.ts'
import { type Condition, tableOf } from './scope.ts'
import { searchConditions } from './search.ts'
import { together } from './together.ts'

export const largestPage = 1000
/** A tree is loaded whole. */
const largestTree = 10_000

/** The conditions of a query, its tab apart: `matching` is what the tabs' counts are taken over. */
export function queryConditions(
  context: Context,
  entity: Entity,
  query: Pick<ListQuery, 'search' | 'filters' | 'tab'>,
) {
  return {
    matching: [
      ...visibleConditions(context, entity),
      ...searchConditions(context, entity, main, query.search),
      ...clientConditions(context, entity, main, query.filters ?? {}),
    ],
    tab: clientConditions(context, entity, main, query.tab ?? {}),
  }
}

/** One query for the page, one for its total, the sums and the tabs' counts. */
export async function readList(context: Context, db: Db, entity: Entity, query: ListQuery): Promise<ListResult> {
  const { matching, tab } = queryConditions(context, entity, query)
  const largest = entity.tree ? largestTree : largestPage
  const size = Math.min(query.size, largest)
  const measures = query.summary === undefined ? undefined : summaryOf(context, entity, query.summary)
  const [list, totals, summary] = await together(
    db,
    () =>
      readRecords(context, db, entity, [...matching, ...tab], {
        order: orderOf(context, entity, query.sort),
        limit: size,
        offset: (query.page - 1) * size,
        fields: withDisplay(entity, query.fields),
      }),
    () => readTotals(context, db, entity, matching, tab, query),
    () => measures && readGroups(context, db, entity, { by: [], measures, conditions: [...matching, ...tab] }),
  )
  return { list, ...totals, ...(summary && { summary: summary.totals }) }
}

/** @throws Refusal unknownScreen: no list of these records tells a summary under this name. */
function summaryOf({ derived }: Context, entity: Entity, name: string): MeasurePlan[] {
  const { screens } = derived.catalog
  const screen = Object.hasOwn(screens, name) ? screens[name] : undefined
  const { summary } = (screen?.entity === entity.name ? screen.body : {}) as { summary?: MeasurePlan[] }
  if (!summary) throw new Refusal('unknownScreen')
  return summary
}

/** What links, titles and dialogs need is there, whatever columns are wanted. */
const withDisplay = (entity: Entity, fields: string[] | undefined) =>
  fields && [...new Set([...fields, entity.display, ...(entity.code ? [entity.code] : []), ...(entity.facts ?? [])])]

async function readTotals(
  context: Context,
  db: Db,
  entity: Entity,
  matching: Condition[],
  tab: Condition[],
  { counts = [], sums = [], counted: addedUp = {} }: ListQuery,
): Promise<Omit<ListResult, 'list'>> {
  const inTab = allOf(tab)
  const inSums = allOf([...tab, ...clientConditions(context, entity, main, addedUp)])
  const summed = sums.map((name) => {
    const field = queriedField(context, entity, name)
    const column =
      columnOf(context, entity, field, true) ?? formulaSql(context, entity, field, main, declaredConditions)
    if (!context.derived.widget(field).summable || !column)
      throw new Refusal('unsummable', { parameters: { field: field.label } })
    return sql`coalesce(sum(${column}) filter (where ${inSums}), 0)::text as ${sql.ref(`sum ${name}`)}`
  })
  const counted = counts.map(
    (filter, index) =>
      sql`count(*) filter (where ${allOf(clientConditions(context, entity, main, filter))})::integer as ${sql.ref(`count ${index}`)}`,
  )
  // Without tabs and sums to tell apart, the condition narrows what is read at all.
  const alone = counted.length === 0
  const {
    rows: [row],
  } = await sql<Record<string, number | string>>`
    select ${sql.join([sql`count(*) filter (where ${alone ? sql`true` : inTab})::integer as total`, ...summed, ...counted])}
    from ${tableOf(context, entity)} as ${sql.ref(main)} where ${allOf(alone ? [...matching, ...tab] : matching)}`.execute(
    db,
  )
  return {
    total: row.total as number,
    sums: Object.fromEntries(sums.map((name) => [name, String(row[`sum ${name}`])])),
    counts: counts.map((_, index) => row[`count ${index}`] as number),
  }
}

/** At most so many fields are sorted by: a client says which. */
const mostOrders = 5

const severalOrders = (context: Context, entity: Entity, sorts: string[]): RawBuilder<unknown> =>
  sql`${sql.join(sorts.slice(0, mostOrders).map((sort) => orderOf(context, entity, sort, false)))}, ${sql.ref(`${main}.id`)} desc`

/** `field` or `-field`, several with commas; then by id, so that pages never overlap. */
export function orderOf(
  context: Context,
  entity: Entity,
  sort: string | undefined,
  withId = true,
): RawBuilder<unknown> {
  if (sort?.includes(',')) return severalOrders(context, entity, sort.split(','))
  const descending = !sort || sort.startsWith('-')
  const direction = descending ? sql`desc` : sql`asc`
  const id = sql`${sql.ref(`${main}.id`)} ${direction}`
  const name = sort?.replace(/^-/, '') ?? 'id'
  if (name === 'id') return id
  const field = queriedField(context, entity, name)
  // An index serves the order only as it is: with empty ones first where it descends.
  const indexed = entity.indexes.some(([first]) => first === name)
  return sql`${sortExpression(context, entity, field)} ${direction} ${indexed ? sql`` : sql`nulls last`}${withId ? sql`, ${id}` : sql``}`
}

/** Dictionary values in their order, references by name, texts as a Chinese reader expects them. */
function sortExpression(context: Context, entity: Entity, field: Field): RawBuilder<unknown> {
  const { derived } = context
  const widget = derived.widget(field)
  const column = columnOf(context, entity, field, true) ?? formulaSql(context, entity, field, main, declaredConditions)
  if (!column || !widget.sortable) throw new Refusal('unsortable', { parameters: { field: field.label } })
  const dictionary = widget.dictionary?.(field.options)
  if (dictionary)
    return sql`array_position(${derived.catalog.dictionaries[dictionary].choices.map((choice) => choice.value)}::text[], ${column})`
  const target = derived.target(field)
  if (target) {
    // The order would reveal what the mask hides.
    if (!seesWhole(context, target.entity, target.entity.fields[target.entity.display]))
      throw new Refusal('maskedField', { parameters: { field: field.label } })
    const name = displaySql(context, target.entity, 'named')
    return sql`(select ${collated(context, name)} from ${tableOf(context, target.entity)} as named where named.id = ${column})`
  }
  // An index sorts by code points, and numbers of a series are the same either way.
  const plain = widget.series !== undefined || entity.indexes.some(([first]) => first === field.name)
  return derived.columns[entity.name][field.name] === 'text' && !plain ? collated(context, column) : column
}

function collated(context: Context, expression: RawBuilder<unknown>): RawBuilder<unknown> {
  const { collation } = context.runtime
  return collation ? sql`${expression}::text collate ${sql.ref(collation)}` : expression
}

/** The ids of all that match, in order, but at most `limit`. */
export async function readIds(
  context: Context,
  db: Db,
  entity: Entity,
  conditions: Condition[],
  sort: string | undefined,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select ${sql.ref(`${main}.id`)} as id from ${tableOf(context, entity)} as ${sql.ref(main)}
    where ${allOf(conditions)} order by ${orderOf(context, entity, sort)} limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * These records in this order, batch after batch, so that memory holds one batch. One that was deleted meanwhile, or
 * that the user may not see any more, is left out.
 */
export async function* readBatches(
  context: Context,
  db: Db,
  entity: Entity,
  ids: number[],
  fields: string[],
  size = 1000,
): AsyncGenerator<RecordData[]> {
  for (let start = 0; start < ids.length; start += size) {
    const batch = ids.slice(start, start + size)
    const records = await readRecords(
      context,
      db,
      entity,
      [sql<boolean>`${sql.ref(`${main}.id`)} = any(${batch}::bigint[])`, ...visibleConditions(context, entity)],
      { fields },
    )
    const byId = new Map(records.map((record) => [record.id, record]))
    yield batch.map((id) => byId.get(id)).filter((record) => record !== undefined)
  }
}
