import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { load } from './requests.ts'

test('a save has its own key, as from the browser, and a read has none', async () => {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    request.resume().on('end', () => response.end('{}'))
  })
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', () => done())
  })
  const { port } = server.address() as AddressInfo
  let count = 0
  const next = () => (count++ % 2 ? { path: '/thing/list' } : { path: '/thing/create', body: { values: {} } })
  await load({ url: `http://127.0.0.1:${port}`, token: 't' }, { seconds: 0.05, atOnce: 20 }, next)
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
  const keysOf = (method: string) =>
    seen.filter((message) => message.method === method).map(({ headers }) => headers['idempotency-key'])
  const keys = keysOf('POST')
  expect([keys.length > 1, new Set(keys).size === keys.length, keys.includes(undefined)]).toEqual([true, true, false])
  expect(new Set(keysOf('GET'))).toEqual(new Set([undefined]))
})
