import { sql } from 'kysely'
import type { Entity, RecordData } from '../schema/model.ts'
import { seesWhole } from './access.ts'
import { Refusal } from './errors.ts'
import { nameOf } from './history.ts'
import type { Context } from './runtime.ts'

/** What is told beside who, when and from where: which record, how many records, why it was refused. */
interface Details {
  id?: number
  label?: string | null
  rows?: number
  result?: 'denied'
  message?: string
}

/**
 * Tells the log of what changed nothing: what was taken away, looked at, or refused. `aside`: it is no part of the
 * record's own history.
 * @param once only if it was not told already on this day
 */
export async function logOperation(
  context: Context,
  { name, area }: Pick<Entity, 'name' | 'area'>,
  action: string,
  { id = 0, label = null, ...details }: Details,
  once = false,
): Promise<void> {
  const { ip = null, client = null } = context.origin ?? {}
  const by = context.user.id || null
  const isNew = once
    ? sql`not exists (select 1 from system_history where entity = ${name} and record_id = ${id} and action = ${action} and user_id is not distinct from ${by}::bigint and at >= ${context.now.slice(0, 10)}::date)`
    : sql`true`
  await sql`insert into system_history (entity, area, record_id, label, action, user_id, at, changes, ip, client)
    select ${name}::text, ${area}::text, ${id}::bigint, ${label}::text, ${action}::text, ${by}::bigint, ${context.now}::timestamp(0), ${JSON.stringify({ revision: 0, fields: {}, aside: true, ...details })}::jsonb, ${ip}::text, ${client}::text
    where ${isNew}`.execute(context.runtime.database.kysely)
}

/** Does what was asked for; where the user may not, the log is told. */
export async function tellDenied<T>(
  context: Context,
  entity: Entity,
  action: string,
  id: unknown,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && ['permission', 'outOfScope'].includes(error.code)) {
      await logOperation(context, entity, action, { id: Number(id) || 0, result: 'denied', message: error.text.cn })
    }
    throw error
  }
}

/** Whoever looks at a record and sees what others see masked: once a day. The system itself is nobody. */
export async function tellSensitive(context: Context, entity: Entity, record: RecordData): Promise<void> {
  if (!context.user.id) return
  const isSeen = Object.values(entity.fields).some(
    (field) => field.sensitive && (record[field.name] ?? null) !== null && seesWhole(context, entity, field),
  )
  if (isSeen)
    await logOperation(
      context,
      entity,
      'viewSensitive',
      { id: record.id!, label: nameOf(context, entity, record) },
      true,
    )
}
