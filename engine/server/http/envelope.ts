import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { languageFor, textIn } from '../../model/language.ts'
import type { Envelope, FieldProblem, WireProblem } from '../../model/model.ts'
import { type ErrorName, Refusal } from '../errors.ts'
import { explainUnknown } from '../generation.ts'
import { isStatementTimeout, newIncident, type Outage, outageOf, OutOfTimeError } from '../postgres/outage.ts'
import { withoutValues } from './redact.ts'
import type { Runtime } from '../runtime.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** One of the languages of app.json. */
    language: string
  }
}

/** A successful answer. */
export const answer = <T>(result: T, message = ''): Envelope<T> => ({ code: 1, message, result })

/** The language that was asked for by its code (`cn`) or its tag (`zh-CN`); by default the first one. */
export function languageOf(request: FastifyRequest, { derived }: Pick<Runtime, 'derived'>): string {
  const { languages } = derived.catalog.app
  const requested = request.headers.language ?? (request.query as Record<string, unknown> | undefined)?.language
  return (typeof requested === 'string' ? languageFor(requested, languages) : undefined) ?? languages[0]
}

export const inLanguage = (problems: readonly FieldProblem[], language: string): WireProblem[] =>
  problems.map(({ field, code, message }) => ({ field, code, message: textIn(message, language), texts: message }))

/** The envelope of a refusal. */
export const envelopeOf = ({ status, text, result, problems, conflict }: Refusal, language: string): Envelope => ({
  code: status,
  message: textIn(text, language),
  texts: text,
  result: result ?? null,
  ...(problems && { errors: inLanguage(problems, language) }),
  ...(conflict && { conflict }),
})

/** The business clock, sent with every answer. */
const clockHeader = 'x-business-time'

/** Adds languages, the business clock, and errors as envelopes to everything below this instance. */
export function envelopes(api: FastifyInstance, runtime: Runtime): void {
  api.decorateRequest('language', runtime.derived.catalog.app.languages[0])
  api.addHook('onRequest', async (request, reply) => {
    request.language = languageOf(request, runtime)
    reply.header(clockHeader, runtime.clock.now()).header('cache-control', 'no-store')
  })
  api.setErrorHandler(async (error: FastifyError, request, reply) => {
    // The connection was cut when the time allowance was used up.
    const isLate = request.allowance?.over && outageOf(error) === 'unreachable'
    const cause = isLate ? new OutOfTimeError() : await explainUnknown(runtime, error)
    return sendError(cause as FastifyError, request, reply)
  })
  api.setNotFoundHandler((request, reply) =>
    sendError(new Refusal('unknownPath') as unknown as FastifyError, request, reply),
  )
}

/** Outage → the refusal, and the seconds for `Retry-After`. */
const outages: Record<Outage, { refusal: ErrorName; again: number }> = {
  unreachable: { refusal: 'unreachable', again: 1 },
  overloaded: { refusal: 'overloaded', again: 2 },
  full: { refusal: 'storageFull', again: 30 },
  late: { refusal: 'tooSlow', again: 30 },
  behind: { refusal: 'behind', again: 2 },
  files: { refusal: 'filesUnreachable', again: 5 },
}

/** The answer to an error, its incident number in the log, and the seconds for `Retry-After`. */
export interface Answered {
  refusal: Refusal
  incident?: string
  again?: number
}

interface Log {
  error(details: object, message: string): void
}

/** `Retry-After` in seconds for refusals that are not errors: such as a request still in progress or a job step. */
const waiting: Partial<Record<ErrorName, number>> = { underWay: 5, tooSlow: 30 }

/** Error → answer. Unexpected errors are logged, and answered without details. */
export function answerTo(error: FastifyError | Refusal, log: Log): Answered {
  const known = refusalOf(error)
  if (known) return { refusal: known, ...(waiting[known.code] !== undefined && { again: waiting[known.code] }) }
  const incident = newIncident()
  const outage = isStatementTimeout(error) ? 'late' : outageOf(error)
  if (!outage) {
    log.error({ incident, err: withoutValues(error) }, 'unexpected')
    return { refusal: new Refusal('system'), incident }
  }
  const { refusal, again } = outages[outage]
  // The stack explains nothing in an outage, and there may be many errors.
  log.error({ incident, outage, code: error.code, reason: error.message }, 'no service')
  return { refusal: new Refusal(refusal, { parameters: { incident } }), incident, again }
}

function refusalOf(error: FastifyError | Refusal): Refusal | undefined {
  if (error instanceof Refusal) return error
  const { code, statusCode = 500, message } = error
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new Refusal('fileTooLarge', { parameters: { size: 20 } })
  if (statusCode === 429) return new Refusal('tooManyRequests')
  if (statusCode < 500) return new Refusal('request', { parameters: { detail: message } })
  // Deadlock, serialisation failure, lock timeout: the same call may succeed when repeated.
  return ['40P01', '40001', '55P03'].includes(code) ? new Refusal('busy') : undefined
}

/** Sets `Retry-After` and the incident number for the client and any proxy. */
export function setAnswerHeaders(reply: FastifyReply, { incident, again }: Answered): void {
  if (again !== undefined) reply.header('retry-after', String(again))
  if (incident !== undefined) reply.header(incidentHeader, incident)
}
const incidentHeader = 'x-incident'

function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  const answered = answerTo(error, request.log)
  const { refusal, incident } = answered
  const envelope = envelopeOf(refusal, request.language)
  if (incident !== undefined) envelope.incident = incident
  setAnswerHeaders(reply, answered)
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(envelope)
}
