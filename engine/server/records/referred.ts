import { sql } from 'kysely'
import type { Entity } from '../../model/model.ts'
import type { Incoming } from '../derived.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { recordColumns } from '../postgres/recordColumns.ts'

const isSeenBy = (scope: Entity['scope'], field: string): boolean =>
  scope !== undefined && 'via' in scope && scope.via.includes(field)

/** Records that only the system adds are visible with the record they belong to. */
const isJournal = ({ scope, allow }: Entity, field: string): boolean =>
  isSeenBy(scope, field) && !allow.create && !allow.update && !allow.delete

/** The journals of an entity: records that only the system adds about its records. */
export const journalsOf = ({ derived }: Pick<Context, 'derived'>, entity: Entity): Incoming[] =>
  derived.incoming[entity.name].filter(({ entity: other, field }) => isJournal(other, field.name))

/**
 * Rows are deleted with their record, including those with their own screens that are visible with it, because they are
 * part of it.
 */
const isRow = (
  { derived }: Context,
  { fields }: Entity,
  { entity, field }: Pick<Incoming, 'entity' | 'field'>,
): boolean =>
  (entity.rowOf !== undefined || isSeenBy(entity.scope, field.name)) &&
  Object.values(fields)
    .map((each) => derived.target(each))
    .some((target) => target?.rows?.by === field.name && target.entity === entity)

/** The fields by which other records use those of an entity; their own rows and journals do not. */
const usesOf = (context: Context, entity: Entity): Incoming[] =>
  context.derived.incoming[entity.name].filter(({ entity: other, field }) => {
    if (other.engine || other.log || isRow(context, entity, { entity: other, field }) || isJournal(other, field.name))
      return false
    // A record created by an import batch may still be deleted.
    if ([...context.derived.imports.values()].some(({ rows }) => rows === other.name)) return false
    // References to who created or changed a record do not block deletion: deleted users keep their names.
    return !(field.name in recordColumns) && context.derived.columns[other.name][field.name] !== undefined
  })

/** The living records that refer to `wanted` by this field, apart from those that are deleted with it. */
function referring(context: Context, { entity: other, field, many }: Incoming, going: Going) {
  const column = sql.ref(`r.${field.name}`)
  const points = many ? sql`wanted.id = any(${column})` : sql`${column} = wanted.id`
  return sql`from ${tableOf(context, other)} as r where r."deletedAt" is null and ${points}
    and r.id <> all(${[...(going.get(other.name) ?? [])]}::bigint[])`
}

/** Records that are deleted together, by entity. */
type Going = ReadonlyMap<string, ReadonlySet<number>>

/**
 * Which of these another record, not deleted, refers to, apart from records deleted with them (by entity). Their own
 * rows and journals do not count. One query for each field that could refer to them.
 */
export async function referredAmong(
  context: Context,
  db: Db,
  entity: Entity,
  ids: readonly number[],
  going: Going = new Map(),
): Promise<number[]> {
  const found: number[] = []
  for (const use of usesOf(context, entity)) {
    const { rows } = await sql<{ id: number }>`select id from unnest(${ids}::bigint[]) as wanted (id)
      where exists (select 1 ${referring(context, use, going)})`.execute(db)
    found.push(...rows.map((row) => row.id))
  }
  return [...new Set(found)]
}

/** The first record that keeps this one from being deleted, as `referredAmong` finds it. */
export async function firstReferring(
  context: Context,
  db: Db,
  { entity, id }: { entity: Entity; id: number },
  going: Going,
): Promise<{ entity: Entity; id: number } | undefined> {
  for (const use of usesOf(context, entity)) {
    const { rows } = await sql<{
      id: number
    }>`select (select r.id ${referring(context, use, going)} order by r.id limit 1) as id
      from (select ${id}::bigint as id) as wanted`.execute(db)
    if (rows[0].id !== null) return { entity: use.entity, id: rows[0].id }
  }
  return undefined
}
