import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestServer, withOwnCatalog } from '../../tests/server.ts'
import type { Catalog } from '../model/model.ts'
import { openApiOf } from './http/openApiRoutes.ts'
import { createServer } from './server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer(withOwnCatalog)
})
afterAll(() => house?.close())

describe('every answer', () => {
  it('has the security policy and the clock, and reveals nothing internal', async () => {
    const { headers, statusCode } = await house.server.inject({ url: '/api/health' })
    expect(statusCode).toBe(200)
    expect(headers['content-security-policy']).toBe(
      "default-src 'self';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data: blob:;" +
        "connect-src 'self';object-src 'none';frame-ancestors 'none';base-uri 'none';form-action 'self'",
    )
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-business-time': expect.stringMatching(/^2026-03-15 \d\d:/),
      'cache-control': 'no-store',
    })
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('is an envelope, even for unknown paths and unreadable bodies', async () => {
    expect(await house.admin.get('/nothing')).toMatchObject({
      status: 404,
      code: 404,
      message: '接口不存在',
      result: null,
    })
    expect(await house.admin.post('/customer/nothing')).toMatchObject({ status: 404, code: 404 })
    const unread = await house.server.inject({
      method: 'PUT',
      url: '/api/customer/create',
      headers: { token: house.admin.token },
      payload: {},
    })
    expect(unread.json()).toMatchObject({ code: 404 })
    const broken = await house.server.inject({
      method: 'POST',
      url: '/api/customer/create',
      headers: { token: house.admin.token, 'content-type': 'application/json', language: 'en-US' },
      payload: '{"values":',
    })
    expect([broken.statusCode, broken.json().code, broken.json().message]).toEqual([
      422,
      422,
      expect.stringContaining('Malformed request'),
    ])
    for (const body of [{}, { values: [] }, { values: {}, id: '1' }, { values: {}, id: 0 }]) {
      expect(await house.admin.post('/customer/update', body)).toMatchObject({
        status: 422,
        message: expect.stringContaining('请求格式不正确'),
      })
    }
    expect(await house.admin.post('/customer/delete', { ids: [] })).toMatchObject({ status: 422 })
    expect(await house.admin.post('/customer/delete', {})).toMatchObject({ status: 422 })
  })

  it('reveals no more of a failure than two words', async () => {
    const { catalog } = house.runtime.derived
    const table = catalog.tables.agency
    catalog.tables.agency = { ...table, name: 'gone' }
    expect(await house.admin.get('/customer/agency/list', {}, { language: 'en-US' })).toMatchObject({
      status: 500,
      code: 500,
      message: 'system error',
      result: null,
    })
    catalog.tables.agency = table
  })

  it('takes its language from the header or the address', async () => {
    const message = async (headers: Record<string, string>, url = '/api/customer/list') =>
      (await house.server.inject({ url, headers })).json().message
    expect(await message({})).toBe('登录已失效，请重新登录')
    expect(await message({ language: 'en-US' })).toBe('Your session has ended, please log in again')
    expect(await message({}, '/api/customer/list?language=en-US')).toBe('Your session has ended, please log in again')
  })
})

