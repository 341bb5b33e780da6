import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../../tests/server.ts'
import { redacted } from './redact.ts'
import { createServer } from './server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

it('takes what opens a session out of an address, and leaves the rest', () => {
  expect(redacted('GET /api/a?timestamp=1&token=abc-DEF_1&language=cn')).toBe(
    'GET /api/a?timestamp=1&token=***&language=cn',
  )
  expect(redacted('at "/a?token=abc" and /b?x=1&Token=abc')).toBe('at "/a?token=***" and /b?x=1&Token=***')
  expect(redacted('/setting/token?tokens=3')).toBe('/setting/token?tokens=3')
})

it('no line of the log tells a token, whether all goes well or not', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const server = await createServer({
    runtime: house.runtime,
    compile: () => ({ issues: [] }),
    logger: { level: 'trace', stream },
  })
  server.get('/broken', (request) => {
    throw new Error(`nothing at ${request.url}`, { cause: new Error(request.url) })
  })
  const token = 'secret-token-of-mine'
  for (const url of ['/api/plans/app', '/api/nowhere', '/nowhere', '/api/vue-element-admin/user/info', '/broken'])
    await server.inject({ url: `${url}?timestamp=1&token=${token}&language=zh-CN`, headers: { token } })
  await server.close()
  expect(lines.join('')).toContain('token=***')
  expect(lines.join('')).toContain('nothing at')
  expect(lines.join('')).not.toContain(token)
})
