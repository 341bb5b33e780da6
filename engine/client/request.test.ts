// @vitest-environment jsdom
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { RequestError, createRequest, fileNameOf, isSilent } from './request.ts'

interface Seen { method: string; path: string; query: URLSearchParams; headers: IncomingMessage['headers']; body: string }
let seen: Seen[] = []
let answer: (request: Seen, response: ServerResponse) => void
let server: Server
let base: string
const onUnauthorized = vi.fn()
const request = () => createRequest({ base, token: () => 'T-1', language: () => 'cn', onUnauthorized })
const json = (value: unknown, status = 200) => (_: Seen, response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

beforeAll(async () => {
  server = createServer((message, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    response.setHeader('access-control-allow-methods', '*')
    response.setHeader('access-control-expose-headers', '*')
    if (message.method === 'OPTIONS') return void response.writeHead(204).end()
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const url = new URL(message.url!, 'http://x')
      const { method, headers } = message
      const found = { method: method!, path: url.pathname, query: url.searchParams, headers, body: Buffer.concat(chunks).toString() }
      seen.push(found)
      answer(found, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
})
afterAll(() => new Promise((resolve) => {
  server.closeAllConnections()
  server.close(resolve)
}))
beforeEach(() => {
  seen = []
  onUnauthorized.mockClear()
  answer = json({ code: 1, message: '', result: { ok: true } })
})

const failure = async (promise: Promise<unknown>) => {
  const error = await promise.then(() => undefined, (reason: unknown) => reason)
  expect(error).toBeInstanceOf(RequestError)
  return error as RequestError
}

test('GET and DELETE send parameters, and every call the base parameters and headers', async () => {
  expect(await request().get('/customer/list', { page: 2, filters: { type: { in: ['a'] } }, empty: undefined })).toEqual({ ok: true })
  await request().delete('/customer', { id: 7 })
  const [get, del] = seen
  expect(get.headers['content-type']).toBe('application/json')
  expect([get.method, get.path, get.query.get('page'), get.query.get('filters'), get.query.has('empty')])
    .toEqual(['GET', '/api/customer/list', '2', '{"type":{"in":["a"]}}', false])
  expect([del.method, del.query.get('id'), del.body]).toEqual(['DELETE', '7', ''])
  for (const { query, headers } of seen) {
    expect(Math.abs(Number(query.get('timestamp')) - Date.now())).toBeLessThan(60_000)
    expect([query.get('token'), query.get('language')]).toEqual(['T-1', 'zh-CN'])
    expect([headers.token, headers.language, headers.client, headers['client-version']]).toEqual(['T-1', 'zh-CN', 'web', '1.0.0'])
  }
})

test('POST and PUT send a JSON body, or form data', async () => {
  await request().post('/a', { id: 1 })
  await request().put('/a', { id: 2 })
  const form = new FormData()
  form.append('name', 'x')
  await request().post('/a', form)
  expect(seen.map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST'])
  expect([seen[0].body, seen[1].body]).toEqual(['{"id":1}', '{"id":2}'])
  expect(seen[0].headers['content-type']).toBe('application/json')
  expect(seen[0].query.get('token')).toBe('T-1')
  expect(seen[2].headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
})

test('English is en-US', async () => {
  await createRequest({ base, token: () => null, language: () => 'en', onUnauthorized }).get('/a')
  expect([seen[0].headers.language, seen[0].query.get('token')]).toEqual(['en-US', ''])
})

test('body: all resolves with the envelope', async () => {
  expect(await request().get('/a', {}, { body: 'all' })).toEqual({ code: 1, message: '', result: { ok: true } })
})

test('an envelope is read from any status, with its errors and its conflict', async () => {
  const errors = [{ field: 'name', code: 'unique', message: '客户名称已存在' }]
  answer = json({ code: 422, message: '客户名称已存在', result: null, errors }, 422)
  expect(await failure(request().post('/a'))).toMatchObject({ code: 422, message: '客户名称已存在', errors, cancelled: false, silent: false })
  const conflict = { revision: 3, fields: {}, by: 'x', at: '' }
  answer = json({ code: 409, message: '', result: null, conflict }, 200)
  expect(await failure(request().post('/a'))).toMatchObject({ code: 409, message: 'system error', conflict })
})

test('401 leads to the sign-in page and shows nothing', async () => {
  answer = json({ code: 401, message: 'expired', result: null }, 401)
  const error = await failure(request().get('/a'))
  expect([error.code, isSilent(error), onUnauthorized.mock.calls.length]).toEqual([401, true, 1])
})

test('an answer without an envelope, or none, is a network failure', async () => {
  answer = (_, response) => void response.writeHead(502).end('<html>')
  expect(await failure(request().get('/a'))).toMatchObject({ code: 0, message: 'system error！' })
  answer = (_, response) => void response.destroy()
  expect(await failure(request().get('/a'))).toMatchObject({ code: 0, message: 'system error！', silent: false })
  answer = () => {}
  expect(await failure(request().get('/a', {}, { timeout: 20 }))).toMatchObject({ message: 'system error！' })
})

test('of two calls with the same method field the earlier is cancelled, silently', async () => {
  answer = ({ query }, response) => { if (query.get('n') === '2') json({ code: 1, message: '', result: 2 })(seen[0], response) }
  const client = request()
  const first = failure(client.get('/a', { method: 'customer.search', n: 1 }))
  expect(await client.get('/a', { method: 'customer.search', n: 2 })).toBe(2)
  expect(await first).toMatchObject({ cancelled: true, silent: true })
})

test('with debounceAll the new one is', async () => {
  const answers: ServerResponse[] = []
  answer = (_, response) => answers.push(response)
  const client = request()
  const first = client.post('/a', { method: 'save' })
  expect(await failure(client.post('/a', { method: 'save' }, { debounceAll: true }))).toMatchObject({ cancelled: true })
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  json({ code: 1, message: '', result: 'kept' })(seen[0], answers[0])
  expect(await first).toBe('kept')
  answer = json({ code: 1, message: '', result: 'again' })
  expect(await client.post('/a', { method: 'save' }, { debounceAll: true })).toBe('again')
})

test('a signal cancels silently', async () => {
  answer = () => {}
  const controller = new AbortController()
  const call = failure(request().get('/a', {}, { signal: controller.signal }))
  controller.abort()
  expect(await call).toMatchObject({ cancelled: true })
  expect(await failure(request().get('/a', {}, { signal: controller.signal }))).toMatchObject({ cancelled: true })
})

test('an upload sends the file and its type; progress ends at 100 after the answer', async () => {
  answer = json({ code: 1, message: '', result: { url: '/files/1', name: 'a.png', size: 3 } })
  const progress: number[] = []
  expect(await request().upload(new File(['abc'], 'a.png'), 2, (percent) => progress.push(percent))).toMatchObject({ url: '/files/1' })
  expect(seen[0].path).toBe('/api/common/upload')
  expect(seen[0].body).toContain('name="file"; filename="a.png"')
  expect(seen[0].body).toMatch(/name="json"\r\n\r\n\{"file_type":2\}/)
  expect(progress.at(-1)).toBe(100)
  expect(Math.max(...progress.slice(0, -1), 0)).toBeLessThanOrEqual(99)
})

test('a download is saved under the name that the server gives', async () => {
  answer = (_, response) => void response.writeHead(200, {
    'content-type': 'application/vnd.ms-excel',
    'content-disposition': `attachment; filename="x.xlsx"; filename*=UTF-8''${encodeURIComponent('客户.xlsx')}`,
  }).end('data')
  const names: string[] = []
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click')
  click.mockImplementation(function save(this: HTMLAnchorElement) { names.push(this.download) })
  await request().download('/customer/export', { tab: { a: 1 } })
  expect(names).toEqual(['客户.xlsx'])
  expect(seen[0].query.get('tab')).toBe('{"a":1}')
  answer = json({ code: 403, message: '无权', result: null }, 403)
  expect(await failure(request().download('/customer/export'))).toMatchObject({ code: 403, message: '无权' })
  click.mockRestore()
})

test('the business clock is the server\'s', async () => {
  answer = (found, response) => {
    response.setHeader('x-business-time', '2026-03-15 10:00:00')
    json({ code: 1, message: '', result: 1 })(found, response)
  }
  const client = request()
  expect(client.now()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  await client.get('/a')
  expect(client.now().slice(0, 10)).toBe('2026-03-15')
})

test('file names', () => {
  expect(fileNameOf('attachment; filename=a.xlsx')).toBe('a.xlsx')
  expect(fileNameOf('attachment; filename="a b.xlsx"')).toBe('a b.xlsx')
  expect(fileNameOf(undefined)).toBeUndefined()
})
