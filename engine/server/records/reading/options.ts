import { sql } from 'kysely'
import { filterValues } from '../../../model/filter.ts'
import { isSameJson } from '../../../schema/isSameJson.ts'
import type { Entity, Filter, OptionsResult, RecordData } from '../../../model/model.ts'
import { demandAny } from '../../identity/access.ts'
import { Refusal } from '../../errors.ts'
import { clientConditions, declaredConditions } from './filters.ts'
import { largestPage } from './query.ts'
import { orderOf, orderSql } from './sorting.ts'
import { main } from './columnOf.ts'
import { readStored } from './read.ts'
import { allOf, visibleConditions } from './visibleConditions.ts'
import { readableTable } from './readableTable.ts'
import { readPaths, referenceValue } from './references.ts'
import type { Context, Db } from '../../runtime.ts'
import type { Condition } from '../../identity/scope.ts'
import { searchConditions } from './search.ts'
import { together } from '../../postgres/together.ts'
import { permissionsTo } from '../../derived.ts'

/** A tree is offered completely, so that it can be opened anywhere. */
const largestTree = 10_000

/**
 * The filter of the options. A filter that a reference declares needs no permission beyond filling in the form; any
 * other needs the permission to see the records. A tree is offered completely.
 * @throws Refusal request if no reference offers all; permission, and as a list does.
 */
function narrowing(context: Context, entity: Entity, filter: Filter | undefined, all: boolean): Condition[] {
  const filters = filter && filterValues(filter)
  const isDeclared = context.derived.incoming[entity.name].some(
    ({ field: { options } }) =>
      (options.offersAll ?? false) === all &&
      [options.filter, ...(options.offersFirst ? [{ ...options.filter, ...options.offersFirst }] : [])].some(
        (declared) => isSameJson(declared && filterValues(declared), filters),
      ),
  )
  if (all && !isDeclared) throw new Refusal('request', { parameters: { detail: 'all' } })
  if (!filters || entity.tree) return []
  if (isDeclared) return declaredConditions(context, entity, main, filters as Filter)
  demandAny(context.user, permissionsTo(entity, 'view'))
  return clientConditions(context, entity, main, filters)
}

export interface OptionsQuery {
  search?: string
  ids?: number[]
  filter?: Filter
  /** Includes records that are usually not offered, for a reference that declares so. */
  all?: boolean
  page: number
  size: number
}

/**
 * The options of a reference to this entity. With `ids`: the labels of these, offered or not; `disabled` marks those
 * that are not. In a tree every node comes with its `parent` and its `path`.
 */
export async function readOptions(
  context: Context,
  db: Db,
  entity: Entity,
  { search, ids, filter, all = false, page, size }: OptionsQuery,
): Promise<OptionsResult> {
  const offered = declaredConditions(context, entity, main, entity.offered)
  const chosen: Condition[] = ids
    ? [sql<boolean>`${sql.ref(`${main}.id`)} = any(${ids}::bigint[])`]
    : [
        ...(all ? [] : offered),
        ...searchConditions(context, entity, main, search),
        ...narrowing(context, entity, filter, all),
      ]
  const conditions = [...visibleConditions(context, entity), ...chosen]
  const tree = entity.tree?.parent
  const fields = [entity.display, entity.code, tree, ...Object.keys(entity.offered ?? {})].filter(
    (name) => name !== undefined,
  )
  const limit = tree ? largestTree : Math.min(size, largestPage)
  const [
    rows,
    {
      rows: [{ total }],
    },
    open,
  ] = await together(
    db,
    () =>
      readStored(context, db, entity, conditions, {
        fields,
        order: orderSql(orderOf(context, entity, sortOf(entity))),
        limit,
        offset: (page - 1) * limit,
      }),
    () =>
      sql<{
        total: number
      }>`select count(*)::integer as total from ${readableTable(context, entity)} as ${sql.ref(main)} where ${allOf(conditions)}`.execute(
        db,
      ),
    () =>
      ids && entity.offered ? readStored(context, db, entity, [...conditions, ...offered], { fields: [] }) : undefined,
  )
  const enabled = open && new Set(open.map((row) => row.id))
  const paths =
    tree && (ids || search)
      ? await readPaths(
          context,
          db,
          entity,
          rows.map((row) => row.id!),
        )
      : undefined
  return {
    total,
    list: rows.map((row: RecordData) => ({
      ...referenceValue(context, entity, row),
      ...(tree && { parent: (row[tree] ?? null) as number | null }),
      ...(paths && { path: paths.get(row.id!) ?? [] }),
      ...(enabled && !enabled.has(row.id) && { disabled: true }),
    })),
  }
}

/** By name; tree nodes in the administrators' order, if there is one. */
function sortOf(entity: Entity): string | undefined {
  if (entity.tree) return Object.hasOwn(entity.fields, 'sort') ? 'sort' : 'id'
  return entity.fields[entity.display].sensitive ? 'id' : entity.display
}
