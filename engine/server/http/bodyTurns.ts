import type { FastifyInstance } from 'fastify'
import { Refusal } from '../errors.ts'
import { Turnstile } from '../turnstile.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the turn of a large body. */
    forget: (() => void) | null
  }
}

/** Bytes of a body that any number of requests may bring. */
export const small = 64 * 1024
/** Large bodies that are received or in memory at a time. */
const ofUser = 2
const ofAll = 16
/** Further ones wait unread, which costs little. */
const queue = { waiting: 200, waitingPerKey: 20 }

/**
 * Limits the large bodies in memory before they are read: of one user, who would otherwise fill it with requests that
 * wait for each other, and of all. Uploads are not kept in memory.
 */
export function takeBodyTurns(signedIn: FastifyInstance, waiting = queue): void {
  const turns = new Turnstile({ atOnce: ofAll, perKey: ofUser, ...waiting })
  signedIn.decorateRequest('forget', null)
  signedIn.addHook('onRequest', async (request) => {
    const { headers, routeOptions } = request
    const isLarge = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > small
    if (!isLarge || routeOptions.config.takesUploads) return
    const leave = await turns.enter(String(request.context.user.id))
    if (request.raw.destroyed) {
      leave()
      throw new Refusal('tooManyRequests')
    }
    request.forget = leave
  })
  signedIn.addHook('onSend', async (request) => request.forget?.())
  signedIn.addHook('onResponse', async (request, reply) => {
    if (reply.sent) request.forget?.()
  })
  signedIn.addHook('onRequestAbort', async (request) => {
    // A body that has arrived stays in memory until its work has ended.
    if (!request.raw.complete) request.forget?.()
  })
}
