import { type ClientRequest, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type Client, type TestServer } from '../../../tests/server.ts'

import { usualSafety } from '../safety.ts'
import { takeTurns } from './requestTurns.ts'

let house: TestServer
let other: Client
beforeAll(async () => {
  house = await createTestServer()
  other = await house.user('other', ['auditor'])
})
afterAll(() => house?.close())

const list = () => house.admin.get('/customer/list', { page: 1, size: 1 })

/** Runs `act` while nobody can read customers. */
async function locked(act: (waiting: () => Promise<number>) => Promise<void>): Promise<void> {
  const holder = await house.database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table customer in access exclusive mode')
    await act(async () => {
      const { rows } = await holder.query(
        "select count(*)::integer as count from pg_locks where not granted and relation = 'customer'::regclass",
      )
      return rows[0].count as number
    })
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

test("many slow requests of a user leave connections for other users, and all are answered in the user's turn", async () => {
  const slow: Promise<{ code: number }>[] = []
  await locked(async (waiting) => {
    for (let number = 0; number < 15; number++) slow.push(list())
    await vi.waitUntil(async () => (await waiting()) >= 4, 20_000)
    expect(await other.get('/messages/unread')).toMatchObject({ code: 1 })
  })
  for (const answer of await Promise.all(slow)) expect(answer.code).toBe(1)
})

test("exports that wait for each other leave the user's turns to other requests", async () => {
  let made: Promise<number>[] = []
  await locked(async (waiting) => {
    const { token } = house.admin
    const make = async () =>
      (await house.server.inject({ method: 'GET', url: '/api/customer/export', headers: { token } })).statusCode
    made = Array.from({ length: 6 }, make)
    await vi.waitUntil(async () => (await waiting()) >= 2, 20_000)
    const unread = house.admin.get('/messages/unread')
    expect(await Promise.race([unread, ...made])).toMatchObject({ code: 1 })
  })
  expect(await Promise.all(made)).toEqual([200, 200, 200, 200, 200, 200])
})

test('refuses more than may wait, and answers again afterwards', async () => {
  let answers: Promise<{ status: number }>[] = []
  await locked(async (waiting) => {
    answers = Array.from({ length: 210 }, list)
    await vi.waitUntil(async () => (await waiting()) >= 4, 20_000)
    await Promise.race(answers)
  })
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 429)).toHaveLength(6)
  expect(statuses.filter((status) => status === 200)).toHaveLength(204)
  expect(await list()).toMatchObject({ code: 1 })
})

test('a request whose client left while it waited is not worked on', async () => {
  const server = Fastify()
  server.decorateRequest('context', { getter: () => ({ user: { id: 1 } }) as never })
  takeTurns(server, { safety: { ...usualSafety, requestsPerUser: 1 } })
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const [arrived, gone, worked] = [[], [], []] as string[][]
  server.addHook('onRequest', async ({ url }) => void arrived.push(url))
  server.addHook('onRequestAbort', async ({ url }) => void gone.push(url))
  server.get('/:name', async ({ url }) => {
    worked.push(url)
    await opened
    return {}
  })
  try {
    await server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.server.address() as AddressInfo
    const sendRequest = async (name: string): Promise<ClientRequest> => {
      const sent = get({ port, host: '127.0.0.1', path: `/${name}`, agent: false }).on('error', () => {})
      await vi.waitUntil(() => arrived.includes(`/${name}`))
      return sent
    }
    await sendRequest('first')
    await vi.waitUntil(() => worked.length === 1)
    const left = await sendRequest('left')
    const last = await sendRequest('last')
    const answered = new Promise((resolve) => last.once('response', (answer) => resolve(answer.statusCode)))
    left.destroy()
    await vi.waitUntil(() => gone.length === 1)
    open()
    expect(await answered).toBe(200)
    expect(worked).toEqual(['/first', '/last'])
  } finally {
    await server.close()
  }
})
