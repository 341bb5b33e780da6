import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { changePassword } from './credentials.ts'
import { answer } from './envelope.ts'
import { Refusal } from './errors.ts'
import { isStrongPassword, md5 } from './passwords.ts'
import type { Runtime } from './runtime.ts'
import { beforeAnythingElse, tokenOf } from './session.ts'

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
const preference = {
  body: {
    type: 'object',
    required: ['key', 'value'],
    properties: { key: { type: 'string', minLength: 1, maxLength: 200 }, value: {} },
  },
}

const changed = { cn: '密码修改成功', en: 'Password changed successfully' }
const changedToo = { cn: '修改成功', en: 'Changed successfully' }

/** What users keep and change of their own: passwords, by both calls of the specification, and preferences. */
export function accountRoutes(api: FastifyInstance, runtime: Runtime): void {
  const { kysely } = runtime.database

  // The digest says nothing of the length, so that the rule is checked where the text is typed.
  api.post<{ Body: { OldPassword: string; NewPassword: string } }>(
    '/auth/change-password',
    { schema: digests, config: beforeAnythingElse },
    async (request) => {
      const { OldPassword, NewPassword } = request.body
      await changePassword(
        runtime,
        request.context.user,
        tokenOf(request)!,
        OldPassword.toUpperCase(),
        NewPassword.toUpperCase(),
      )
      return answer(null, changed[request.language as 'cn' | 'en'])
    },
  )

  api.post<{ Body: { original_password: string; new_password: string } }>(
    '/partner-user/change-password',
    { schema: texts, config: beforeAnythingElse },
    async (request) => {
      const [original, next] = [request.body.original_password.trim(), request.body.new_password.trim()]
      if (!isStrongPassword(next)) throw new Refusal('passwordRule')
      await changePassword(runtime, request.context.user, tokenOf(request)!, md5(original), md5(next))
      return answer(null, changedToo[request.language as 'cn' | 'en'])
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
      await sql`insert into system_preference (user_id, key, value) values (${context.user.id}, ${body.key}, ${JSON.stringify(body.value)}::jsonb)
      on conflict (user_id, key) do update set value = excluded.value`.execute(kysely)
      return answer(null)
    },
  )
}
