import type { FastifyServerOptions } from 'fastify'

/** Every address carries the token of its session (specification, section 7), as a parameter of its own. */
const carried = /([?&](?:token|x-token|password|signature)=)[^&#\s"'\\]*/gi

/** A text that may quote an address, without what opens a session. */
export const redacted = (text: string): string => text.replace(carried, '$1***')

/**
 * The logger with what it must not tell taken out, where a line is written: so it does not matter who says it, nor in
 * which part of it (a request, a message of the framework, an error and its stack).
 */
export const discreet = (logger: FastifyServerOptions['logger']): FastifyServerOptions['logger'] =>
  typeof logger === 'object' ? { ...logger, hooks: { ...logger.hooks, streamWrite: redacted } } : logger
