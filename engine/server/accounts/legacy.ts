import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { textIn } from '../../model/language.ts'
import type { FileValue } from '../../model/model.ts'
import { logSession } from './credentials.ts'
import { answerTo, languageOf, setAnswerHeaders } from '../http/envelope.ts'
import { Refusal, type ErrorName } from '../errors.ts'
import { setFileCookie } from '../http/fileCookie.ts'
import { userEntity } from '../identity/identity.ts'
import type { Runtime } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { closeSession, fileKeyOf, giveFileKey, readSession, tokenOf } from '../identity/session.ts'
import { signIn } from './signIn.ts'

/** The older client's success code. */
const success = 20000
/** The codes that it knows: 50008 no such token, 50014 expired; it only displays the rest. */
const codes: Partial<Record<ErrorName, number>> = {
  signedOut: 50008,
  expired: 50014,
  wrongPassword: 60204,
  userDisabled: 60403,
  userWithoutRole: 60404,
  passwordLapsed: 60405,
  tooManySignIns: 60429,
  request: 60422,
}

const login = {
  body: {
    type: 'object',
    required: ['username', 'password'],
    properties: { username: { type: 'string', maxLength: 100 }, password: { type: 'string', maxLength: 200 } },
  },
}

/**
 * The calls of the older template client (specification, section 7): always HTTP 200 with the outcome as a code in the
 * answer, unless the service is unavailable.
 */
export function legacyRoutes(api: FastifyInstance, runtime: Runtime): void {
  api.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const answered = answerTo(error, request.log)
    const { refusal } = answered
    setAnswerHeaders(reply, answered)
    // The HTTP status is set as well, because monitors and proxies read nothing else.
    return reply.code(refusal.status < 500 ? 200 : refusal.status).send({
      code: codes[refusal.code] ?? 50000,
      message: textIn(refusal.text, languageOf(request, runtime)),
      data: null,
    })
  })

  api.post<{ Body: { username: string; password: string } }>(
    '/vue-element-admin/user/login',
    { schema: login },
    async (request, reply) => {
      const username = request.body.username.trim()
      const { token } = await signIn(runtime, {
        username,
        password: request.body.password,
        ip: request.ip,
        client: request.headers['user-agent'] ?? '',
      })
      setFileCookie(runtime, request, reply, fileKeyOf(token))
      return { code: success, data: { token } }
    },
  )

  api.get<{ Querystring: { token?: string } }>('/vue-element-admin/user/info', async (request, reply) => {
    // The older client sends the token in the address as well, as the specification requires.
    const token = tokenOf(request)
    const user = await readSession(runtime, token ?? request.query.token)
    // Each page requests it first. The address is not recorded, because others may have written it.
    if (token !== undefined) {
      setFileCookie(runtime, request, reply, await giveFileKey(runtime.database.kysely, token))
    }
    const { avatar, introduction } = await profile(runtime, user.id)
    return {
      code: success,
      data: {
        roles: user.roles,
        name: user.name,
        avatar,
        introduction,
        id: user.id,
        username: user.username,
        department: user.department,
        mustChangePassword: user.mustChangePassword,
      },
    }
  })

  api.post('/logout', async (request, reply) => {
    const token = tokenOf(request)
    const user = await readSession(runtime, token).catch((error: unknown) => {
      if (error instanceof Refusal) return undefined
      throw error
    })
    if (user && token) {
      await closeSession(runtime.database.kysely, token)
      await logSession(runtime, runtime.database.kysely, 'logout', user.id, {
        ip: request.ip,
        client: request.headers['user-agent'],
      })
    }
    setFileCookie(runtime, request, reply, null)
    return { code: success, data: 'success' }
  })
}

async function profile(runtime: Runtime, id: number): Promise<{ avatar: string; introduction: string }> {
  const entity = runtime.derived.catalog.entities[userEntity]
  const names = ['avatar', 'introduction'].filter((name) => Object.hasOwn(entity.fields, name))
  if (names.length === 0) return { avatar: '', introduction: '' }
  const {
    rows: [row],
  } = await sql<{ avatar?: FileValue[] | null; introduction?: string | null }>`
    select ${sql.join(names.map((name) => sql.ref(name)))} from ${tableOf(runtime, entity)} where id = ${id}`.execute(
    runtime.database.kysely,
  )
  return { avatar: row?.avatar?.[0]?.url ?? '', introduction: row?.introduction ?? '' }
}
