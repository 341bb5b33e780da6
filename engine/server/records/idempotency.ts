import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Refusal } from '../errors.ts'
import type { Db } from '../runtime.ts'
import type { Work } from './Work.ts'

/** How a request says that it is the same as one before. */
export interface RequestKey {
  key: string
  /** What is asked of which entity: `POST /customer/create`. */
  operation: string
  /** Of the body. */
  digest: string
}

const longestKey = 100
const kept = '7 days'

/** @param key what the client made up, one for each thing that its user did. @throws Refusal request. */
export function requestKey(key: string | undefined, operation: string, body: unknown): RequestKey | undefined {
  if (!key) return undefined
  if (key.length > longestKey) throw new Refusal('request', { parameters: { detail: 'Idempotency-Key' } })
  return {
    key,
    operation,
    digest: createHash('sha256')
      .update(JSON.stringify(body ?? null))
      .digest('hex'),
  }
}

/**
 * Acts once for each key of a user: the key is taken in the transaction of the work, so that it binds when this commits
 * and is free again when it does not. Whoever comes with it meanwhile waits, and gets the answer of the first.
 * @param part tells works of one request apart
 * @throws Refusal repeated, where the key was used for something else.
 */
export async function once<T>({ context, db }: Work, part: string, act: () => Promise<T>): Promise<T> {
  const { request } = context
  if (!request) return act()
  const key = sql`user_id = ${context.user.id} and operation = ${request.operation} and key = ${request.key} and part = ${part}`
  const { rows: taken } = await sql`insert into system_request (user_id, operation, key, part, digest, at)
    values (${context.user.id}, ${request.operation}, ${request.key}, ${part}, ${request.digest}, localtimestamp)
    on conflict do nothing returning 1`.execute(db)
  if (taken.length === 0) {
    const {
      rows: [first],
    } = await sql<{ digest: string; answer: string }>`select digest, answer from system_request where ${key}`.execute(
      db,
    )
    if (first.digest !== request.digest) throw new Refusal('repeated')
    return JSON.parse(context.runtime.secrets.decrypt(first.answer)) as T
  }
  // Of many records each has a part of its own; the request is one.
  const { rows: others } = await sql`select 1 from system_request
    where user_id = ${context.user.id} and operation = ${request.operation} and key = ${request.key} and digest <> ${request.digest} limit 1`.execute(
    db,
  )
  if (others.length > 0) throw new Refusal('repeated')
  const answer = await act()
  // An answer may hold a password that was made up.
  const text = context.runtime.secrets.encrypt(JSON.stringify(answer ?? null))
  await sql`update system_request set answer = ${text}, work = ${context.work?.id ?? null} where ${key}`.execute(db)
  return answer
}

/** Keys that nobody comes back with any more. */
export const purgeRequests = (db: Db): Promise<unknown> =>
  sql`delete from system_request where at < localtimestamp - ${kept}::interval`.execute(db)
