import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { textIn } from '../../model/language.ts'
import type { Label, MessageItem, MessageList } from '../../model/model.ts'
import { answer } from '../http/envelope.ts'
import { messageEntity, messageFields } from '../identity/identity.ts'
import type { Context } from '../runtime.ts'
import { type Condition, tableOf } from '../identity/scope.ts'

/** How far unread messages are counted: beyond 99 the frame shows a plus (specification, section 9). */
const countedAtMost = 100
const mostAtOnce = 100

const page = {
  querystring: {
    type: 'object',
    properties: {
      size: { type: 'string', pattern: '^[1-9]\\d{0,2}$' },
      before: { type: 'string', pattern: '^[1-9]\\d{0,14}$' },
    },
  },
}
const schema = { body: { type: 'object', required: ['id'], properties: { id: { type: 'integer', minimum: 1 } } } }

/** A user's own messages: the caller is the receiver, so no permission is needed. */
export function messageRoutes(api: FastifyInstance): void {
  api.get('/messages/unread', async ({ context }) => answer({ unread: await countUnread(context) }))

  /** Newest first; `before`: those older than this one, so that later messages shift nothing. */
  api.get<{ Querystring: { size?: string; before?: string } }>(
    '/messages',
    { schema: page },
    async ({ context, query }) => {
      const size = Math.min(Number(query.size ?? 20), mostAtOnce)
      const older = query.before === undefined ? sql<boolean>`true` : sql<boolean>`id < ${Number(query.before)}`
      const { rows } =
        await sql<Row>`select id, ${fields('type')} as type, ${fields('title')} as title, ${fields('content')} as content, ${fields('link')} as link,
        "createdAt" as at, ${fields('readAt')} is not null as read
      from ${table(context)} where ${own(context)} and ${older} order by id desc limit ${size + 1}`.execute(
          database(context),
        )
      const list = rows.slice(0, size).map((row): MessageItem => ({
        ...row,
        type: typeLabel(context, row.type),
        title: inLanguage(context, row.title),
        content: inLanguage(context, row.content),
      }))
      return answer({ list, more: rows.length > size, unread: await countUnread(context) } satisfies MessageList)
    },
  )

  api.post<{ Body: { id: number } }>('/messages/read', { schema: schema }, async ({ context, body }) => {
    await markRead(context, sql<boolean>`id = ${body.id}`)
    return answer({ unread: await countUnread(context) })
  })

  api.post('/messages/read-all', async ({ context }) => {
    await markRead(context, sql<boolean>`true`)
    return answer({ unread: await countUnread(context) })
  })
}

interface Row {
  id: number
  type: string
  title: Label
  content: Label | null
  link: string | null
  at: string
  read: boolean
}

const database = (context: Context) => context.runtime.database.kysely
const table = (context: Context) => tableOf(context, context.derived.catalog.entities[messageEntity])
const fields = (name: keyof typeof messageFields) => sql.ref(messageFields[name])
const own = (context: Context): Condition =>
  sql<boolean>`${fields('receiver')} = ${context.user.id} and "deletedAt" is null`

const markRead = (context: Context, which: Condition) =>
  sql`update ${table(context)} set ${fields('readAt')} = ${context.now} where ${own(context)} and ${fields('readAt')} is null and ${which}`.execute(
    database(context),
  )

async function countUnread(context: Context): Promise<number> {
  const {
    rows: [{ count }],
  } = await sql<{ count: number }>`select count(*)::integer as count from (
    select 1 from ${table(context)} where ${own(context)} and ${fields('readAt')} is null limit ${countedAtMost}) as unread`.execute(
    database(context),
  )
  return count
}

const inLanguage = ({ language, derived }: Context, text: Label | null): string =>
  text ? textIn(text, language, derived.catalog.app.languages) : ''

function typeLabel({ derived, language }: Context, type: string): string {
  const field = derived.catalog.entities[messageEntity].fields[messageFields.type]
  const dictionary = derived.widget(field).dictionary?.(field.options)
  const choice = derived.catalog.dictionaries[dictionary ?? '']?.choices.find(({ value }) => value === type)
  return choice ? textIn(choice.label, language) : type
}
