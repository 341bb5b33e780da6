import { textIn } from '../../model/language.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { changePassword } from './credentials.ts'
import { answer } from '../http/envelope.ts'
import { Refusal } from '../errors.ts'
import { isStrongPassword, md5 } from '../identity/passwords.ts'
import { requestKey } from '../records/idempotency.ts'
import type { Runtime } from '../runtime.ts'
import { beforeAnythingElse, tokenOf } from '../identity/session.ts'

const digest = { type: 'string', pattern: '^[0-9a-fA-F]{32}$' }
const digests = {
  body: {
    type: 'object',
    required: ['OldPassword', 'NewPassword'],
    properties: { OldPassword: digest, NewPassword: digest },
  },
}
const text = { type: 'string', maxLength: 200 }
const texts = {
  body: {
    type: 'object',
    required: ['original_password', 'new_password'],
    properties: { original_password: text, new_password: text },
  },
}
/**
 * Size limit of a preference as JSON, and the limit on their number: enough for the order of a grid's columns, but not
 * for storing files.
 */
const largestPreference = 200_000
const mostPreferences = 1000
/** Bytes of all of a user's together: a screen that opens is sent all that belong to it. */
const largestTogether = 2_000_000

const preference = {
  body: {
    type: 'object',
    required: ['key', 'value'],
    properties: { key: { type: 'string', minLength: 1, maxLength: 200 }, value: {} },
  },
}

const changed = { cn: '密码修改成功', en: 'Password changed successfully' }
const changedToo = { cn: '修改成功', en: 'Changed successfully' }

const keyOf = ({ headers }: FastifyRequest): string | undefined =>
  requestKey(headers['idempotency-key']?.toString(), '', null)?.key

/** What users change about themselves: their password (both calls of the specification) and preferences. */
export function accountRoutes(api: FastifyInstance, runtime: Runtime): void {
  const { kysely } = runtime.database

  // A digest does not show the length, so the password rule is applied at the next sign-in, when the text arrives.
  api.post<{ Body: { OldPassword: string; NewPassword: string } }>(
    '/auth/change-password',
    { schema: digests, config: beforeAnythingElse },
    async (request) => {
      const { OldPassword, NewPassword } = request.body
      await changePassword(runtime, request.context.user, {
        token: tokenOf(request)!,
        original: OldPassword.toUpperCase(),
        next: NewPassword.toUpperCase(),
        unproven: true,
        key: keyOf(request),
      })
      return answer(null, textIn(changed, request.language))
    },
  )

  api.post<{ Body: { original_password: string; new_password: string } }>(
    '/partner-user/change-password',
    { schema: texts, config: beforeAnythingElse },
    async (request) => {
      const [original, next] = [request.body.original_password.trim(), request.body.new_password.trim()]
      if (!isStrongPassword(next)) throw new Refusal('passwordRule')
      await changePassword(runtime, request.context.user, {
        token: tokenOf(request)!,
        original: md5(original),
        next: md5(next),
        unproven: false,
        key: keyOf(request),
      })
      return answer(null, textIn(changedToo, request.language))
    },
  )

  api.get<{ Querystring: { key?: string } }>('/preferences', async ({ context, query }) => {
    const {
      rows: [row],
    } = await sql<{
      value: unknown
    }>`select value from system_preference where user_id = ${context.user.id} and key = ${query.key ?? ''}`.execute(
      kysely,
    )
    return answer(row?.value ?? null)
  })

  api.post<{ Body: { key: string; value: unknown } }>(
    '/preferences',
    { schema: preference },
    async ({ context, body }) => {
      const value = JSON.stringify(body.value)
      if (value.length > largestPreference)
        throw new Refusal('request', { parameters: { detail: `value ≤ ${largestPreference}` } })
      const { rows } = await sql<{ bytes: number }>`select
        coalesce(sum(octet_length(value::text)), 0)::integer as bytes from system_preference
        where user_id = ${context.user.id} and key <> ${body.key}`.execute(kysely)
      if (rows[0].bytes + Buffer.byteLength(value) > largestTogether)
        throw new Refusal('request', { parameters: { detail: `values ≤ ${largestTogether}` } })
      const { numAffectedRows } = await sql`insert into system_preference (user_id, key, value)
        select ${context.user.id}, ${body.key}, ${value}::jsonb
        where exists (select from system_preference where user_id = ${context.user.id} and key = ${body.key})
          or (select count(*) from system_preference where user_id = ${context.user.id}) < ${mostPreferences}
        on conflict (user_id, key) do update set value = excluded.value`.execute(kysely)
      if (numAffectedRows === 0n) throw new Refusal('request', { parameters: { detail: `key ≤ ${mostPreferences}` } })
      return answer(null)
    },
  )
}
