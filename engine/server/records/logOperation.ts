import { truncateText } from '../../model/truncateText.ts'
import { combined } from '../../model/filter.ts'
import { sql } from 'kysely'
import type { ChangeText, Conflict, Entity, Label, ListQuery, RecordData } from '../../model/model.ts'
import { hidden } from '../../expression/worded.ts'
import { seesWhole } from '../identity/access.ts'
import { Refusal } from '../errors.ts'
import { policy } from '../identity/policies.ts'
import { durationOf } from './durationOf.ts'
import { nameOf } from './nameOf.ts'
import type { Context, Db, Runtime } from '../runtime.ts'

/** Details of a log entry beside who, when and from where. */
interface Details {
  id?: number
  label?: string | null
  rows?: number
  /** The search and filters that selected them. */
  filter?: string
  result?: 'denied' | 'failed'
  /** In every language, because readers of the log may use another language than the user who saw it. */
  message?: Label
}

/**
 * Logs an operation that changed nothing: a deletion, a view, or a refusal. `aside`: it is not part of the record's own
 * history.
 * @param once only if it was not logged already on this day
 * @param db the transaction that it belongs to, if there is one
 */
export async function logOperation(
  context: Context,
  { name, area }: Pick<Entity, 'name' | 'area'>,
  action: string,
  { id = 0, label = null, ...details }: Details,
  { once = false, db = context.runtime.database.kysely }: { once?: boolean; db?: Db } = {},
): Promise<void> {
  const { ip = null, client = null } = context.origin ?? {}
  const by = context.user.id || null
  const isNew = once
    ? sql`not exists (select 1 from system_history where entity = ${name} and record_id = ${id} and action = ${action} and user_id is not distinct from ${by}::bigint and at >= ${context.now.slice(0, 10)}::date)`
    : sql`true`
  await sql`insert into system_history (entity, area, record_id, label, action, user_id, at, changes, ip, client, duration)
    select ${name}::text, ${area}::text, ${id}::bigint, ${label}::text, ${action}::text, ${by}::bigint, ${context.now}::timestamp(0), ${JSON.stringify({ revision: 0, fields: {}, aside: true, ...details })}::jsonb, ${ip}::text, ${client}::text, ${durationOf(context)}::integer
    where ${isNew}`.execute(db)
}

/** Per user and hour; later refusals are counted in the last entry. */
const mostRefusals = 100

/** Limits the entries, so that repeated refusals cannot fill the log. */
async function logRefusal(context: Context, entity: Entity, action: string, details: Details): Promise<void> {
  const { kysely } = context.runtime.database
  const recent = sql`from system_history where user_id is not distinct from ${context.user.id || null}::bigint
    and at > ${context.now}::timestamp - interval '1 hour' and changes->>'result' = 'denied'`
  const {
    rows: [{ count, last }],
  } = await sql<{
    count: number
    last: number | null
  }>`select count(*)::integer as count, max(id) as last ${recent}`.execute(kysely)
  if (count < mostRefusals) return logOperation(context, entity, action, details)
  await sql`update system_history set changes = jsonb_set(changes, '{further}', to_jsonb(coalesce((changes->>'further')::integer, 0) + 1))
    where id = ${last}`.execute(kysely)
}

/** Runs `work`; a refused permission is logged, and the sensitive values that the refusal of a stale save shows. */
export async function logDenied<T>(
  context: Context,
  entity: Entity,
  action: string,
  id: unknown,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && error.conflict) await logConflict(context, entity, Number(id), error.conflict)
    if (error instanceof Refusal && ['permission', 'outOfScope'].includes(error.code)) {
      // The request may contain anything, and not every object can be converted to a number.
      const known = typeof id === 'object' ? 0 : Number(id)
      await logRefusal(context, entity, action, {
        id: Number.isSafeInteger(known) ? known : 0,
        result: 'denied',
        message: error.text,
      })
    }
    throw error
  }
}

/** Whether the record, or one of its rows, shows a value that is masked for others. */
function showsSensitive(context: Context, entity: Entity, record: RecordData): boolean {
  return Object.values(entity.fields).some((field) => {
    const value = record[field.name] ?? null
    if (value === null) return false
    const target = context.derived.target(field)
    if (target?.rows) return (value as RecordData[]).some((row) => showsSensitive(context, target.entity, row))
    return field.sensitive && seesWhole(context, entity, field)
  })
}

