/** A sign-in or a change of password during which another user resets the password or disables the account. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockWait } from '../../../tests/lockWait.ts'
import { login } from '../../../tests/login.ts'
import { createTestServer, defaultPassword, type TestServer } from '../../../tests/server.ts'
import { md5 } from '../identity/passwords.ts'
import { closeSessionsOf } from '../identity/session.ts'
import type { Db } from '../runtime.ts'
import { givePassword, setPassword } from './credentials.ts'
import { isLong } from '../../../tests/long.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const change = (original_password: string, new_password: string) => ({ original_password, new_password })

const sessionsOf = async (id: number) =>
  (await house.database.pool.query('select from system_session where user_id = $1', [id])).rowCount

/** @returns the answer to `call`, which has begun before the work and goes on only after the work is committed */
async function during<T>(work: (db: Db) => Promise<unknown>, call: () => Promise<T>): Promise<T> {
  const { kysely } = house.database
  let commit = () => {}
  const waited = new Promise<void>((resolve) => {
    commit = resolve
  })
  let working: Promise<void> | undefined
  await new Promise<void>((resolve, reject) => {
    working = kysely.transaction().execute(async (db) => {
      await work(db)
      resolve()
      await waited
    })
    working.catch(reject)
  })
  const answering = call()
  try {
    await lockWait(house)
  } finally {
    commit()
  }
  await working
  return answering
}

/** So that no session can be opened before the work is committed. */
const holdSessions = (db: Db) => sql`lock table system_session in share row exclusive mode`.execute(db)

test('a reset stands against a change of the password that had begun before it', async () => {
  const user = await house.user('resetting', ['support'])
  const answer = await during(
    (db) => givePassword(house.runtime, db, user.id, 'Reset-2026'),
    () => user.post('/partner-user/change-password', change(defaultPassword, 'Stolen-2026')),
  )
  expect(answer).toMatchObject({ status: 401, message: '登录已失效，请重新登录' })
  expect((await login(house, 'resetting', 'Stolen-2026')).code).toBe(60204)
  const again = await house.signIn('resetting', 'Reset-2026')
  expect(await again.get('/plans/app')).toMatchObject({ status: 403, message: '请先修改密码' })
})

test.skipIf(!isLong)(
  'of two changes of a password in one session, the second needs the password of the first',
  async () => {
    const user = await house.user('twice', ['support'])
    const answer = await during(
      (db) => setPassword(db, user.id, md5('First-2026'), { mustChange: false }),
      () => user.post('/partner-user/change-password', change(defaultPassword, 'Second-2026')),
    )
    expect(answer).toMatchObject({ status: 422, message: '原始密码错误' })
    expect((await login(house, 'twice', 'Second-2026')).code).toBe(60204)
    expect((await login(house, 'twice', 'First-2026')).code).toBe(20000)
  },
)

test.skipIf(!isLong)('a session that has ended meanwhile does not change the password', async () => {
  const user = await house.user('ended', ['support'])
  const answer = await during(
    async (db) => {
      await sql`select from system_credential where user_id = ${user.id} for update`.execute(db)
      await closeSessionsOf(db, [user.id])
    },
    () => user.post('/partner-user/change-password', change(defaultPassword, 'Stolen-2026')),
  )
  expect(answer).toMatchObject({ status: 401 })
  expect((await login(house, 'ended', defaultPassword)).code).toBe(20000)
})

test('a sign-in that had begun with the old password fails once the password is changed', async () => {
  const { id } = await house.user('signing', ['support'])
  const answer = await during(
    async (db) => {
      await setPassword(db, id, md5('Another-2026'), { mustChange: false })
      await closeSessionsOf(db, [id])
      await holdSessions(db)
    },
    () => login(house, 'signing', defaultPassword),
  )
  expect(answer).toEqual({ code: 60204, message: '用户名或密码错误', data: null })
  expect(await sessionsOf(id)).toBe(0)
  expect((await login(house, 'signing', 'Another-2026')).code).toBe(20000)
})

test('a sign-in that had begun before its user was disabled opens no session', async () => {
  const { id } = await house.user('disabling', ['support'])
  const answer = await during(
    async (db) => {
      await sql`update "user" set status = 'disabled' where id = ${id}`.execute(db)
      await closeSessionsOf(db, [id])
      await holdSessions(db)
    },
    () => login(house, 'disabling', defaultPassword),
  )
  expect(answer).toMatchObject({ code: 60403 })
  expect(await sessionsOf(id)).toBe(0)
})
