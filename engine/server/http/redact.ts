import type { FastifyServerOptions } from 'fastify'

/** Every address carries the session's token as a query parameter (specification, section 7). */
const carried = new Set(['token', 'x-token', 'password', 'signature'])
const parameter = /[?&]([^?&=#\s"'\\]{1,60})=/g
const valueOf = /[^&#\s"'\\]*/y

/**
 * Removes tokens from a text that may quote an address, also where letters of their names are escaped, or where one
 * address is a parameter of another.
 */
export function redacted(text: string): string {
  let kept = ''
  let from = 0
  for (const { 0: whole, 1: name, index } of text.matchAll(parameter)) {
    if (index < from || !carried.has(unescaped(name).toLowerCase())) continue
    const start = index + whole.length
    valueOf.lastIndex = start
    kept += `${text.slice(from, start)}***`
    from = start + valueOf.exec(text)![0].length
  }
  return kept + text.slice(from)
}

const unescaped = (name: string) =>
  name.replace(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

/**
 * An error as it may be logged: without PostgreSQL's messages and details, which quote values. Its causes and parts are
 * treated alike.
 */
export function withoutValues<E>(error: E): E {
  if (!(error instanceof Error) || !chain(error).some(isOfDatabase)) return error
  const { code, table, column, constraint, routine } = error as Error & Record<string, unknown>
  const safeError = Object.assign(
    new Error(unquoted(error.message, error)),
    isOfDatabase(error) ? { code, table, column, constraint, routine } : error,
    error.cause !== undefined && { cause: withoutValues(error.cause) },
    error instanceof AggregateError && { errors: (error.errors as unknown[]).map(withoutValues) },
  )
  safeError.stack = error.stack === undefined ? undefined : unquoted(error.stack, error)
  return safeError as E
}

const isOfDatabase = (error: Error) => 'severity' in error

/** The error, with all its causes and parts. */
const chain = (error: unknown): Error[] =>
  error instanceof Error
    ? [error, ...[error.cause, ...(error instanceof AggregateError ? (error.errors as unknown[]) : [])].flatMap(chain)]
    : []

/** Error reports often quote the error itself. */
const unquoted = (text: string, error: unknown): string =>
  chain(error)
    .filter(isOfDatabase)
    .reduce((remaining, { message }) => remaining.replaceAll(message, () => cut(message)), text)

/** By positions: a value may hold very many quotes, and a pattern would search on from each. */
function cut(message: string): string {
  const start = message.indexOf(': "')
  if (start >= 0 && message.endsWith('"') && start + 3 < message.length) return message.slice(0, start)
  const from = message.indexOf(' "')
  const end = message.lastIndexOf('" is out of range')
  return from >= 0 && from + 1 < end ? message.slice(0, from) + message.slice(end + 1) : message
}

/**
 * A logger that redacts tokens and database values. Tokens are removed as a line is written, whoever logs it and
 * wherever they are in it (a request, a framework message, an error's stack).
 */
export const discreet = (logger: FastifyServerOptions['logger']): FastifyServerOptions['logger'] =>
  typeof logger === 'object'
    ? { ...logger, hooks: { ...logger.hooks, streamWrite: redacted, logMethod: logWithoutValues } }
    : logger

type LogMethod = NonNullable<NonNullable<Extract<FastifyServerOptions['logger'], object>['hooks']>['logMethod']>

const logWithoutValues: LogMethod = function (given, method) {
  const [details, ...rest] = given as unknown[]
  const err = (details as { err?: unknown } | undefined)?.err
  const safeDetails = err === undefined ? withoutValues(details) : { ...(details as object), err: withoutValues(err) }
  const texts = rest.map((text) => (typeof text === 'string' ? unquoted(text, err ?? details) : text))
  method.apply(this, [safeDetails, ...texts] as unknown as Parameters<typeof method>)
}
