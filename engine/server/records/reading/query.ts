import { sql } from 'kysely'
import { nearRows } from '../../../model/model.ts'
import type { Entity, ListQuery, ListResult, MeasurePlan, RecordData, SortKey } from '../../../model/model.ts'
import { Refusal } from '../../errors.ts'
import { mayOpen } from '../../identity/access.ts'
import { type FigureQuery, readFigures, readFiguresUpTo } from './figures.ts'
import { clientConditions } from './filters.ts'
import { main } from './columnOf.ts'
import { readRecords } from './read.ts'
import { allOf, visibleConditions } from './visibleConditions.ts'
import { readableTable } from './readableTable.ts'
import type { Context, Db } from '../../runtime.ts'
import type { Condition } from '../../identity/scope.ts'
import { searchConditions } from './search.ts'
import { idsAfter, keySql, type Order, orderOf, orderSql, reversed } from './sorting.ts'
import { together } from '../../postgres/together.ts'

export const largestPage = 1000
/** A tree is loaded completely. */
const largestTree = 10_000

/** The conditions of a query without its tab: `matching` is the base of the tabs' counts. */
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

/** The rows of a page, and the figures of all matching records. */
export async function readList(context: Context, db: Db, entity: Entity, query: ListQuery): Promise<ListResult> {
  const { matching, tab } = queryConditions(context, entity, query)
  const prepared = {
    matching,
    tab,
    query,
    measures: query.summary === undefined ? undefined : summaryOf(context, entity, query.summary),
  }
  if (query.countTo !== undefined) return readBounded(context, db, entity, { ...prepared, countTo: query.countTo })
  const [{ list }, figures] = await together(
    db,
    () => readPage(context, db, entity, prepared),
    () => readFigures(context, db, entity, prepared),
  )
  return { list, ...figures }
}

interface PreparedQuery extends FigureQuery {
  query: ListQuery
}

/**
 * First the page, then the figures available without reading more than `countTo` records: everything, if the page holds
 * all matching records.
 */
async function readBounded(
  context: Context,
  db: Db,
  entity: Entity,
  prepared: PreparedQuery & { countTo: number },
): Promise<ListResult> {
  const { query, countTo } = prepared
  const { list, next, order } = await readPage(context, db, entity, prepared)
  const isKeyed = (query.after ?? query.before) !== undefined
  const page = {
    list,
    next,
    ...(await keysOf(context, db, entity, order, isKeyed || query.page * query.size >= nearRows ? list : [])),
  }
  if (list.length === 0 && (isKeyed || query.page > 1))
    // Only a full count shows which page is the last.
    return { ...page, ...(await readFigures(context, db, entity, prepared)) }
  const isAll = !isKeyed && query.page === 1 && !next && !query.counts?.length
  if (!isAll) return { ...page, ...(await readFiguresUpTo(context, db, entity, countTo, prepared)) }
  if (!query.sums?.length && !prepared.measures) return { ...page, total: list.length, sums: {}, counts: [] }
  const those = sql<boolean>`${sql.ref(`${main}.id`)} = any(${list.map(({ id }) => id)}::bigint[])`
  return { ...page, ...(await readFigures(context, db, entity, { ...prepared, matching: [those], tab: [] })) }
}

/** The rows, and whether more follow. */
async function readPage(context: Context, db: Db, entity: Entity, { matching, tab, query }: PreparedQuery) {
  const order = orderOf(context, entity, query.sort)
  const conditions = [...matching, ...tab]
  const size = Math.min(query.size, entity.tree ? largestTree : largestPage)
  const key = query.after ?? query.before
  // Reads one more to know whether anything follows.
  const [skip, limit] = [(query.page - 1) * size, size + 1]
  const ids =
    key && idsAfter(context, entity, conditions, { order: query.after ? order : reversed(order), key, skip, limit })
  const rows = await readRecords(context, db, entity, conditions, {
    order: orderSql(order),
    fields: withDisplay(entity, query.fields),
    ...(ids ? { ids } : { limit, offset: skip }),
  })
  const isBefore = key !== undefined && query.after === undefined
  return {
    order,
    list: isBefore ? rows.slice(-size) : rows.slice(0, size),
    next: isBefore || rows.length > size,
  }
}

/** The sort keys of the first and the last record. */
async function keysOf(
  context: Context,
  db: Db,
  entity: Entity,
  order: Order,
  list: readonly RecordData[],
): Promise<Pick<ListResult, 'first' | 'last'>> {
  if (list.length === 0) return {}
  const ends = [list[0].id, list.at(-1)!.id]
  const { rows } = await sql<{
    id: number
    key: SortKey
  }>`select ${sql.ref(`${main}.id`)} as id, ${keySql(order)} as key
    from ${readableTable(context, entity)} as ${sql.ref(main)} where ${sql.ref(`${main}.id`)} = any(${ends}::bigint[])`.execute(
    db,
  )
  const [first, last] = ends.map((end) => rows.find(({ id }) => id === end)?.key)
  return { ...(first && { first }), ...(last && { last }) }
}

/** @throws Refusal unknownScreen if no list of these records has a summary under this name; permission. */
function summaryOf({ derived, user }: Context, entity: Entity, name: string): MeasurePlan[] {
  const { screens } = derived.catalog
  const screen = Object.hasOwn(screens, name) ? screens[name] : undefined
  const { summary } = (screen?.entity === entity.name ? screen.body : {}) as { summary?: MeasurePlan[] }
  if (!screen || !summary) throw new Refusal('unknownScreen')
  if (!mayOpen(user, screen)) throw new Refusal('permission')
  return summary
}

/** Includes what links, titles and dialogs need, whatever columns are wanted. */
const withDisplay = (entity: Entity, fields: string[] | undefined) =>
  fields && [...new Set([...fields, entity.display, ...(entity.code ? [entity.code] : []), ...(entity.facts ?? [])])]

/** The ids of all matching records, in order, but at most `limit`. */
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
  }>`select ${sql.ref(`${main}.id`)} as id from ${readableTable(context, entity)} as ${sql.ref(main)}
    where ${allOf(conditions)} order by ${orderSql(orderOf(context, entity, sort))} limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * These records in this order, in batches, so that memory holds only one. Records that were deleted meanwhile, or that
 * the user may no longer see, are left out.
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
