import { sql } from 'kysely'
import type { Entity } from '../../model/model.ts'
import { demand } from '../identity/access.ts'
import { isTrue, scopeOf } from './effects.ts'
import type { Context } from '../runtime.ts'
import { lockRecord } from './save.ts'
import { inWork } from './Work.ts'
import { tableOf } from '../identity/scope.ts'

/**
 * Counts a user's first opening of a record. That is not a change of the record, so its revision and history stay the
 * same.
 * @throws Refusal permission, unknownRecord, outOfScope.
 */
export async function countReader(context: Context, entity: Entity, id: number): Promise<{ counted: boolean }> {
  demand(context.user, entity.permissions.view)
  const { count, when } = entity.reads!
  return inWork(context, { cause: 'system' }, async ({ db }) => {
    const record = await lockRecord(context, db, entity, id)
    if (!isTrue(context, entity, when, scopeOf(context, entity, record, record))) return { counted: false }
    const { rows } =
      await sql`insert into system_reader (entity, record_id, user_id, at) values (${entity.name}, ${id}, ${context.user.id}, ${context.now})
      on conflict do nothing returning user_id`.execute(db)
    if (rows.length === 0) return { counted: false }
    await sql`update ${tableOf(context, entity)} set ${sql.ref(count)} = coalesce(${sql.ref(count)}, 0) + 1 where id = ${id}`.execute(
      db,
    )
    return { counted: true }
  })
}
