import { sql } from 'kysely'
import { systemUser } from '../../../engine/server/identity/access.ts'
import { isTrue, scopeOf } from '../../../engine/server/records/effects.ts'
import { declaredConditions } from '../../../engine/server/records/reading/filters.ts'
import { deliver } from '../../../engine/server/records/deliver.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import { main } from '../../../engine/server/records/reading/columnOf.ts'
import { readStored } from '../../../engine/server/records/reading/read.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { canonicalRecord } from '../../../engine/server/records/reading/canonical.ts'
import type { Entity, Filter, Notify, RecordData } from '../../../engine/model/model.ts'
import type { Random } from '../random.ts'

/** How many messages of each type remain, the newest; and how many customers and other records they are about. */
const kept = 24
const customerLimit = 60
const recordLimit = 12

interface Event {
  at: string
  by: number
  entity: Entity
  record: RecordData
  notify: readonly Notify[]
}

const moment = (at: string): number => Date.parse(`${at.replace(' ', 'T')}Z`)
const earlier = (moment: string, other: string): string => (moment < other ? moment : other)

const daily = (entity: Entity) => Object.values(entity.daily!).find(({ notify }) => notify.length > 0)!.notify
const saved = (entity: Entity) => entity.saves.find(({ on, notify }) => on === 'create' && notify.length > 0)!.notify

/** Records that a message is about, and at most how many of them. */
interface Happened {
  entity: Entity
  filter: Filter
  notify: readonly Notify[]
  limit?: number
}

/** The contracts, statements, receipts, invoices and cards that messages are about: the newest of each. */
async function businessEvents(context: Context, db: Db): Promise<Event[]> {
  const { contract, statement, receipt, invoice, personBankCard: card } = context.derived.catalog.entities
  const events: Event[] = []
  const happened = async (
    { entity, filter, notify, limit = recordLimit }: Happened,
    at: (record: RecordData) => unknown,
    by: (record: RecordData) => unknown = () => 0,
  ) => {
    // Uses the entity and filter of a rule in the schema files, which have no types here.
    const found = await readStored(
      context,
      db,
      entity,
      [sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`, ...declaredConditions(context, entity, main, filter)],
      { order: sql`${sql.ref(`${main}.id`)} desc`, limit },
    )
    for (const record of found)
      events.push({
        at: earlier(String(at(record) ?? context.now), context.now),
        by: Number(by(record) ?? 0),
        entity,
        record: canonicalRecord(context, entity, record),
        notify,
      })
  }
  const changed = (entity: Entity, name: string) =>
    entity.states.map(({ transitions }) => transitions[name]).find(Boolean)!.notify
  const night = () => `${context.now.slice(0, 10)} 00:00:00`

  await happened(
    { entity: contract, filter: { status: 'expiring', category: 'service' }, notify: daily(contract) },
    night,
  )
  await happened(
    {
      entity: statement,
      filter: { stage: 'confirmed', overdueDays: { between: [1, null] } },
      notify: daily(statement),
    },
    night,
  )
  await happened(
    { entity: statement, filter: { disputed: true }, notify: statement.actions.dispute.notify },
    ({ sentAt }) => sentAt,
  )
  // Few of them are far from their budget.
  await happened(
    {
      entity: statement,
      filter: { stage: 'confirmed', budgeted: true },
      notify: changed(statement, 'confirm'),
      limit: 400,
    },
    ({ confirmedAt }) => confirmedAt,
  )
  await happened(
    { entity: receipt, filter: { direction: 'in', claimStatus: 'unclaimed' }, notify: saved(receipt) },
    ({ createdAt }) => createdAt,
    ({ createdBy }) => createdBy,
  )
  await happened(
    { entity: receipt, filter: { direction: 'in', claimStatus: 'claimed' }, notify: receipt.actions.claim.notify },
    ({ claimedAt }) => claimedAt,
    ({ claimedBy }) => claimedBy,
  )
  await happened(
    { entity: invoice, filter: { status: 'applied' }, notify: saved(invoice) },
    ({ appliedAt }) => appliedAt,
    ({ applicant }) => applicant,
  )
  await happened(
    { entity: invoice, filter: { status: 'issued', kind: 'blue' }, notify: changed(invoice, 'issue') },
    ({ issueDate }) => `${String(issueDate)} 15:00:00`,
    ({ issuer }) => issuer,
  )
  await happened(
    { entity: card, filter: { verifyStatus: 'failed' }, notify: changed(card, 'fail') },
    ({ updatedAt }) => updatedAt,
    ({ updatedBy }) => updatedBy,
  )
  return events
}

/** Messages that the events shown in the demo would have sent, by the rules of the schema files themselves. */
export async function sendMessages(context: Context, db: Db, random: Random): Promise<void> {
  const { customer, notice, message } = context.derived.catalog.entities
  const events: Event[] = await businessEvents(context, db)
  const transition = (entity: Entity, name: string) =>
    entity.states.map(({ transitions }) => transitions[name]).find(Boolean)!.notify

  const work = new ProcedureWork(context, db)
  const customers = new Map(
    (await work.read('customer', { limit: customerLimit })).map((each) => [each.id as number, each]),
  )
  const sent: Record<string, Notify[]> = {
    submit: customer.saves.find(({ on }) => on === 'create')!.notify,
    resubmit: customer.saves.find(({ on }) => on === 'update')!.notify,
    agree: transition(customer, 'agree'),
    reject: transition(customer, 'reject'),
  }
  const approvals = await work.read('customerApproval', {
    where: { customer: [...customers.keys()] },
    fields: ['customer', 'action', 'operator', 'operatedAt', 'reason'],
  })
  for (const { customer: id, action, operator, operatedAt: at, reason } of approvals) {
    const record = {
      ...customers.get(id)!,
      submitter: operator,
      submissionTime: at,
      approver: operator,
      rejectReason: reason,
    }
    events.push({ at: String(at), by: Number(operator), entity: customer, record, notify: sent[action] })
  }
  for (const record of await work.read('notice', { where: { status: { not: 'unreleased' } } })) {
    const notify = transition(notice, 'release').filter(() => record.audience !== 'customer')
    events.push({ at: String(record.releasedAt), by: Number(record.createdBy), entity: notice, record, notify })
  }

  events.sort((a, b) => (a.at < b.at ? -1 : 1))
  for (const { at, by, entity, record, notify } of events) {
    const scope = scopeOf(context, entity, record, record)
    await deliver(
      { ...context, now: at, user: { ...systemUser, id: by } },
      db,
      entity,
      notify.filter(({ when }) => isTrue(context, entity, when, scope)).map((notice) => ({ record, notice })),
    )
  }
  const messages = sql.table(message.name)
  // The newest of each type stay; no operation deletes messages.
  await sql`delete from ${messages} where id in (select id from (select id, row_number() over (partition by type order by id desc) as place from ${messages}) as numbered where place > ${kept})`.execute(
    db,
  )

  // Most older messages have been read, few new ones.
  const daysSince = (at: string) => (moment(context.now) - moment(at)) / 86_400_000
  const read = (await work.read('message', { fields: ['createdAt'] }))
    .map(({ id, createdAt }) => ({ id, days: daysSince(createdAt) }))
    .filter(({ days }) => random.chance(days > 8 ? 0.9 : days > 3 ? 0.5 : 0.15))
    .map(({ id }) => id)
  // Otherwise each receiver would have to open them.
  await sql`update ${messages} set "readAt" = least("createdAt" + interval '3 hours', ${context.now}::timestamp(0)) where id = any(${read}::bigint[])`.execute(
    db,
  )
}
