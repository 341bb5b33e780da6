import { type RawBuilder, sql } from 'kysely'
import type { Entity, Field, RecordData, Value } from '../../model/model.ts'
import { seesWhole } from '../identity/access.ts'
import { tableOf } from '../identity/scope.ts'
import type { Context, Db } from '../runtime.ts'
import { readGroups } from './reading/grouped.ts'
import { columnOf, main } from './reading/columnOf.ts'
import { readRecords } from './reading/read.ts'
import { allOf, visibleConditions } from './reading/visibleConditions.ts'
import { visibleEntity } from './reading/readHistory.ts'
import { orderOf, orderSql } from './reading/sorting.ts'
import type { Work } from './Work.ts'

/** Records of one entity that the user may see: how many, of how many others, and the sums of their amounts. */
export interface Tally {
  count: number
  /** Field → how many different records these refer to. */
  different: [Field, number][]
  sums: Record<string, Value>
  /** The first of them, those with the largest amounts first. */
  first: RecordData[]
}
export type Kind = 'made' | 'changed' | 'deleted'
export interface Made {
  entity: Entity
  ids: Record<Kind, number[]>
  /** Undefined for those deleted, which only the state before can show. */
  after: Partial<Record<Kind, Tally>>
}
export interface MadeByWork {
  all: Made[]
  /** Whether it also wrote entities that the user may not see. */
  isUnseen: boolean
  messages: number
}

/** The most records of an entity that a preview names. */
export const mostNamed = 20

/** What the current work has made so far, as far as the user may see it; the called entity comes first. */
export async function madeBy(work: Work, called: Entity): Promise<MadeByWork> {
  const { context, db } = work
  const { id, messages = 0 } = context.work!
  const all: Made[] = []
  let isUnseen = false
  for (const [name, rows] of id === undefined ? [] : await changesOf(db, id)) {
    const entity = writtenEntity(context, name)
    if (!entity) continue
    const gone = await deletedAmong(work, entity, rows)
    const idsWhere = (is: (row: Row) => boolean) => rows.filter(is).map(({ record_id }) => record_id)
    const ids = {
      made: idsWhere((row) => row.made && !gone.has(row.record_id)),
      changed: idsWhere((row) => !row.made && row.differs && !gone.has(row.record_id)),
      deleted: idsWhere((row) => !row.made && gone.has(row.record_id)),
    }
    if (!visibleEntity(context, name)) {
      isUnseen ||= Object.values(ids).flat().length > 0
      continue
    }
    const [made, changed] = [await tallyOf(work, entity, ids.made), await tallyOf(work, entity, ids.changed)]
    all.push({ entity, ids, after: { made, changed } })
  }
  return { all: all.toSorted((a, b) => Number(b.entity === called) - Number(a.entity === called)), isUnseen, messages }
}

/**
 * Records that the user may not see are distinguished from none at all; logs, and rows of other records, are never
 * reported.
 */
function writtenEntity({ derived }: Context, name: string): Entity | undefined {
  const entity = Object.hasOwn(derived.catalog.entities, name) ? derived.catalog.entities[name] : undefined
  return entity && !entity.log && !entity.rowOf ? entity : undefined
}

interface Row {
  entity: string
  record_id: number
  made: boolean
  differs: boolean
}

async function changesOf(db: Db, work: number): Promise<[entity: string, rows: Row[]][]> {
  const { rows } = await sql<Row>`
    select entity, record_id, bool_or((changes->>'from')::integer = 0) as made, bool_or(changes->'fields' <> '{}') as differs
    from system_history where coalesce(act, work) = ${work} group by entity, record_id`.execute(db)
  const names = [...new Set(rows.map(({ entity }) => entity))]
  return names.map((name) => [name, rows.filter(({ entity }) => entity === name)])
}

async function deletedAmong({ context, db }: Work, entity: Entity, rows: readonly Row[]): Promise<ReadonlySet<number>> {
  const ids = rows.map(({ record_id }) => record_id)
  const { rows: deleted } = await sql<{ id: number }>`select id from ${tableOf(context, entity)}
    where id = any(${ids}::bigint[]) and "deletedAt" is not null`.execute(db)
  return new Set(deleted.map(({ id }) => id))
}

export const factsOf = (entity: Entity): Field[] =>
  [...new Set([entity.display, ...(entity.facts ?? [])])].map((name) => entity.fields[name])

/** Masked amounts are not added up, because their sum would reveal them. */
export const amountsOf = (context: Context, entity: Entity): Field[] =>
  factsOf(entity).filter((field) => context.derived.widget(field).isAmount && seesWhole(context, entity, field))

/** Undefined if the user sees none of them. */
export async function tallyOf(work: Work, entity: Entity, ids: readonly number[]): Promise<Tally | undefined> {
  if (ids.length === 0) return undefined
  const { context, db } = work
  const conditions = [
    sql<boolean>`${sql.ref(`${main}.id`)} = any(${ids}::bigint[])`,
    ...visibleConditions(context, entity),
  ]
  const references = factsOf(entity).flatMap((field): [Field, RawBuilder<unknown>][] => {
    const target = context.derived.target(field)
    const column = target && !target.many && !target.rows && columnOf(context, entity, field, true)
    return column ? [[field, column]] : []
  })
  const counts = references.map(
    ([, column], index) => sql`count(distinct ${column})::integer as ${sql.ref(`of ${index}`)}`,
  )
  const {
    rows: [{ count, ...others }],
  } = await sql<Record<string, number>>`select ${sql.join([sql`count(*)::integer as count`, ...counts])}
    from ${tableOf(context, entity)} as ${sql.ref(main)} where ${allOf(conditions)}`.execute(db)
  if (count === 0) return undefined
  const amounts = amountsOf(context, entity)
  const measures = amounts.map((field) => ({
    name: field.name,
    field,
    value: { kind: 'sum' as const, of: field.name },
    where: {},
  }))
  const { totals } = await readGroups(context, db, entity, { by: [], measures, conditions })
  const sort = amounts.length > 0 && context.derived.widget(amounts[0]).sortable ? `-${amounts[0].name}` : 'id'
  const fields = factsOf(entity).map(({ name }) => name)
  const order = orderSql(orderOf(context, entity, sort))
  const first = await readRecords(context, db, entity, conditions, { fields, order, limit: mostNamed })
  return {
    count,
    different: references.map(([field], index) => [field, others[`of ${index}`]]),
    sums: totals,
    first,
  }
}
