/** A real HTTP server that answers as a test defines, and records its requests. */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
}
export type Answer = (request: ReceivedRequest, response: ServerResponse) => void

export const json =
  (value: unknown, status = 200): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }

/** @returns its origin (`http://127.0.0.1:4711`), the requests so far, and the answer, which a test may replace */
export async function listen(answer: Answer = json(null)) {
  const http = { origin: '', seen: [] as ReceivedRequest[], answer, close }
  const server = createServer((message, response) => {
    for (const name of ['origin', 'headers', 'methods']) response.setHeader(`access-control-allow-${name}`, '*')
    response.setHeader('access-control-expose-headers', '*')
    if (message.method === 'OPTIONS') return void response.writeHead(204).end()
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const { pathname: path, searchParams: query } = new URL(message.url!, 'http://x')
      const request = {
        method: message.method!,
        path,
        query,
        headers: message.headers,
        body: Buffer.concat(chunks).toString(),
      }
      http.seen.push(request)
      http.answer(request, response)
    })
  })
  function close() {
    server.closeAllConnections()
    return new Promise<unknown>((resolve) => {
      server.close(resolve)
    })
  }
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  http.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return http
}

interface Page {
  reconfigure(to: { url: string }): void
  virtualConsole: { on(event: 'jsdomError', listener: (error: Error) => void): void }
}
/** The page that jsdom simulates. */
export const page = (globalThis as unknown as { jsdom: Page }).jsdom

/**
 * Moves the page to this address, so that relative addresses resolve against it. This does not apply to `fetch`, which
 * is Node's and needs an absolute address.
 */
export const visit = (address: string): void => page.reconfigure({ url: address })
