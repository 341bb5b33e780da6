import { sql } from 'kysely'
import type { Entity } from '../schema/model.ts'
import { invalid } from './errors.ts'
import { declaredConditions } from './filters.ts'
import { allOf, main } from './read.ts'
import type { Context, Db } from './runtime.ts'
import { tableOf } from './scope.ts'

/**
 * After a write, before its transaction ends: is the record one too many? Whoever might add another waits for the end of this
 * transaction, so that two at once cannot both be the last one. @throws Refusal invalid.
 */
export async function keepLimits(context: Context, db: Db, entity: Entity, id: number): Promise<void> {
  for (const { where, max, within, at, message } of entity.limits) {
    const matching = allOf([sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`, ...declaredConditions(context, entity, main, where)])
    const table = sql`${tableOf(context, entity)} as ${sql.ref(main)}`
    const { rows: own } = await sql`select 1 from ${table} where ${sql.ref(`${main}.id`)} = ${id} and ${matching}`.execute(db)
    if (own.length === 0) continue
    await sql`select pg_advisory_xact_lock(hashtext(${`limit ${entity.name}.${at}`}))`.execute(db)
    const group = within === undefined ? sql`true` : sql`${sql.ref(`${main}.${within}`)} is not distinct from (select ${sql.ref(`own.${within}`)} from ${tableOf(context, entity)} as own where own.id = ${id})`
    const { rows: [{ count }] } = await sql<{ count: number }>`select count(*)::integer as count from ${table} where ${matching} and ${group}`.execute(db)
    if (count > max) throw invalid([{ field: at, code: 'limit', message }])
  }
}
