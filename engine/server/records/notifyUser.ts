import { sql } from 'kysely'
import type { Label } from '../../model/model.ts'
import { messageEntity, messageFields } from '../identity/identity.ts'
import { tableOf } from '../identity/scope.ts'
import type { Context, Db } from '../runtime.ts'

interface Message {
  type: string
  title: Label
  content: Label | null
  link: string | null
}

/** A message of the system to one user, regardless of the types that their roles receive. */
export async function notifyUser(context: Context, db: Db, receiver: number, message: Message): Promise<void> {
  const messages = context.derived.catalog.entities[messageEntity]
  if (!messages) return
  const { type, title, content, link } = message
  const names = (['type', 'title', 'content', 'link', 'receiver'] as const).map((name) => sql.ref(messageFields[name]))
  await sql`insert into ${tableOf(context, messages)} (${sql.join(names)}, "createdBy", "createdAt", "updatedBy", "updatedAt")
    values (${type}, ${JSON.stringify(title)}::jsonb, ${content && JSON.stringify(content)}::jsonb, ${link}, ${receiver},
      null, ${context.now}, null, ${context.now})`.execute(db)
}
