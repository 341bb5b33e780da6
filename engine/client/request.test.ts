// @vitest-environment jsdom
import type { ServerResponse } from 'node:http'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { json, listen, visit } from '../../tests/http.ts'
import { RequestError, isSilent } from './RequestError.ts'
import { fileNameOf } from './download.ts'
import { createRequest } from './request.ts'

const http = await listen()
const base = `${http.origin}/api`
const onUnauthorized = vi.fn()
const request = () => createRequest({ base, token: () => 'T-1', language: () => 'cn', onUnauthorized })

afterAll(http.close)
beforeEach(() => {
  http.seen = []
  onUnauthorized.mockClear()
  http.answer = json({ code: 1, message: '', result: { ok: true } })
})

const failure = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(RequestError)
  return error as RequestError
}

test("the base path is /api on the page's host", async () => {
  visit(`${http.origin}/#/customer`)
  expect(
    await createRequest({ token: () => 'T-1', language: () => 'cn', onUnauthorized }).get('/customer/list'),
  ).toEqual({ ok: true })
  expect(http.seen.map(({ path, headers }) => [path, headers.host])).toEqual([
    ['/api/customer/list', http.origin.slice('http://'.length)],
  ])
})

test('the methods are get, post, put and delete', async () => {
  const client = request()
  for (const verb of ['get', 'post', 'put', 'delete'] as const) await client[verb]('/a')
  expect(http.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/a',
    'POST /api/a',
    'PUT /api/a',
    'DELETE /api/a',
  ])
})

test('GET and DELETE send parameters, and every call sends the base parameters and headers', async () => {
  expect(
    await request().get('/customer/list', { page: 2, filters: { type: { in: ['a'] } }, empty: undefined }),
  ).toEqual({ ok: true })
  await request().delete('/customer', { id: 7 })
  await request().post('/customer', { id: 7 })
  await request().put('/customer', { id: 7 })
  const [get, del] = http.seen
  expect([get.method, get.path, get.query.get('page'), get.query.get('filters'), get.query.has('empty')]).toEqual([
    'GET',
    '/api/customer/list',
    '2',
    '{"type":{"in":["a"]}}',
    false,
  ])
  expect([del.method, del.query.get('id'), del.body]).toEqual(['DELETE', '7', ''])
  for (const { query, headers } of http.seen) {
    expect(Math.abs(Number(query.get('timestamp')) - Date.now())).toBeLessThan(60_000)
    expect([query.get('token'), query.get('language')]).toEqual(['T-1', 'zh-CN'])
    expect([headers.token, headers.language, headers.client, headers['client-version']]).toEqual([
      'T-1',
      'zh-CN',
      'web',
      '1.0.0',
    ])
    expect(headers['content-type']).toBe('application/json')
  }
})

