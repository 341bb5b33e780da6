import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { administratorPassword, createTestServer, defaultPassword, type TestServer } from '../../tests/server.ts'
import { giveOwnPasswords } from './ownPasswords.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

it('gives each user but the administrator a password, and lists those of users who may sign in', async () => {
  await house.user('sales01', ['sales'])
  const { id } = await house.user('left01', ['sales'])
  await sql`update "user" set status = 'disabled' where id = ${id}`.execute(house.database.kysely)
  const lines = await giveOwnPasswords(house.context())
  expect(lines).toEqual([expect.stringMatching(/^sales01 +\S{8,20}$/)])
  const signIn = async (username: string, password: string) =>
    (
      await house.server.inject({
        method: 'POST',
        url: '/api/vue-element-admin/user/login',
        payload: { username, password },
      })
    ).json().code
  expect(await signIn('sales01', lines[0].split(/ +/)[1])).toBe(20000)
  expect(await signIn('sales01', defaultPassword)).toBe(60204)
  expect(await signIn('admin', administratorPassword)).toBe(20000)
})
