import type { FastifyInstance } from 'fastify'
import { takeBodyTurns } from './bodyTurns.ts'

/** Bytes of a body without a session: a name and a password fit many times. Reading one blocks all other requests. */
export const largestOfAnybody = 16 * 1024
/** Bytes of a body with a session, other than an upload. */
const largest = 10 * 1024 * 1024

/** For routes that check the session before the body is read. */
export function takeLargerBodies(signedIn: FastifyInstance): void {
  takeBodyTurns(signedIn)
  signedIn.addHook('onRoute', (route) => {
    route.bodyLimit ??= largest
  })
}
