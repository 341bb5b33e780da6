import { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body may take as long as the whole request. */
    takesUploads?: boolean
  }
}

const second = 1000

export interface TimeLimits {
  /** Milliseconds for a request's headers. */
  headers: number
  /** Milliseconds for a body that is not an upload. */
  body: number
  /** Milliseconds for any request, such as a large file over a slow line. */
  request: number
}

export const usualTimeLimits: TimeLimits = { headers: 20 * second, body: 60 * second, request: 1800 * second }

/** The limits that Node enforces, with frequent enough checks to be precise. */
export const serverLimits = ({ headers, request }: TimeLimits) => ({
  requestTimeout: request,
  http: {
    headersTimeout: headers,
    connectionsCheckingInterval: Math.max(50, Math.min(headers, request) / 4),
  },
})

/** Cuts off bodies that arrive too slowly, whether answered or not, except uploads until they are answered. */
export function limitBodies(server: FastifyInstance, { body }: TimeLimits): void {
  const waiting = new WeakMap<object, NodeJS.Timeout>()
  const end = (request: object) => clearTimeout(waiting.get(request))
  const begin = (request: FastifyRequest, reply: FastifyReply) => {
    const { raw } = request
    // Requests injected by tests have no connection.
    if (!(raw instanceof IncomingMessage)) return
    const timer = setTimeout(() => {
      if (raw.complete) return
      // A second answer would be taken as that to the next request.
      if (reply.raw.headersSent) raw.socket.destroy()
      else raw.socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      raw.socket.destroySoon()
    }, body)
    waiting.set(request, timer.unref())
  }
  server.addHook('onRequest', async (request, reply) => {
    const { headers, routeOptions } = request
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
    if (hasBody && !routeOptions.config.takesUploads) begin(request, reply)
  })
  server.addHook('preValidation', async (request) => {
    if (request.raw.complete) end(request)
  })
  server.addHook('onResponse', async (request, reply) => {
    if (request.raw.complete) end(request)
    else if (!waiting.has(request)) begin(request, reply)
  })
  server.addHook('onRequestAbort', async (request) => end(request))
}
