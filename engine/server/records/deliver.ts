import { sql } from 'kysely'
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
import { readIn } from './reading/brought.ts'
import { idsOf, resolveReferences } from './reading/references.ts'
import type { Context, Db } from '../runtime.ts'
import { coveredBy, tableOf, withinDepartments } from '../identity/scope.ts'
import { textOf } from './reading/words.ts'
import { dataScopes } from '../SessionUser.ts'

/** The longest content of a message. */
const longest = 500

/** A message before it is sent, in every language; `{n}` is the number of records that the receiver may see. */
interface Texts {
  title: Label
  content: Label | null
  link: string | null
}

/** A record that the message is about, and the receivers that a field of it names. */
export interface Told {
  id: number
  receivers: number[] | null
}

export const toldOf = ({ to }: Notify, record: RecordData): Told => ({
  id: record.id!,
  receivers: to === undefined ? null : idsOf(record[to]),
})

/**
 * Sends the messages that a write declares, in its transaction, with one statement each.
 * @param reason stands behind the content
 */
export async function deliver(
  context: Context,
  db: Db,
  entity: Entity,
  record: RecordData,
  notices: readonly Notify[],
  reason?: Label,
): Promise<void> {
  for (const notify of notices) {
    const { content, ...texts } = await textsOf(context, db, entity, notify, record)
    await send(context, db, entity, notify, {
      told: [toldOf(notify, record)],
      texts: { ...texts, content: reason ? following(content, reason) : content },
    })
  }
}

const following = (content: Label | null, reason: Label): Label =>
  Object.fromEntries(
    Object.entries(reason).map(([language, text]) => [
      language,
      (content ? `${content[language]}${language === 'cn' ? '：' : ': '}${text}` : text).slice(0, longest),
    ]),
  )

/**
 * Sends one message to each enabled user whose enabled roles receive its type, or whom a field of a record names, and
 * whose data scope covers at least one of the records. Texts are kept in every language.
 */
export async function send(
  context: Context,
  db: Db,
  entity: Entity,
  notify: Pick<Notify, 'type' | 'to' | 'departments'>,
  { told, texts }: { told: readonly Told[]; texts: Texts },
): Promise<void> {
  const users = tableOf(context, context.derived.catalog.entities[userEntity])
  const roles = tableOf(context, context.derived.catalog.entities[roleEntity])
  const messages = tableOf(context, context.derived.catalog.entities[messageEntity])
  const role = (field: keyof typeof roleFields) => sql.ref(`role.${roleFields[field]}`)
  const viewer = {
    id: sql.ref('reader.id'),
    department: sql.ref('reader.department'),
    dataScope: sql.ref('reader.scope'),
  }
  const counted = (text: Label | null) =>
    text ? sql`replace(${JSON.stringify(text)}, '{n}', receiver.n::text)::jsonb` : sql`null::jsonb`
  const { numAffectedRows = 0n } = await sql`
    insert into ${messages} (${sql.join(['type', 'title', 'content', 'link', 'receiver'].map((name) => sql.ref(messageFields[name as keyof typeof messageFields])))},
      "createdBy", "createdAt", "updatedBy", "updatedAt")
    select ${notify.type}, ${counted(texts.title)}, ${counted(texts.content)}, ${texts.link}, receiver.id,
      ${context.user.id || null}::bigint, ${context.now}::timestamp(0), ${context.user.id || null}::bigint, ${context.now}::timestamp(0)
    from (
      select reader.id, count(*) as n
      from (
        select reader.id, ${sql.ref(`reader.${userFields.department}`)} as department, bool_or(${notify.type} = any(${role('messages')})) as receives,
          case when bool_or(${role('code')} = ${administrator}) then 'all'
            else (${[...dataScopes]}::text[])[coalesce(max(array_position(${[...dataScopes]}::text[], ${role('dataScope')})), 1)] end as scope
        from ${users} as reader join ${roles} as role on role.id = any(${sql.ref(`reader.${userFields.roles}`)})
        where ${sql.ref(`reader.${userFields.status}`)} = ${enabled} and reader."deletedAt" is null and ${role('status')} = ${enabled} and role."deletedAt" is null
        group by reader.id
      ) as reader
      join jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as wanted (id bigint, receivers bigint[])
        on ${notify.to === undefined ? sql`reader.receives` : sql`reader.id = any(wanted.receivers)`}
      join ${tableOf(context, entity)} as told on told.id = wanted.id
      where ${coveredBy(context, entity, 'told', viewer)}
        and ${notify.departments === undefined ? sql`true` : withinDepartments(context, entity, 'told', notify.departments, viewer.department)}
      group by reader.id
    ) as receiver
    order by receiver.id`.execute(db)
  if (context.work) context.work.messages = (context.work.messages ?? 0) + Number(numAffectedRows)
}

async function textsOf(
  context: Context,
  db: Db,
  entity: Entity,
  { title, content, link }: Notify,
  record: RecordData,
): Promise<Texts> {
  const named = new Set(
    [title, content ?? {}]
      .flatMap((label) => Object.values(label))
      .flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)),
  )
  const [shown] = await resolveReferences(context, db, entity, [
    Object.fromEntries([...named].map((name) => [name, record[name] ?? null])),
  ])
  const filled = (label: Notify['title'], most: number) =>
    Object.fromEntries(
      Object.entries(label).map(([language, text]) => [
        language,
        text
          .replace(/\{(\w+)\}/g, (_, name: string) =>
            textOf(
              { ...context, language },
              entity.fields[name],
              readIn(language, entity.fields[name], shown[name] ?? null),
            ),
          )
          .slice(0, most),
      ]),
    )
  return {
    title: filled(title, longest),
    content: content ? filled(content, longest) : null,
    link: link?.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(record[name] ?? ''))) ?? null,
  }
}
