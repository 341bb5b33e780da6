import { sql, type RawBuilder } from 'kysely'
import type { Entity } from '../../model/model.ts'
import { declaredConditions } from '../records/reading/filters.ts'
import { ComputedFields } from '../records/reading/ComputedFields.ts'
import { isEmptyWhere, type Where, whereConditions } from './procedureWhere.ts'
import type { EntityName, FieldName, RecordTypes } from './procedureTypes.ts'
import { columnOf, main } from '../records/reading/columnOf.ts'
import { allOf } from '../records/reading/visibleConditions.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { canonicalValue } from '../records/reading/canonical.ts'

/** The figures of each group: how many records, and for these fields the sum, minimum and maximum. */
export interface GroupOptions<E extends EntityName, K extends FieldName<E>, M extends FieldName<E>> {
  where?: Where<RecordTypes[E]>
  by: readonly K[]
  sum?: readonly M[]
  min?: readonly M[]
  max?: readonly M[]
}

export interface Group<E extends EntityName, K extends FieldName<E>, M extends FieldName<E>> {
  by: Pick<RecordTypes[E], K>
  count: number
  sum: { [F in M]: string }
  min: { [F in M]: RecordTypes[E][F] | null }
  max: { [F in M]: RecordTypes[E][F] | null }
}

/** Measures share a row with keys, so their names are kept apart. */
const measures = { sum: 'sum', min: 'min', max: 'max' } as const

/** The groups of matching records, in one query; without keys there is a single group. */
export async function readProcedureGroups<E extends EntityName, K extends FieldName<E>, M extends FieldName<E>>(
  context: Context,
  db: Db,
  entity: Entity,
  { where = {}, by, ...requested }: GroupOptions<E, K, M>,
): Promise<Group<E, K, M>[]> {
  if (isEmptyWhere(where) && by.length > 0) return []
  const conditions = isEmptyWhere(where) ? [sql<boolean>`false`] : whereConditions(context, entity, where)
  const computed = new ComputedFields(context, entity, { alias: main, scoped: false, conditions: declaredConditions })
  const fieldSql = (name: string): RawBuilder<unknown> => {
    const field = entity.fields[name]
    const found = columnOf(context, entity, field, false, computed) ?? computed.valueOf(field)
    if (!found) throw new Error(`${entity.file}: the database does not know ${entity.name}.${name}`)
    return found
  }
  const aggregates = (Object.keys(measures) as (keyof typeof measures)[]).flatMap((kind) =>
    (requested[kind] ?? []).map((name) => ({ kind, name: name as string })),
  )
  const columns = [
    sql`count(*)::integer as count`,
    ...by.map((name, index) => sql`${fieldSql(name)} as ${sql.ref(`by ${index}`)}`),
    ...aggregates.map(({ kind, name }) => {
      const value =
        kind === 'sum' ? sql`coalesce(sum(${fieldSql(name)}), 0)::text` : sql`${sql.raw(kind)}(${fieldSql(name)})`
      return sql`${value} as ${sql.ref(`${kind} ${name}`)}`
    }),
  ]
  // By position, because to the database an expression with parameters is never the same twice.
  const keys = by.map((_, index) => sql.raw(String(index + 2)))
  const { rows } = await sql<Record<string, unknown> & { count: number }>`select ${sql.join(columns)}
    from ${tableOf(context, entity)} as ${sql.ref(main)} ${computed.joins}
    where ${sql.ref(`${main}.deletedAt`)} is null and ${allOf(conditions)}
    ${keys.length === 0 ? sql`` : sql`group by ${sql.join(keys)} order by ${sql.join(keys)}`}`.execute(db)
  const canonical = (name: string, value: unknown) => canonicalValue(context, entity.fields[name], value)
  const figuresOf = (kind: keyof typeof measures, row: Record<string, unknown>) =>
    Object.fromEntries((requested[kind] ?? []).map((name) => [name, canonical(name, row[`${kind} ${name}`])]))
  return rows.map((row) => ({
    by: Object.fromEntries(by.map((name, index) => [name, canonical(name, row[`by ${index}`])])),
    count: row.count,
    sum: figuresOf('sum', row),
    min: figuresOf('min', row),
    max: figuresOf('max', row),
  })) as unknown as Group<E, K, M>[]
}
