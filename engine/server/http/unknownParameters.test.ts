import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { operations, parametersOf } from '../../model/operations.ts'
import { commonParameters } from '../../model/queryParameters.ts'
import { fixedOperations } from './fixedOperations.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const getJson = async (url: string, token = house.admin.token, language = 'zh-CN') =>
  (await house.server.inject({ url: `/api${url}`, headers: { token, language } })).json()

describe('an unknown parameter', () => {
  it.each([
    ['/customer/list?serach=x', '没有查询参数“serach”，是否应为“search”？'],
    ['/customer/detail?ids=1', '没有查询参数“ids”，是否应为“id”？'],
    ['/customer/export?feilds=name', '没有查询参数“feilds”，是否应为“fields”？'],
    ['/customer/list?approvalStatus=x', '按字段筛选请用 filters={"approvalStatus":{"equals":…}}'],
    ['/customer/detail?id=1&colour=red', '可用参数：id'],
    ['/plans/screen?roue=/customer', '没有查询参数“roue”，是否应为“route”？'],
    ['/partner-menu/get-user-menus?x=1', '此接口无需参数'],
    ['/plans/app?x=1', '可用参数：route'],
    ['/works?limits=5', '是否应为“limit”？'],
    ['/works/1?id=1', '没有查询参数“id”'],
  ])('is refused, with the nearest name: %s', async (url, message) => {
    expect(await getJson(url)).toMatchObject({ code: 400, message: expect.stringContaining(message) })
  })

  it('is refused in English, with its status, and for calls that write', async () => {
    expect(await getJson('/customer/list?serach=x', house.admin.token, 'en-US')).toMatchObject({
      code: 400,
      message: 'There is no query parameter "serach", did you mean "search"?',
    })
    const { statusCode } = await house.server.inject({
      method: 'POST',
      url: '/api/customer/create?dryRun=true',
      headers: { token: house.admin.token },
      payload: { values: {} },
    })
    expect(statusCode).toBe(400)
  })

  it('is not reported to users who may not make the call', async () => {
    const clerk = await house.user('publisher01', ['publisher'])
    expect((await getJson('/customer/list?serach=x', '')).code).toBe(401)
    expect((await getJson('/customer/list?serach=x', clerk.token)).code).toBe(403)
  })

  it('is ignored by calls that need no session', async () => {
    expect((await house.server.inject({ url: '/api/health?probe=1' })).statusCode).toBe(200)
    expect((await house.server.inject({ url: '/api/plans/public?v=2' })).statusCode).toBe(200)
  })
})

it('every call accepts the common parameters, and the document lists them', async () => {
  const common = 'timestamp=1&token=x&language=en-US&method=customer.search'
  for (const path of ['/customer/list', '/plans/app', '/messages', '/help'])
    expect((await getJson(`${path}?${common}`)).code, path).toBe(1)
  const { paths, components } = await getJson('/openapi.json')
  expect(Object.keys(components.parameters)).toEqual([...Object.keys(commonParameters), 'Idempotency-Key', 'Prefer'])
  for (const [path, { parameters }] of Object.entries<{ parameters: object[] }>(paths))
    expect(parameters, path).toEqual(
      Object.keys(commonParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    )
})

it('every operation and every fixed call accepts the parameters of its table', async () => {
  const value = (name: string) => (name === 'field' ? 'name' : '1')
  const { derived } = house.runtime
  // One operation of each kind suffices.
  for (const kind of Object.keys(operations) as (keyof typeof operations)[]) {
    const found = [...derived.operations.values()].find((operation) => operation.kind === kind)
    if (operations[kind].method === 'POST' || !found) continue
    const query = Object.keys(parametersOf(kind)).map((name) => `${name}=${value(name)}`)
    expect(
      (
        await house.server.inject({
          url: `/api${found.path}?${query.join('&')}`,
          headers: { token: house.admin.token },
        })
      ).statusCode,
      kind,
    ).not.toBe(400)
  }
  for (const [key, { parameters = {} }] of Object.entries(fixedOperations)) {
    const [method, path] = key.split(' ')
    if (method === 'POST') continue
    const query = Object.keys(parameters).map((name) => `${name}=1`)
    const { statusCode } = await house.server.inject({
      url: `/api${path.replace(':id', '1').replace(':name', 'x')}?${query.join('&')}`,
      headers: { token: house.admin.token },
    })
    expect(statusCode, key).not.toBe(400)
  }
})
