import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import { largestOfAnybody } from './bodyLimits.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const login = '/api/vue-element-admin/user/login'
const send = async (method: 'POST' | 'PUT', url: string, more: object, token?: string) => {
  const { statusCode, payload } = await house.server.inject({
    method,
    url,
    headers: { ...(token && { token }) },
    payload: { username: 'nobody', password: 'x', ...more },
  })
  return { status: statusCode, text: payload }
}
const tooLarge = expect.stringMatching(/too large/i)

it('limits bodies without a session to a small size, whatever the address', async () => {
  const more = { more: 'x'.repeat(largestOfAnybody) }
  for (const [method, url] of [
    ['POST', login],
    ['POST', '/api/logout'],
    ['PUT', '/api/nothing'],
    ['POST', '/nothing'],
  ] as const)
    expect((await send(method, url, more)).text, url).toEqual(tooLarge)
  expect((await send('POST', login, { more: 'x'.repeat(1000) })).text).toContain('60204')
})

it('limits bodies with a session to a large size, and checks the session before reading', async () => {
  const more = { values: { introduction: 'x'.repeat(1_000_000) } }
  const path = '/api/customer/create'
  expect((await send('POST', path, more, house.admin.token)).text).not.toEqual(tooLarge)
  expect((await send('POST', path, more, 'another')).status).toBe(401)
})