describe('OpenAPI', () => {
  it('lists every operation once, and describes the records', async () => {
    const getDocument = (headers = {}) => house.server.inject({ url: '/api/openapi.json', headers })
    expect((await getDocument()).statusCode).toBe(401)
    const answered = await getDocument({ token: house.admin.token })
    const document = answered.json()
    const again = { token: house.admin.token, 'if-none-match': String(answered.headers.etag) }
    expect((await getDocument(again)).statusCode).toBe(304)
    expect(openApiOf(house.runtime.derived)).toBe(openApiOf(house.runtime.derived))
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods as object).flatMap(({ operationId }) => operationId ?? []),
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(
      expect.arrayContaining(['customer.list', 'customer.agree', 'customer.assign', 'session.login', 'file.upload']),
    )
    expect(document.components.schemas.customer.properties).toMatchObject({
      creditLimit: { type: ['string', 'null'], format: 'decimal' },
      agency: { $ref: '#/components/schemas/Reference' },
      code: { readOnly: true },
      serviceTypes: { type: 'array', items: { enum: expect.arrayContaining(['dispatch']) } },
      contacts: { items: { $ref: '#/components/schemas/customerContact' } },
    })
    const known = new Set(
      ['schemas', 'parameters'].flatMap((each) =>
        Object.keys(document.components[each]).map((name) => `#/components/${each}/${name}`),
      ),
    )
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
    expect(references.filter((reference) => !known.has(reference))).toEqual([])
  })

  it('is read on a page without a script, which a browser fetches with its session', async () => {
    const door = await house.server.inject({ url: '/api/docs' })
    expect(door.statusCode).toBe(401)
    expect(door.body).toContain('<script src="/api/docs.js"')
    expect(door.body).not.toContain('customer')
    expect((await house.server.inject({ url: '/api/docs.js' })).body).toContain("localStorage.getItem('token')")
    const { body, headers } = await house.server.inject({ url: '/api/docs', headers: { token: house.admin.token } })
    expect(headers['content-type']).toContain('text/html')
    expect(body).toContain('customer.list')
    expect(body).not.toMatch(/<script|onclick|javascript:/i)
  })
})

describe('reloading the schema files', () => {
  const serverWith = async (compiled: { catalog?: Catalog; issues: object[] }) =>
    createServer({ runtime: house.runtime, compile: () => compiled })
  const reload = async (compiled: { catalog?: Catalog; issues: object[] }, token = house.admin.token) => {
    const server = await serverWith(compiled)
    const answer = await server.inject({ method: 'POST', url: '/api/schemas/reload', headers: { token }, payload: {} })
    await server.close()
    return answer
  }

  it('applies a valid catalog with its tables, and rejects a broken one', async () => {
    const before = house.runtime.derived.catalog
    const broken = await reload({ issues: [{ code: 'unknown-field', message: 'there' }] })
    expect([broken.statusCode, broken.json()]).toMatchObject([
      422,
      { code: 422, message: '配置文件有误，未作任何变更', result: { issues: [{ code: 'unknown-field' }] } },
    ])
    expect(house.runtime.derived.catalog).toBe(before)

    const next = structuredClone(before)
    next.hash = 'next'
    next.entities.agency.fields.nickname = {
      ...next.entities.agency.fields.address,
      name: 'nickname',
      label: { cn: '别名', en: 'Nickname' },
    }
    next.tables.agency.columns.push({ name: 'nickname', type: 'text', nullable: true })
    const swapped = await reload({ catalog: next, issues: [] })
    expect([swapped.json(), swapped.headers['x-catalog']]).toMatchObject([
      { code: 1, result: { hash: 'next' } },
      'next',
    ])
    const { result } = await house.admin.get('/customer/agency/list', {
      fields: ['nickname'],
      filters: { nickname: { empty: true } },
    })
    expect(result.total).toBe(0)
  })

  it('refuses changes that would lose data, and changes nothing', async () => {
    const id = await house.create('/customer/customerClassification', { name: '重点' })
    const before = house.runtime.derived.catalog
    const lossy = structuredClone(before)
    lossy.hash = 'lossy'
    lossy.tables.customerClassification.columns.find(({ name }) => name === 'name')!.type = 'integer'
    expect((await reload({ catalog: lossy, issues: [] })).json()).toMatchObject({
      code: 422,
      message: expect.stringContaining('customerClassification.name'),
    })
    expect(house.runtime.derived.catalog).toBe(before)
    expect((await house.admin.get('/customer/customerClassification/detail', { id })).code).toBe(1)
  })

  it('needs its permission', async () => {
    const support = await house.user('support01', ['support'])
    expect((await reload({ issues: [] }, support.token)).statusCode).toBe(403)
  })
})
