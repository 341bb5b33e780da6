import type { FastifyInstance } from 'fastify'

const second = 1000

export interface TimeLimits {
  /** Milliseconds for the headers of a request. */
  headers: number
  /** For a body that is not an upload. */
  body: number
  /** For any request: a large file over a slow line. */
  request: number
}

export const usualTimeLimits: TimeLimits = { headers: 20 * second, body: 60 * second, request: 1800 * second }

/** The limits that Node enforces, with checks frequent enough to keep them closely. */
export const serverLimits = ({ headers, request }: TimeLimits) => ({
  requestTimeout: request,
  http: {
    headersTimeout: headers,
    connectionsCheckingInterval: Math.max(50, Math.min(headers, request) / 4),
  },
})

/** Cuts off bodies that arrive too slowly, except uploads: all others are small. */
export function limitBodies(server: FastifyInstance, { body }: TimeLimits): void {
  const waiting = new WeakMap<object, NodeJS.Timeout>()
  const end = (request: object) => clearTimeout(waiting.get(request))
  server.addHook('onRequest', async (request) => {
    const { headers, raw } = request
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
    if (!hasBody || headers['content-type']?.startsWith('multipart/')) return
    const timer = setTimeout(() => {
      raw.socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      raw.socket.destroySoon()
    }, body)
    waiting.set(request, timer.unref())
  })
  server.addHook('preValidation', async (request) => end(request))
  server.addHook('onResponse', async (request) => end(request))
  server.addHook('onRequestAbort', async (request) => end(request))
}
