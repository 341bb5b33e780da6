import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'
import type { Runtime } from '../runtime.ts'
import { Turnstile } from '../turnstile.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the user's turn. */
    leave: (() => void) | null
  }
}

/**
 * One user's simultaneous requests wait for each other, so that slow ones leave connections to the database for
 * everybody else. Uploads, which wait for a slow line rather than for the database, have queues of their own.
 */
export function takeTurns(signedIn: FastifyInstance, { safety }: Pick<Runtime, 'safety'>): void {
  const turns = new Turnstile({
    atOnce: Infinity,
    perKey: safety.requestsPerUser,
    waiting: 5_000,
    waitingPerKey: 200,
  })
  signedIn.decorateRequest('leave', null)
  signedIn.addHook('preHandler', async (request, reply) => {
    if (request.routeOptions.config.takesUploads) return
    request.leave = await turns.enter(String(request.context.user.id))
    // The client has gone: this only skips reads whose answer nobody would receive.
    if (request.method === 'GET' && reply.raw.destroyed) throw new Refusal('tooManyRequests')
  })
  signedIn.addHook('onSend', async (request) => request.leave?.())
  // A request whose client has gone keeps its turn until its work ends with an answer to nobody.
  signedIn.addHook('onResponse', async (request, reply) => {
    if (reply.sent) request.leave?.()
  })
}