/**
 * Logs, once a day, that a user viewed values masked for others. The system itself is not logged.
 * @param looked the record that this was looked up for, if it is another one
 */
export async function logSensitive(
  context: Context,
  entity: Entity,
  record: RecordData,
  looked?: { entity: Entity; id: number },
): Promise<void> {
  if (!context.user.id || !showsSensitive(context, entity, record)) return
  const {
    entity: entityName,
    id,
    label,
  } = looked ? { ...looked, label: null } : { entity, id: record.id!, label: nameOf(context, entity, record) }
  await logOperation(context, entityName, 'viewSensitive', { id, label }, { once: true })
}

async function logConflict(context: Context, entity: Entity, id: number, { fields }: Conflict): Promise<void> {
  for (const side of ['base', 'theirs'] as const) {
    const shown = Object.fromEntries(Object.entries(fields).map(([name, sides]) => [name, sides[side]]))
    await logSensitive(context, entity, shown, { entity, id })
  }
}

/**
 * Logs every view of many records, with their number and how they were found; in the transaction of `db`, if there is
 * one.
 */
export async function logListed(
  context: Context,
  entity: Entity,
  records: readonly RecordData[],
  { db, ...query }: ListSelection & { db?: Db } = {},
): Promise<void> {
  if (!context.user.id) return
  const rows = records.filter((record) => showsSensitive(context, entity, record)).length
  if (rows > 0) await logOperation(context, entity, 'viewSensitive', { rows, ...chosenBy(entity, query) }, { db })
}

/** Whether a change of a record, or of its rows, shows a value that is masked for others. */
export const showsSensitiveChange = (context: Context, entity: Entity, changes: readonly ChangeText[]): boolean =>
  changes.some(({ field: name }) => {
    const field = entity.fields[name]
    const rows = context.derived.target(field)?.rows && context.derived.target(field)!.entity
    return rows
      ? Object.values(rows.fields).some((each) => each.sensitive && seesWhole(context, rows, each))
      : field.sensitive && seesWhole(context, entity, field)
  })

type ListSelection = Pick<ListQuery, 'search' | 'filters' | 'tab'> & { ids?: readonly number[] }

const longestFilter = 500

/** The search and filters of a list, for readers of the log who may not see sensitive values. */
export function chosenBy(entity: Entity, { search, filters, tab, ids }: ListSelection): { filter?: string } {
  const loggedFilters = Object.entries(combined(tab, filters)).map(([name, filter]) => [
    name,
    entity.fields[name]?.sensitive ? hidden : filter,
  ])
  const findsSensitive = entity.search.some((name) => entity.fields[name]?.sensitive)
  const parts = [
    // A number this long is probably an identity document or an account.
    ...(search ? [findsSensitive ? hidden : search.replace(/\d(?=\d{4})|(?<=\d{4})\d/g, '*')] : []),
    ...(loggedFilters.length > 0 ? [JSON.stringify(Object.fromEntries(loggedFilters))] : []),
    ...(ids ? [`id ${ids.join(',')}`] : []),
  ]
  return parts.length === 0 ? {} : { filter: truncateText(parts.join(' '), longestFilter) }
}

/** Entries that are not part of a record's own history. */
const isAside = sql`(changes->>'aside' is not null or action in ('login', 'logout', 'loginFailed'))`
const atATime = 10_000

/** Deletes old entries of views, exports, refusals and sign-ins, and then old works. */
export async function forgetLog({ runtime, now }: Context): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from system_history where id in (
      select id from system_history where at < ${now}::timestamp - make_interval(days => ${policy(runtime, 'logDays')}) and ${isAside} limit ${atATime})`.execute(
      runtime.database.kysely,
    )
    if (numAffectedRows < atATime) break
  }
  await forgetWorks(runtime, now)
}

/** Keeps a work as long as any history refers to it. */
async function forgetWorks(runtime: Runtime, now: string): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`delete from system_work where id in (
      select id from system_work as w where at < ${now}::timestamp - make_interval(days => ${policy(runtime, 'logDays')})
        and not exists (select from system_history as h where h.work = w.id) limit ${atATime})`.execute(
      runtime.database.kysely,
    )
    if (numAffectedRows < atATime) return
  }
}
