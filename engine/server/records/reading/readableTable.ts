import { sql, type RawBuilder } from 'kysely'
import { logEntityField, logLabelField } from '../../../schema/language/log.ts'
import type { Entity } from '../../../model/model.ts'
import { may } from '../../identity/access.ts'
import { type Condition, tableOf } from '../../identity/scope.ts'
import type { Context } from '../../runtime.ts'
import { ownChanges } from './formerChanges.ts'
import { allOf, seesEvery, withinScope } from './visibleConditions.ts'
import { searchColumn } from './search.ts'

/**
 * The records of an entity as this user may read them, to be selected from. The log's entries about records beyond
 * the user's scope have neither name, changes nor message, so that they cannot be found, sorted or grouped by them
 * either; nor do entries about many of them say how they were found.
 */
export function readableTable(context: Context, entity: Entity): RawBuilder<unknown> {
  if (!entity.engine) return tableOf(context, entity)
  const names = new Set(['id', 'revision', 'deletedAt', searchColumn])
  for (const name of Object.keys(context.derived.columns[entity.name])) names.add(name)
  const { isSeen, isArrival } = loggedRecords(context)
  const isOwn = sql`logged."user" = ${context.user.id}`
  const isOfMany = sql`logged."recordId" is null and not ${entry(sql`jsonb_exists(h.changes, 'filter')`)}`
  // A refusal tells no more than the operation, and whoever reads the log looks for it.
  const isTold = sql`(${isSeen} or ${isOwn} or logged.result = 'denied' or ${isOfMany})`
  const withoutFormer = sql`(select jsonb_object_agg(key, jsonb_build_array(null, value->1)) from jsonb_each(logged.changes))`
  const ref = (name: string) => sql.ref(`logged.${name}`)
  const shown: Record<string, RawBuilder<unknown>> = {
    [logLabelField]: sql`case when ${isSeen} then ${ref(logLabelField)} end`,
    changes: sql`case when ${isSeen} then case when ${isArrival} then ${withoutFormer} else ${ref('changes')} end end`,
    message: sql`case when ${isTold} then ${ref('message')} end`,
    messages: sql`case when ${isTold} then ${ref('messages')} end`,
  }
  const columns = [...names].map((name) =>
    Object.hasOwn(shown, name) ? sql`${shown[name]} as ${sql.ref(name)}` : ref(name),
  )
  return sql`(select ${sql.join(columns)} from ${tableOf(context, entity)} as logged)`
}

/**
 * Whether the record that an entry is about is within the scope, as its row says now, even if deleted (`isSeen`); and
 * whether the entry brought it from an owner whom the user does not see (`isArrival`), like in its history.
 */
function loggedRecords(context: Context): { isSeen: Condition; isArrival: Condition } {
  const all: string[] = []
  const [seen, arrived]: [RawBuilder<unknown>[], RawBuilder<unknown>[]] = [[], []]
  for (const entity of Object.values(context.derived.catalog.entities)) {
    if (!may(context.user, entity.permissions.view)) continue
    if (seesAll(context, entity)) {
      all.push(entity.name)
      continue
    }
    const own = ownChanges(context, entity, 'h')
    const record = isWithin(context, entity, sql.ref('logged.recordId'), 'meant')
    seen.push(sql`when ${entity.name} then ${allOf(own ? [record, entry(own.theirs)] : [record])}`)
    if (own) arrived.push(sql`when ${entity.name} then ${entry(own.arrived)}`)
  }
  const name = sql.ref(`logged.${logEntityField}`)
  const among = (cases: RawBuilder<unknown>[]) =>
    cases.length === 0 ? sql<boolean>`false` : sql<boolean>`case ${name} ${sql.join(cases, sql` `)} else false end`
  return { isSeen: sql<boolean>`(${name} = any(${all}::text[]) or ${among(seen)})`, isArrival: among(arrived) }
}

/** Whether the entry, as `h`, meets this. */
const entry = (condition: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from system_history as h where h.id = logged.id and ${condition})`

const wholeOf = ({ derived }: Context, { rowOf }: Entity): Entity | undefined =>
  rowOf && derived.catalog.entities[rowOf.entity]

/** Rows of a record are seen with it. */
function seesAll(context: Context, entity: Entity): boolean {
  const whole = wholeOf(context, entity)
  return seesEvery(context, entity) && (!whole || seesAll(context, whole))
}

function isWithin(context: Context, entity: Entity, id: RawBuilder<unknown>, alias: string): Condition {
  const whole = wholeOf(context, entity)
  const conditions = [
    sql<boolean>`${sql.ref(`${alias}.id`)} = ${id}`,
    ...withinScope(context, entity, alias),
    ...(whole ? [isWithin(context, whole, sql.ref(`${alias}.${entity.rowOf!.by}`), `${alias}_whole`)] : []),
  ]
  return sql<boolean>`exists (select from ${tableOf(context, entity)} as ${sql.ref(alias)} where ${allOf(conditions)})`
}
