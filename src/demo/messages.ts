import { sql } from 'kysely'
import { systemUser } from '../../engine/server/access.ts'
import { deliver } from '../../engine/server/messages.ts'
import { main, readStored } from '../../engine/server/read.ts'
import type { Context, Db } from '../../engine/server/runtime.ts'
import type { Entity, Notify, RecordData } from '../../engine/schema/model.ts'
import type { Random } from './random.ts'

/** How many there are in the end, the newest, and of how many customers they tell. */
const kept = 200
const toldCustomers = 60

/** What would have been sent when the demo's customers were reviewed and its announcements released: by the rules of the schema files themselves. */
export async function sendMessages(context: Context, db: Db, random: Random): Promise<void> {
  const { customer, notice, message } = context.derived.catalog.entities
  const events: { at: string; by: number; entity: Entity; record: RecordData; notify: Notify[] }[] = []
  const transition = (entity: Entity, name: string) => entity.states.map(({ transitions }) => transitions[name]).find(Boolean)!.notify

  const customers = new Map((await readStored(context, db, customer, [sql<boolean>`${sql.ref(`${main}.id`)} in (select id from customer order by id limit ${toldCustomers})`])).map((each) => [each.id, each]))
  const sent: Record<string, Notify[]> = {
    submit: customer.saves.find(({ on }) => on === 'create')!.notify, resubmit: customer.saves.find(({ on }) => on === 'update')!.notify,
    agree: transition(customer, 'agree'), reject: transition(customer, 'reject'),
  }
  const { rows: approvals } = await sql<{ customer: number; action: string; operator: number; at: string; reason: string | null }>`
    select customer, action, operator, "operatedAt" as at, reason from "customerApproval" where customer = any(${[...customers.keys()]}::bigint[])`.execute(db)
  for (const { customer: id, action, operator, at, reason } of approvals) {
    const record = { ...customers.get(id)!, submitter: operator, submissionTime: at, approver: operator, rejectReason: reason }
    events.push({ at, by: operator, entity: customer, record, notify: sent[action] })
  }
  for (const record of await readStored(context, db, notice, [sql<boolean>`${sql.ref(`${main}.status`)} <> 'unreleased'`])) {
    const notify = transition(notice, 'release').filter(() => record.audience !== 'customer')
    events.push({ at: String(record.releasedAt), by: Number(record.createdBy), entity: notice, record, notify })
  }

  events.sort((a, b) => a.at < b.at ? -1 : 1)
  for (const { at, by, entity, record, notify } of events) {
    await deliver({ ...context, now: at, user: { ...systemUser, id: by } }, db, entity, record, notify)
  }
  const messages = sql.table(message.name)
  await sql`delete from ${messages} where id not in (select id from ${messages} order by id desc limit ${kept})`.execute(db)

  // What is older than some days has been read by most, what is new by few.
  const { rows } = await sql<{ id: number; days: number }>`
    select id, (extract(epoch from ${context.now}::timestamp(0) - "createdAt") / 86400)::float as days from ${messages} order by id`.execute(db)
  const read = rows.filter(({ days }) => random.chance(days > 8 ? 0.9 : days > 3 ? 0.5 : 0.15)).map(({ id }) => id)
  await sql`update ${messages} set "readAt" = least("createdAt" + interval '3 hours', ${context.now}::timestamp(0)) where id = any(${read}::bigint[])`.execute(db)
}
