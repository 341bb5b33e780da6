import type { FastifyInstance } from 'fastify'

const second = 1000

export interface TimeLimits {
  /** Milliseconds in which the headers of a request are there. */
  headers: number
  /** In which a body is there that is no upload. */
  body: number
  /** In which any request is there: a large file over a slow line. */
  request: number
}

export const usualTimeLimits: TimeLimits = { headers: 20 * second, body: 60 * second, request: 1800 * second }

/** What the server itself keeps to: it looks at its connections so often that a limit is hardly passed. */
export const serverLimits = ({ headers, request }: TimeLimits) => ({
  requestTimeout: request,
  http: {
    headersTimeout: headers,
    connectionsCheckingInterval: Math.max(50, Math.min(headers, request) / 4),
  },
})

/** Whoever sends a body by the drop is cut off: what is no upload is small. */
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
