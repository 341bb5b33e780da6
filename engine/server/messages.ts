import { sql } from 'kysely'
import type { Entity, Notify, RecordData } from '../schema/model.ts'
import { administrator, dataScopes } from './access.ts'
import { enabled, messageEntity, messageFields, roleEntity, roleFields, userEntity, userFields } from './identity.ts'
import { idsOf, resolveReferences } from './references.ts'
import type { Context, Db } from './runtime.ts'
import { coveredBy, tableOf, withinDepartments } from './scope.ts'
import { textOf } from './words.ts'

/** What the content of a message holds at most. */
const longest = 500

/**
 * Sends what a write declares, in its transaction: one statement a message, to all enabled users whose enabled roles
 * receive its type and whose data scope covers the record; or to those whom a field of the record names. Texts are kept
 * in every language.
 */
export async function deliver(
  context: Context,
  db: Db,
  entity: Entity,
  record: RecordData,
  notices: readonly Notify[],
): Promise<void> {
  for (const notify of notices) {
    const texts = await textsOf(context, db, entity, notify, record)
    const users = tableOf(context, context.derived.catalog.entities[userEntity])
    const roles = tableOf(context, context.derived.catalog.entities[roleEntity])
    const messages = tableOf(context, context.derived.catalog.entities[messageEntity])
    const role = (field: keyof typeof roleFields) => sql.ref(`role.${roleFields[field]}`)
    const viewer = {
      id: sql.ref('reader.id'),
      department: sql.ref('reader.department'),
      dataScope: sql.ref('reader.scope'),
    }
    await sql`
      insert into ${messages} (${sql.join(['type', 'title', 'content', 'link', 'receiver'].map((name) => sql.ref(messageFields[name as keyof typeof messageFields])))},
        "createdBy", "createdAt", "updatedBy", "updatedAt")
      select ${notify.type}, ${JSON.stringify(texts.title)}::jsonb, ${texts.content && JSON.stringify(texts.content)}::jsonb, ${texts.link}, reader.id,
        ${context.user.id || null}::bigint, ${context.now}::timestamp(0), ${context.user.id || null}::bigint, ${context.now}::timestamp(0)
      from (
        select reader.id, ${sql.ref(`reader.${userFields.department}`)} as department,
          case when bool_or(${role('code')} = ${administrator}) then 'all'
            else (${[...dataScopes]}::text[])[coalesce(max(array_position(${[...dataScopes]}::text[], ${role('dataScope')})), 1)] end as scope
        from ${users} as reader join ${roles} as role on role.id = any(${sql.ref(`reader.${userFields.roles}`)})
        where ${sql.ref(`reader.${userFields.status}`)} = ${enabled} and reader."deletedAt" is null and ${role('status')} = ${enabled} and role."deletedAt" is null
        group by reader.id
        having ${notify.to === undefined ? sql`bool_or(${notify.type} = any(${role('messages')}))` : sql`reader.id = any(${idsOf(record[notify.to])}::bigint[])`}
      ) as reader
      join ${tableOf(context, entity)} as told on told.id = ${record.id}
      where ${coveredBy(context, entity, 'told', viewer)}
        and ${notify.departments === undefined ? sql`true` : withinDepartments(context, entity, 'told', notify.departments, viewer.department)}
      order by reader.id`.execute(db)
  }
}

async function textsOf(context: Context, db: Db, entity: Entity, { title, content, link }: Notify, record: RecordData) {
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
            textOf({ ...context, language }, entity.fields[name], shown[name]),
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
