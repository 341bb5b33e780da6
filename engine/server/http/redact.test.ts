import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { redacted, withoutValues } from './redact.ts'
import { createServer } from '../server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

it('removes the token from an address, and leaves the rest', () => {
  expect(redacted('GET /api/a?timestamp=1&token=abc-DEF_1&language=cn')).toBe(
    'GET /api/a?timestamp=1&token=***&language=cn',
  )
  expect(redacted('at "/a?token=abc" and /b?x=1&Token=abc')).toBe('at "/a?token=***" and /b?x=1&Token=***')
  expect(redacted('/a?%74oken=abc&t%6Fke%6e=abc')).toBe('/a?%74oken=***&t%6Fke%6e=***')
  expect(redacted('/x?next=/a?token=abc&y=1')).toBe('/x?next=/a?token=***&y=1')
  expect(redacted('/x?token=a?b&y=1')).toBe('/x?token=***&y=1')
  expect(redacted('/setting/token?tokens=3')).toBe('/setting/token?tokens=3')
})

it('no line of the log contains a token, on success or failure', async () => {
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

it('no line of the log contains a value that the database was given, however nested the error', async () => {
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
  const value = '110101199003070038'
  const error = (message: string) =>
    Object.assign(new Error(message), {
      severity: 'ERROR',
      code: '23505',
      table: 'person',
      detail: `Key ("idNumber")=(${value}) already exists.`,
      where: `unnamed portal parameter $1 = '${value}'`,
    })
  const bare = error(`invalid input syntax for type bigint: "x"\n${value}"`)
  server.get('/broken', () => {
    throw bare
  })
  await server.inject('/broken')
  server.log.error(bare)
  server.log.error({ err: error(`value "${value}" is out of range for type integer`) }, 'nobody caught it')
  const outer = new Error(`daily: ${String(bare)}`, { cause: new AggregateError([bare], 'two', { cause: bare }) })
  server.log.error(outer)
  await server.close()
  expect(lines.join('')).toContain('daily: Error: invalid input syntax for type bigint')
  expect(lines.join('')).toContain('value is out of range for type integer')
  expect(lines.join('')).not.toContain(value)
  expect(lines.filter((line) => line.includes('"code":"23505"')).length).toBeGreaterThan(2)
})

it('does not search a quoted value again from each of its quotes', { timeout: 5_000 }, () => {
  const error = Object.assign(new Error(`invalid input: "${': "'.repeat(50_000)}"`), { severity: 'ERROR', stack: '' })
  expect(withoutValues(error).message).toBe('invalid input')
  const beyond = Object.assign(new Error(`value "${' "'.repeat(50_000)}" is out of range for type integer`), {
    severity: 'ERROR',
    stack: '',
  })
  expect(withoutValues(beyond).message).toBe('value is out of range for type integer')
})
