import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { createServer } from '../server.ts'
import { usualTimeLimits } from './timeLimits.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

describe('a malformed request', () => {
  const get = async (url: string) =>
    (await house.server.inject({ url: `/api${url}`, headers: { token: house.admin.token } })).json()

  it('is refused with a NUL in its address, or with a repeated parameter', async () => {
    const refused = { code: 422, message: expect.stringContaining('请求格式不正确') }
    for (const url of [
      '/preferences?key=a%00b',
      '/customer/list?search=%00',
      '/customer/list?page=1&page=2',
      '/customer/list?filters=%7B%22name%22%3A%7B%22contains%22%3A%22%5Cu0000%22%7D%7D',
      '/customer/list?filters=%7B%22name%22%3A%7B%22contains%22%3A%22%5Cud800%22%7D%7D',
      '/files/a%00b/c.png',
    ])
      expect(await get(url), url).toMatchObject(refused)
    expect((await house.server.inject({ url: '/api/plans/public?a=%00' })).statusCode).toBe(422)
  })

  it('is refused if its body cannot be stored and returned unchanged', async () => {
    for (const value of ['a\u0000', ['\ud800'], { deep: { 'a\u0000': 1 } }, 2 ** 60])
      expect(await house.admin.post('/preferences', { key: 'x', value }), JSON.stringify(value)).toMatchObject({
        status: 422,
      })
    expect(await house.admin.post('/preferences', { key: 'x', value: 'x'.repeat(200_000) })).toMatchObject({
      status: 422,
    })
    const login = await house.server.inject({
      method: 'POST',
      url: '/api/vue-element-admin/user/login',
      payload: { username: 'a\u0000', password: 'x' },
    })
    expect(login.json()).toMatchObject({ code: 60422, data: null })
  })

  it('is refused with a date or number that does not exist', async () => {
    const list = async (filters: object) => (await house.admin.get('/customer/list', { filters })).status
    for (const filters of [
      { submissionTime: { between: ['2026-02-30', null] } },
      { establishedDate: { equals: '0000-01-01' } },
      { statementDay: { equals: '99999999999' } },
      { supportStaff: { equals: 1.5 } },
      { supportStaff: { in: [2 ** 60] } },
    ])
      expect(await list(filters), JSON.stringify(filters)).toBe(422)
    expect(await list({ creditLimit: { between: ['9'.repeat(30), null] } })).toBe(200)
    expect(await list({ submissionTime: { between: ['2024-02-29', null] } })).toBe(200)
  })

  it('is refused with a page number that is too high', async () => {
    const page = (value: string, size: number, path: string) => house.admin.get(path, { page: value, size })
    for (const path of ['/setting/department/list', '/setting/department/options', '/customer/list'])
      for (const [value, size] of [
        ['999999999999999', 10_000],
        ['9'.repeat(30), 1],
      ] as const)
        expect((await page(value, size, path)).status, `${path} ${value}`).toBe(422)
    expect((await page('1000000', 10_000, '/setting/department/list')).status).toBe(200)
  })

  it('is refused with the field of the wrong value, whatever else depends on it', async () => {
    const name = { cn: '张三' }
    for (const [path, values, field] of [
      ['/setting/department/create', { name: '新部门', parent: '吴中区' }, 'parent'],
      ['/salary/specialDeduction/create', { person: true }, 'person'],
    ] as const)
      expect(
        (await house.admin.post(path, { values })).errors?.map((error) => error.field),
        path,
      ).toContain(field)
    const form = { typed: ['items'], parameters: {} }
    for (const [path, values] of [
      ['/settlement/invoice/suggest', { allocations: 'none', statements: { id: 1 }, items: [name] }],
      ['/welfare/otherBenefit/suggest', { customer: 1, contractCustomer: name }],
      ['/welfare/otherBenefit/suggest', {}],
    ] as const)
      expect(await house.admin.post(path, { ...form, values }), path).toMatchObject({ code: 1 })
  })

  it('is refused with the missing parameter if it names no record', async () => {
    for (const path of ['/settlement/receipt/claim', '/settlement/receipt/claim/prepare', '/settlement/receipt/refund'])
      expect(await house.admin.post(path, { values: {} }), path).toMatchObject({
        message: '请求格式不正确：id, ids (1–1000)',
      })
  })
})

describe('time limits', () => {
  /** The server's answer, until it closes, on a connection that sends `text` and then nothing. */
  async function slow(text: string, limits: Partial<typeof usualTimeLimits>): Promise<string> {
    const server = await createServer({
      runtime: house.runtime,
      compile: () => ({ issues: [] }),
      timeLimits: { ...usualTimeLimits, ...limits },
    })
    await server.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect({ host: '127.0.0.1', port: (server.server.address() as { port: number }).port })
    socket.write(text)
    let received = ''
    for await (const chunk of socket) received += String(chunk)
    await server.close()
    return received
  }

  it('apply to headers and bodies', async () => {
    expect(await slow('GET /api/health HTTP/1.1\r\nhost: x\r\n', { headers: 60 })).toContain('408')
    const post = 'POST /api/vue-element-admin/user/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
    expect(await slow(`${post}content-length: 100\r\n\r\n{"user`, { body: 60 })).toContain('408')
    expect(await slow(`${post}transfer-encoding: chunked\r\n\r\n5\r\n{"use\r\n`, { body: 60 })).toContain('408')
  })

  it('apply to bodies answered before they were complete, and to fake uploads', async () => {
    const post = (path: string, type: string, more = '') =>
      `POST /api${path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\n${more}content-length: 100\r\n\r\n{"user`
    const [json, form] = ['application/json', 'multipart/form-data; boundary=x']
    const refused = await slow(post('/customer/create', json), { body: 60 })
    expect(refused).toContain('HTTP/1.1 401')
    // A request is answered only once.
    expect(refused).not.toContain('408')
    expect(await slow(post('/common/upload', form), { body: 60 })).toContain('HTTP/1.1 401')
    const token = `token: ${house.admin.token}\r\n`
    expect(await slow(post('/customer/create', form, token), { body: 60 })).toContain('HTTP/1.1')
  })
})