test('POST and PUT send a JSON body, or form data', async () => {
  await request().post('/a', { id: 1 })
  await request().put('/a', { id: 2 })
  const form = new FormData()
  form.append('name', 'x')
  await request().post('/a', form)
  expect(http.seen.map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST'])
  expect([http.seen[0].body, http.seen[1].body]).toEqual(['{"id":1}', '{"id":2}'])
  expect(http.seen[0].headers['content-type']).toBe('application/json')
  expect(http.seen[0].query.get('token')).toBe('T-1')
  expect(http.seen[2].headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(http.seen[2].body).toMatch(/name="name"\r\n\r\nx\r\n/)
})

test('requests that write carry a key, and requests that read do not', async () => {
  const client = request()
  const form = new FormData()
  form.append('name', 'x')
  const writing: [string, () => Promise<unknown>][] = [
    ['post', () => client.post('/a', { id: 1 })],
    ['post without a body', () => client.post('/b')],
    ['post of form data', () => client.post('/c', form)],
    ['put', () => client.put('/d', { id: 1 })],
    ['delete', () => client.delete('/e', { id: 1 })],
    ['upload', () => client.upload(new File(['abc'], 'a.png'))],
  ]
  for (const [name, send] of writing) {
    http.seen = []
    await send()
    expect([name, http.seen[0].headers['idempotency-key']]).toEqual([name, expect.stringMatching(/^\d+(-\d+){3}$/)])
  }
  // This fails for methods missing from the list above.
  const reading = ['get', 'ahead', 'download', 'now']
  expect(Object.keys(client).toSorted()).toEqual(['post', 'put', 'delete', 'upload', ...reading].toSorted())
  http.seen = []
  await client.get('/a')
  expect(http.seen[0].headers['idempotency-key']).toBeUndefined()
})

test('a file sent again after a lost answer keeps its key, and two simultaneous files have two keys', async () => {
  const file = new File(['abc'], 'a.png')
  const keys = () => http.seen.map(({ headers }) => headers['idempotency-key'])
  http.answer = json(null, 502)
  await failure(request().upload(file))
  http.answer = json({ code: 1, message: '', result: {} })
  await request().upload(file)
  expect(new Set(keys()).size).toBe(1)
  const client = request()
  await Promise.all([client.upload(file), client.upload(file)])
  expect(new Set(keys().slice(-2)).size).toBe(2)
  expect(keys().slice(-2)).not.toContain(keys()[0])
})

test('a call times out after 180000 ms, an upload never', async () => {
  const set = vi.spyOn(XMLHttpRequest.prototype, 'timeout', 'set')
  const client = request()
  await client.get('/a')
  await client.post('/a')
  expect(set.mock.calls.map(([milliseconds]) => milliseconds)).toEqual([180_000, 180_000])
  await client.upload(new File(['abc'], 'a.png'))
  expect(http.seen[2].body).toMatch(/name="json"\r\n\r\n\{"file_type":0\}/)
  expect(set.mock.calls.slice(2).filter(([milliseconds]) => milliseconds !== 0)).toEqual([])
  set.mockRestore()
})

test('English is sent as en-US', async () => {
  await createRequest({ base, token: () => null, language: () => 'en', onUnauthorized }).get('/a')
  expect([http.seen[0].headers.language, http.seen[0].query.get('token')]).toEqual(['en-US', ''])
})

test('body: all resolves with the envelope', async () => {
  expect(await request().get('/a', {}, { body: 'all' })).toEqual({ code: 1, message: '', result: { ok: true } })
})

test('an envelope is read at any status, with its errors and its conflict', async () => {
  const errors = [{ field: 'name', code: 'unique', message: '客户名称已存在' }]
  http.answer = json({ code: 422, message: '客户名称已存在', result: null, errors }, 422)
  expect(await failure(request().post('/a'))).toMatchObject({
    code: 422,
    message: '客户名称已存在',
    errors,
    cancelled: false,
    silent: false,
  })
  const conflict = { revision: 3, fields: {}, by: 'x', at: '' }
  http.answer = json({ code: 409, message: '', result: null, conflict }, 200)
  expect(await failure(request().post('/a'))).toMatchObject({ code: 409, message: 'system error', conflict })
})

test.each([200, 201, 400, 401, 404, 500, 503])(
  'an answer of status %i succeeds or fails by its code',
  async (status) => {
    http.answer = json({ code: 1, message: '', result: { ok: status } }, status)
    expect(await request().get('/a')).toEqual({ ok: status })
    http.answer = json({ code: 5, message: '余额不足', result: null }, status)
    expect(await failure(request().get('/a'))).toMatchObject({ code: 5, message: '余额不足', silent: false })
    expect(onUnauthorized).not.toHaveBeenCalled()
  },
)

test.each([
  { code: 0, message: '' },
  { code: 2 },
  { code: 20000, message: '' },
  { code: -1, message: null },
  { code: 500, result: { ok: true } },
])('code $code without a message is a system error', async (envelope) => {
  http.answer = json(envelope)
  expect(await failure(request().post('/a'))).toMatchObject({
    code: envelope.code,
    message: 'system error',
    silent: false,
  })
})

test.each([200, 401])('code 401 leads to the sign-in page without a message, at status %i', async (status) => {
  http.answer = json({ code: 401, message: 'expired', result: null }, status)
  const error = await failure(request().get('/a'))
  expect([error.code, isSilent(error), onUnauthorized.mock.calls.length]).toEqual([401, true, 1])
  await failure(request().upload(new File(['abc'], 'a.png')))
  expect(onUnauthorized).toHaveBeenCalledTimes(2)
})

test('an answer without an envelope, or no answer, is a network failure', async () => {
  http.answer = (_, response) => void response.writeHead(502).end('<html>')
  expect(await failure(request().get('/a'))).toMatchObject({ code: 0, message: 'system error！' })
  http.answer = (_, response) => void response.destroy()
  expect(await failure(request().get('/a'))).toMatchObject({ code: 0, message: 'system error！', silent: false })
  http.answer = () => {}
  expect(await failure(request().get('/a', {}, { timeout: 20 }))).toMatchObject({ message: 'system error！' })
  const nobody = createRequest({
    base: 'http://127.0.0.1:1/api',
    token: () => null,
    language: () => 'cn',
    onUnauthorized,
  })
  expect(await failure(nobody.get('/a'))).toMatchObject({ code: 0, message: 'system error！', silent: false })
})

test('a request keeps its key until an answer says what became of it', async () => {
  const client = request()
  const post = () => client.post('/customer/create', { values: { name: '甲' } }).catch(() => undefined)
  const gateway = (_: unknown, response: ServerResponse) => void response.writeHead(504).end('<h1>Gateway Timeout</h1>')
  for (const answer of [gateway, json({ code: 503, message: '' }, 503), json({ code: 1, message: '', result: {} })]) {
    http.answer = answer
    await post()
  }
  await post()
  // Requests that an earlier test abandoned may arrive only now.
  const [first, second, third, next] = http.seen.flatMap(({ headers }) => headers['idempotency-key'] ?? [])
  expect(first).toBeDefined()
  expect([second, third]).toEqual([first, first])
  expect(next).not.toBe(first)
})

test('the earlier of two calls with the same method field is silently cancelled', async () => {
  http.answer = ({ query }, response) => {
    if (query.get('n') === '2') json({ code: 1, message: '', result: 2 })(http.seen[0], response)
  }
  const client = request()
  const first = failure(client.get('/a', { method: 'customer.search', n: 1 }))
  expect(await client.get('/a', { method: 'customer.search', n: 2 })).toBe(2)
  expect(await first).toMatchObject({ cancelled: true, silent: true })
})

test('calls with other method fields or none are not cancelled; form data with the same one is', async () => {
  const form = (method: string) => {
    const data = new FormData()
    data.append('method', method)
    return data
  }
  const held: ServerResponse[] = []
  http.answer = (_, response) => held.push(response)
  const client = request()
  const replaced = failure(client.post('/a', form('form.save')))
  const kept = [
    client.get('/a', { method: 'a' }),
    client.get('/a', { method: 'b' }),
    client.get('/a'),
    client.get('/a'),
    client.post('/a', form('form.save')),
  ]
  await vi.waitFor(() => expect(held.length).toBeGreaterThanOrEqual(kept.length))
  for (const response of held) json({ code: 1, message: '', result: 'kept' })(http.seen[0], response)
  expect(await Promise.all(kept)).toEqual(kept.map(() => 'kept'))
  expect(await replaced).toMatchObject({ cancelled: true, silent: true })
})

test('the call that replaced a cancelled one can be cancelled by a third', async () => {
  http.answer = ({ query }, response) => {
    if (query.get('n') === '3') json({ code: 1, message: '', result: 3 })(http.seen[0], response)
  }
  const client = request()
  const [first, second] = [1, 2].map((n) => failure(client.get('/a', { method: 'search', n })))
  expect(await first).toMatchObject({ cancelled: true })
  expect(await client.get('/a', { method: 'search', n: 3 })).toBe(3)
  expect(await second).toMatchObject({ cancelled: true })
})

test('with debounceAll, the later of two calls is cancelled', async () => {
  const answers: ServerResponse[] = []
  http.answer = (_, response) => answers.push(response)
  const client = request()
  const first = client.post('/a', { method: 'save' })
  expect(await failure(client.post('/a', { method: 'save' }, { debounceAll: true }))).toMatchObject({ cancelled: true })
  await vi.waitFor(() => expect(answers).toHaveLength(1))
  json({ code: 1, message: '', result: 'kept' })(http.seen[0], answers[0])
  expect(await first).toBe('kept')
  http.answer = json({ code: 1, message: '', result: 'again' })
  expect(await client.post('/a', { method: 'save' }, { debounceAll: true })).toBe('again')
})

test('an aborted signal cancels a call silently', async () => {
  http.answer = () => {}
  const controller = new AbortController()
  const call = failure(request().get('/a', {}, { signal: controller.signal }))
  controller.abort()
  const silently = { cancelled: true, silent: true }
  expect(await call).toMatchObject(silently)
  expect(await failure(request().get('/a', {}, { signal: controller.signal }))).toMatchObject(silently)
})

test('an upload sends the file and its type; progress ends at 100 after the answer', async () => {
  http.answer = json({ code: 1, message: '', result: { url: '/files/1', name: 'a.png', size: 3 } })
  const progress: number[] = []
  expect(await request().upload(new File(['abc'], 'a.png'), 2, (percent) => progress.push(percent))).toMatchObject({
    url: '/files/1',
  })
  expect(http.seen[0].path).toBe('/api/common/upload')
  expect(http.seen[0].body).toContain('name="file"; filename="a.png"')
  expect(http.seen[0].body).toMatch(/name="json"\r\n\r\n\{"file_type":2\}/)
  expect(progress.at(-1)).toBe(100)
  expect(Math.max(...progress.slice(0, -1), 0)).toBeLessThanOrEqual(99)
})

test('a download is saved under the name that the server sends', async () => {
  http.answer = (_, response) =>
    void response
      .writeHead(200, {
        'content-type': 'application/vnd.ms-excel',
        'content-disposition': `attachment; filename="x.xlsx"; filename*=UTF-8''${encodeURIComponent('客户.xlsx')}`,
      })
      .end('data')
  const names: string[] = []
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click')
  click.mockImplementation(function save(this: HTMLAnchorElement) {
    names.push(this.download)
  })
  await request().download('/customer/export', { tab: { a: 1 } })
  expect(names).toEqual(['客户.xlsx'])
  expect(http.seen[0].query.get('tab')).toBe('{"a":1}')
  http.answer = json({ code: 403, message: '无权', result: null }, 403)
  expect(await failure(request().download('/customer/export'))).toMatchObject({ code: 403, message: '无权' })
  click.mockRestore()
})

test("the business clock is the server's", async () => {
  http.answer = (found, response) => {
    response.setHeader('x-business-time', '2026-03-15 10:00:00')
    json({ code: 1, message: '', result: 1 })(found, response)
  }
  const client = request()
  expect(client.now()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  await client.get('/a')
  expect(client.now().slice(0, 10)).toBe('2026-03-15')
})

test('reads file names from the header', () => {
  expect(fileNameOf('attachment; filename=a.xlsx')).toBe('a.xlsx')
  expect(fileNameOf('attachment; filename="a b.xlsx"')).toBe('a b.xlsx')
  expect(fileNameOf(undefined)).toBeUndefined()
})

test('reports answers under other schema files with their hash, from the second hash on', async () => {
  const reported: string[] = []
  const client = createRequest({
    base,
    token: () => 'T-1',
    language: () => 'cn',
    onUnauthorized,
    onSchemas: (hash) => reported.push(hash),
  })
  for (const hash of ['a', 'a', 'b', 'b', 'a']) {
    http.answer = (incoming, response) => {
      response.setHeader('x-catalog', hash)
      json({ code: 1, message: '', result: null })(incoming, response)
    }
    await client.get('/customer/list')
  }
  expect(reported).toEqual(['b', 'a'])
})

test('reports schema files and settings that changed in one answer once, because the files renew all that settings do', async () => {
  const reported: string[] = []
  const client = createRequest({
    base,
    token: () => 'T-1',
    language: () => 'cn',
    onUnauthorized,
    onSchemas: (hash) => reported.push(`files ${hash}`),
    onSettings: () => reported.push('settings'),
  })
  for (const [hash, version] of [
    ['a', 1],
    ['b', 2],
    ['b', 3],
  ]) {
    http.answer = (incoming, response) => {
      response.setHeader('x-catalog', hash)
      response.setHeader('x-settings-version', version)
      json({ code: 1, message: '', result: null })(incoming, response)
    }
    await client.get('/customer/list')
  }
  expect(reported).toEqual(['files b', 'settings'])
})

test('keeps the result that accompanies a refusal', async () => {
  http.answer = json({ code: 422, message: '配置文件有误', result: { issues: [{ code: 'syntax' }] } }, 422)
  expect((await failure(request().post('/schemas/reload'))).result).toEqual({ issues: [{ code: 'syntax' }] })
})

test('a request sent ahead is not sent again when the same is requested', async () => {
  const client = request()
  client.ahead('/customer/list', { page: 1 })
  expect(await client.get('/customer/list', { page: 1 })).toEqual({ ok: true })
  expect(http.seen).toHaveLength(1)
  await client.get('/customer/list', { page: 1 })
  expect(http.seen).toHaveLength(2)
})

test('a refusal received ahead is reported on request, and a write discards earlier answers', async () => {
  const client = request()
  http.answer = json({ code: 403, message: '无权', result: null }, 403)
  client.ahead('/customer/list')
  expect((await failure(client.get('/customer/list'))).code).toBe(403)
  expect(http.seen).toHaveLength(1)
  http.answer = json({ code: 1, message: '', result: 1 })
  client.ahead('/customer/list')
  await client.post('/customer/update', {})
  await client.get('/customer/list')
  expect(http.seen.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'GET'])
})
