import type { FastifyServerOptions } from 'fastify'

/** Every address carries the session's token as a query parameter (specification, section 7). */
const carried = /([?&](?:token|x-token|password|signature)=)[^&#\s"'\\]*/gi

/** Removes tokens from a text that may quote an address. */
export const redacted = (text: string): string => text.replace(carried, '$1***')

/**
 * A log stream that removes tokens as a line is written, whoever logs it and wherever it stands in the line (a request,
 * a framework message, an error's stack).
 */
export const discreet = (logger: FastifyServerOptions['logger']): FastifyServerOptions['logger'] =>
  typeof logger === 'object' ? { ...logger, hooks: { ...logger.hooks, streamWrite: redacted } } : logger
