import { truncateText } from '../../model/truncateText.ts'
import { sql } from 'kysely'
import { colon, composed } from '../../model/language.ts'
import type { Entity, Label, Notify, RecordData } from '../../model/model.ts'
import { administrator } from '../identity/access.ts'
import {
  enabled,
  messageEntity,
  messageFields,
  roleEntity,
  roleFields,
  userEntity,
  userFields,
} from '../identity/identity.ts'
import { fieldsIn, filledFrom } from './reading/filledFrom.ts'
import { idsOf, resolveReferences } from './reading/references.ts'
import type { Context, Db } from '../runtime.ts'
import { coveredBy, tableOf, withThoseBelow, withinDepartments } from '../identity/scope.ts'
import { dataScopes } from '../SessionUser.ts'

/** The longest content of a message. */
const longest = 500

/** The content of a message about a record. */
export interface RecordNotice {
  record: RecordData
  notice: Notify
  /** Follows the content. */
  reason?: Label
}

/** A message before it is sent, in every language; `{n}` is the number of records that the receiver may see. */
interface Texts {
  title: Label
  content: Label | null
  link: string | null
}

/** A record that the message is about, and its receivers; if null, those whose roles receive its type. */
export interface AddressedRecord {
  id: number
  receivers: number[] | null
}

export const addressedRecordOf = ({ to }: Notify, record: RecordData): AddressedRecord => ({
  id: record.id!,
  receivers: to === undefined ? null : idsOf(record[to]),
})

/**
 * Sends the messages that writes declare, in their transaction: one statement for all with the same kind of receivers.
 */
export async function deliver(
  context: Context,
  db: Db,
  entity: Entity,
  recordNotices: readonly RecordNotice[],
): Promise<void> {
  const groups = new Map<string, RecordNotice[]>()
  for (const recordNotice of recordNotices) {
    const { type, to, departments } = recordNotice.notice
    const key = JSON.stringify([type, to, departments])
    const group = groups.get(key)
    if (group) group.push(recordNotice)
    else groups.set(key, [recordNotice])
  }
  for (const group of groups.values()) {
    const texts = await textsOf(context, db, entity, group)
    const messages = group.map(({ record, notice, reason }, index) => ({
      records: [addressedRecordOf(notice, record)],
      texts: reason ? following(texts[index], reason) : texts[index],
    }))
    await send(context, db, entity, group[0].notice, messages)
  }
}

const following = ({ content, ...texts }: Texts, reason: Label): Texts => ({
  ...texts,
  content: composed(content ? [content, reason] : [reason], (read) =>
    truncateText(content ? `${read(content)}${read(colon)}${read(reason)}` : read(reason), longest),
  ),
})

/**
 * Sends each of these messages to each enabled user whose enabled roles receive its type, or who is among the receivers
 * of a record, and whose data scope covers at least one of its records. Texts are stored in every language.
 * @returns how many messages were sent.
 */
export async function send(
  context: Context,
  db: Db,
  entity: Entity,
  notify: Pick<Notify, 'type' | 'departments'>,
  all: readonly { records: readonly AddressedRecord[]; texts: Texts }[],
): Promise<number> {
  const users = tableOf(context, context.derived.catalog.entities[userEntity])
  const roles = tableOf(context, context.derived.catalog.entities[roleEntity])
  const messages = tableOf(context, context.derived.catalog.entities[messageEntity])
  const role = (field: keyof typeof roleFields) => sql.ref(`role.${roleFields[field]}`)
  const reader = (field: keyof typeof userFields) => sql.ref(`reader.${userFields[field]}`)
  const department = reader('department')
  const viewer = {
    id: sql.ref('reader.id'),
    department: sql.ref('reader.department'),
    below: sql.ref('reader.below'),
    dataScope: sql.ref('reader.scope'),
  }
  const counted = (name: 'title' | 'content') =>
    sql`replace(${sql.ref(`texts.${name}`)}::text, '{n}', receiver.n::text)::jsonb`
  const addressed = all.flatMap((each, message) => each.records.map((record) => ({ message, ...record })))
  const named = addressed.every(({ receivers }) => receivers) && addressed.flatMap(({ receivers }) => receivers ?? [])
  const columns = sql.join(
    (['type', 'title', 'content', 'link', 'receiver'] as const).map((name) => sql.ref(messageFields[name])),
  )
  const sender = sql`${context.user.id || null}::bigint`
  const now = sql`${context.now}::timestamp(0)`
  const scopes = sql`${[...dataScopes]}::text[]`
  const isInDepartments =
    notify.departments === undefined
      ? sql`true`
      : withinDepartments(context, entity, 'addressed', notify.departments, viewer.department)
  const given = all.map(({ texts }, message) => ({ message, ...texts }))
  const { numAffectedRows = 0n } = await sql`
    insert into ${messages} (${columns}, "createdBy", "createdAt", "updatedBy", "updatedAt")
    select ${notify.type}, ${counted('title')}, ${counted('content')}, texts.link, receiver.id,
      ${sender}, ${now}, ${sender}, ${now}
    from (
      select reader.id, wanted.message, count(*) as n
      from (
        select reader.id, ${department} as department, array${withThoseBelow(context, department)} as below,
          bool_or(${notify.type} = any(${role('messages')})) as receives,
          case when bool_or(${role('code')} = ${administrator}) then 'all'
            else (${scopes})[coalesce(max(array_position(${scopes}, ${role('dataScope')})), 1)] end as scope
        from ${users} as reader join ${roles} as role on role.id = any(${reader('roles')})
        where ${reader('status')} = ${enabled} and reader."deletedAt" is null
          and ${role('status')} = ${enabled} and role."deletedAt" is null
          ${named ? sql`and reader.id = any(${[...new Set(named)]}::bigint[])` : sql``}
        group by reader.id
      ) as reader
      join jsonb_to_recordset(${JSON.stringify(addressed)}::jsonb) as wanted (message integer, id bigint, receivers bigint[])
        on case when wanted.receivers is null then reader.receives else reader.id = any(wanted.receivers) end
      join ${tableOf(context, entity)} as addressed on addressed.id = wanted.id
      where ${coveredBy(context, entity, 'addressed', viewer)} and ${isInDepartments}
      group by reader.id, wanted.message
    ) as receiver
    join jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as texts (message integer, title jsonb, content jsonb, link text)
      on texts.message = receiver.message
    order by receiver.message, receiver.id`.execute(db)
  const sent = Number(numAffectedRows)
  if (context.work) context.work.messages = (context.work.messages ?? 0) + sent
  return sent
}

async function textsOf(
  context: Context,
  db: Db,
  entity: Entity,
  recordNotices: readonly RecordNotice[],
): Promise<Texts[]> {
  const shown = await resolveReferences(
    context,
    db,
    entity,
    recordNotices.map(({ record, notice }) =>
      Object.fromEntries(fieldsIn(notice.title, notice.content ?? {}).map((name) => [name, record[name] ?? null])),
    ),
  )
  return recordNotices.map((recordNotice, index) => textOfEach(context, entity, recordNotice, shown[index]))
}

function textOfEach(
  context: Context,
  entity: Entity,
  { record, notice: { title, content, link } }: RecordNotice,
  shown: RecordData,
): Texts {
  const filled = (label: Label) =>
    Object.fromEntries(
      Object.entries(filledFrom(context, entity, label, [shown])).map(([language, text]) => [
        language,
        truncateText(text, longest),
      ]),
    )
  return {
    title: filled(title),
    content: content ? filled(content) : null,
    link: link?.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(record[name] ?? ''))) ?? null,
  }
}
