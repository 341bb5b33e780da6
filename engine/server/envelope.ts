import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Envelope, FieldProblem, Label, WireProblem } from '../schema/model.ts'
import { Refusal } from './errors.ts'
import type { Runtime } from './runtime.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** `cn` or `en`. */
    language: string
  }
}

/** A good answer. */
export const answer = <T>(result: T, message = ''): Envelope<T> => ({ code: 1, message, result })

/** `zh-CN`, `en-US`, or our own `cn`, `en`; the first language where nothing is asked for. */
export function languageOf(request: FastifyRequest): string {
  const asked = request.headers.language ?? (request.query as Record<string, unknown> | undefined)?.language
  return typeof asked === 'string' && asked.toLowerCase().startsWith('en') ? 'en' : 'cn'
}

export const inLanguage = (problems: readonly FieldProblem[], language: string): WireProblem[] =>
  problems.map(({ field, code, message }) => ({ field, code, message: message[language], texts: message }))

/** The header in which every answer tells the business clock. */
const clockHeader = 'x-business-time'

/** Languages, the business clock, and errors as envelopes: for everything below the instance that it is given. */
export function envelopes(api: FastifyInstance, runtime: Runtime): void {
  api.decorateRequest('language', 'cn')
  api.addHook('onRequest', async (request, reply) => {
    request.language = languageOf(request)
    reply.header(clockHeader, runtime.clock.now()).header('cache-control', 'no-store')
  })
  api.setErrorHandler(sendError)
  api.setNotFoundHandler((request, reply) =>
    sendError(new Refusal('unknownPath') as unknown as FastifyError, request, reply),
  )
}

/** What went wrong → what is answered. What nobody foresaw is logged, and told in two words. */
export function refusalOf(
  error: FastifyError | Refusal,
  log: { error(details: object, message: string): void },
): Refusal {
  if (error instanceof Refusal) return error
  const { code, statusCode = 500, message } = error
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new Refusal('fileTooLarge', { parameters: { size: 20 } })
  if (statusCode === 429) return new Refusal('tooManyRequests')
  if (statusCode < 500) return new Refusal('request', { parameters: { detail: message } })
  // Deadlock, serialisation failure, lock timeout: the same call again may well succeed.
  if (['40P01', '40001', '55P03'].includes(code)) return new Refusal('busy')
  if (code === '57014') return new Refusal('tooSlow')
  log.error({ err: error }, 'unexpected')
  return new Refusal('system')
}

function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalOf(error, request.log)
  const text = (label: Label) => label[request.language] ?? label.cn
  const envelope: Envelope<unknown> = {
    code: refusal.status,
    message: text(refusal.text),
    texts: refusal.text,
    result: refusal.result ?? null,
  }
  if (refusal.problems) envelope.errors = inLanguage(refusal.problems, request.language)
  if (refusal.conflict) envelope.conflict = refusal.conflict
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(envelope)
}
