import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administratorPassword, createTestServer, defaultPassword, type TestServer } from '../../../tests/server.ts'
import { createServer } from '../server.ts'
import { delayAfter } from './throttleSignIn.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const login = async (username: string, password: string, remoteAddress: string) =>
  (
    await house.server.inject({
      method: 'POST',
      url: '/api/vue-element-admin/user/login',
      payload: { username, password },
      remoteAddress,
    })
  ).json().code
const keyOf = (who: string[]) => createHash('sha256').update(JSON.stringify(who)).digest('hex')
const count = (who: string[], failures: number) =>
  sql`insert into system_sign_in_failure (key, failures, at) values (${keyOf(who)}, ${failures}, localtimestamp)
    on conflict (key) do update set failures = excluded.failures, at = excluded.at`.execute(house.database.kysely)
const counted = async (who: string[]) =>
  (
    await sql<{ failures: number }>`select failures from system_sign_in_failure where key = ${keyOf(who)}`.execute(
      house.database.kysely,
    )
  ).rows[0]?.failures

test('the delay grows with the number of wrong guesses, up to a limit', () => {
  expect([0, 4, 5, 6, 7, 10, 40].map((failures) => delayAfter(failures, 5))).toEqual([0, 0, 250, 500, 1000, 8000, 8000])
})

test('counts wrong guesses by name from any address, and by address for any name', async () => {
  await login('admin', 'wrong-1', '10.0.0.1')
  await login('ADMIN', 'wrong-1', '10.0.0.2')
  await login('nobody', 'wrong-1', '10.0.0.2')
  expect(await counted(['name', 'admin'])).toBe(2)
  expect(await counted(['address', '10.0.0.2'])).toBe(2)
})

test('counts IPv6 by network, because one subscriber has all of its addresses', async () => {
  for (const end of ['1', '2', 'ffff:1']) await login(`someone${end}`, 'wrong-1', `2001:db8:5:6::${end}`)
  await login('another', 'wrong-1', '2001:db8:5:7::1')
  expect(await counted(['address', '2001:db8:5:6::/64'])).toBe(3)
  expect(await counted(['address', '2001:db8:5:7::/64'])).toBe(1)
})

test('trusts only the configured number of proxies, so the last forwarded address counts', async () => {
  const behind = await createServer({
    runtime: house.runtime,
    compile: () => ({ issues: [] }),
    trustProxy: 1,
  })
  const from = (server: typeof behind, username: string) =>
    server.inject({
      method: 'POST',
      url: '/api/vue-element-admin/user/login',
      payload: { username, password: 'wrong-1' },
      remoteAddress: '10.0.4.1',
      headers: { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' },
    })
  try {
    await from(behind, 'behind')
    await from(house.server, 'direct')
  } finally {
    await behind.close()
  }
  const addresses = ['198.51.100.1', '203.0.113.9', '10.0.4.1']
  expect(await Promise.all(addresses.map((address) => counted(['address', address])))).toEqual([undefined, 1, 1])
})

test('guessing from many addresses throttles a name without locking its user out', async () => {
  await house.user('victim', ['support'])
  await count(['name', 'victim'], 6)
  const guesses = await Promise.all(
    Array.from({ length: 5 }, (_, index) => login('victim', 'wrong-1', `10.0.1.${index + 1}`)),
  )
  // At most three attempts wait at a time.
  expect(guesses.sort((a, b) => a - b)).toEqual([60204, 60204, 60204, 60429, 60429])
  await count(['name', 'victim'], 5)
  expect(await login('victim', defaultPassword, '10.0.2.1')).toBe(20000)
  // Others cannot delay a user who has signed in from this address before.
  await count(['name', 'victim'], 40)
  expect(await login('victim', defaultPassword, '10.0.2.1')).toBe(20000)
})

test('locks out an address that tries many names, except users who have signed in from it', async () => {
  await house.user('colleague', ['support'])
  expect(await login('colleague', defaultPassword, '10.0.3.1')).toBe(20000)
  await count(['address', '10.0.3.1'], 49)
  expect(await login('somebody', 'wrong-1', '10.0.3.1')).toBe(60204)
  expect(await login('admin', administratorPassword, '10.0.3.1')).toBe(60429)
  expect(await login('colleague', 'wrong-1', '10.0.3.1'), 'like the name of a stranger').toBe(60429)
  expect(await login('colleague', defaultPassword, '10.0.3.1')).toBe(20000)
  expect(await login('admin', administratorPassword, '10.0.3.2')).toBe(20000)
})

test('a user name equal to the kind of a counter does not disturb that counter', async () => {
  await login('address', 'wrong-1', '10.0.8.1')
  expect(await counted(['address', '10.0.8.1'])).toBe(1)
})

test('refuses and logs a name too long for the log like any other', async () => {
  const name = `${'x'.repeat(59)}👍`
  expect(await login(name, 'wrong-1', '10.0.9.9')).toBe(await login('nobody', 'wrong-1', '10.0.9.9'))
  const { rows } =
    await sql`select 1 from system_history where action = 'loginFailed' and changes::text like ${`%${'x'.repeat(59)}"%`}`.execute(
      house.database.kysely,
    )
  expect(rows).toHaveLength(1)
})
