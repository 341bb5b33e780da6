import { type ClientRequest, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Refusal } from '../errors.ts'
import { small, takeBodyTurns } from './bodyTurns.ts'

let server: FastifyInstance
let arrived: number
let gone: number
let requested: number
beforeEach(() => listen({ waiting: 0, waitingPerKey: 0 }))
async function listen(queue: { waiting: number; waitingPerKey: number }): Promise<void> {
  ;[requested, arrived, gone] = [0, 0, 0]
  server = Fastify()
  server.decorateRequest('context', {
    getter() {
      return { user: { id: this.headers.token } } as never
    },
  })
  server.setErrorHandler((error, _request, reply) => {
    reply.code(error instanceof Refusal ? error.status : 500).send({})
  })
  server.addHook('onRequest', async (_request) => void requested++)
  takeBodyTurns(server, queue)
  server.addHook('onRequest', async (_request) => void arrived++)
  server.addHook('onRequestAbort', async (_request) => void gone++)
  server.post('/save', async () => ({}))
  server.post('/upload', { config: { takesUploads: true } }, async () => ({}))
  await server.listen({ host: '127.0.0.1', port: 0 })
}
afterEach(close)
async function close(): Promise<void> {
  server.server.closeAllConnections()
  await server.close()
}

const body = JSON.stringify({ text: 'x'.repeat(small) })
function begin(token: string, { path = '/save', chunked = false } = {}): ClientRequest {
  const { port } = server.server.address() as AddressInfo
  const headers = { token, 'content-type': 'application/json', ...(!chunked && { 'content-length': body.length }) }
  const sent = request({ agent: false, port, host: '127.0.0.1', method: 'POST', path, headers })
  sent.on('error', () => {})
  sent.write(body.slice(0, 10))
  return sent
}
const answerOf = (sent: ClientRequest) =>
  new Promise<number | undefined>((resolve) => {
    sent.once('response', (answer) => answer.resume().once('end', () => resolve(answer.statusCode)))
  })
const ended = (sent: ClientRequest) => {
  const answer = answerOf(sent)
  sent.end(body.slice(10))
  return answer
}

test.each([false, true])('a third large body of a user is refused before it is read (chunked: %s)', async (chunked) => {
  const open = [begin('1', { chunked }), begin('1', { chunked })]
  await vi.waitUntil(() => arrived === 2)
  expect(await answerOf(begin('1', { chunked }))).toBe(429)
  expect(await ended(begin('2'))).toBe(200)
  expect(await ended(begin('1', { path: '/upload' }))).toBe(200)
  const { statusCode } = await server.inject({
    method: 'POST',
    url: '/save',
    headers: { token: '1' },
    payload: { a: 1 },
  })
  expect(statusCode).toBe(200)
  expect(await Promise.all(open.map(ended))).toEqual([200, 200])
  expect(await ended(begin('1'))).toBe(200)
})

test('an aborted body frees its turn', async () => {
  const open = [begin('1'), begin('1')]
  await vi.waitUntil(() => arrived === 2)
  for (const request of open) request.destroy()
  await vi.waitUntil(() => gone === 2)
  expect(await Promise.all([begin('1'), begin('1')].map(ended))).toEqual([200, 200])
})

test('all users together are limited', async () => {
  const open = Array.from({ length: 16 }, (_, user) => begin(String(user)))
  await vi.waitUntil(() => arrived === 16)
  expect(await answerOf(begin('another'))).toBe(429)
  expect(await Promise.all(open.map(ended))).toEqual(Array.from({ length: 16 }, () => 200))
})

test('who waits for a turn and leaves takes none', async () => {
  await close()
  await listen({ waiting: 1, waitingPerKey: 1 })
  const all = Array.from({ length: 16 }, (_, index) => begin(String(index)))
  await vi.waitUntil(() => arrived === 16)
  const late = begin('late')
  await vi.waitUntil(() => requested === 17)
  late.destroy()
  await vi.waitUntil(() => gone === 1)
  all[0].destroy()
  await vi.waitUntil(() => gone === 2)
  expect(await ended(begin('0'))).toBe(200)
})
