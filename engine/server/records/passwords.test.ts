import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { createTestServer, defaultPassword, type TestServer } from '../../../tests/server.ts'
import { giveFirstPassword, resetPassword } from '../accounts/credentials.ts'
import { md5, verifyPassword } from '../identity/passwords.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
  const { id, revision } = (await house.admin.get('/setting/parameter/detail')).result
  expect(
    await house.admin.post('/setting/parameter/update', { id, revision, values: { approveBySelf: true } }),
  ).toMatchObject({ code: 1 })
})
afterAll(() => house?.close())

const approved = async (): Promise<number> => {
  const id = await house.create('/customer', await customerValues(house))
  expect(await house.admin.post('/customer/agree', { id })).toMatchObject({ code: 1 })
  return id
}
const kept = async (id: number): Promise<string | null> =>
  (await house.database.pool.query('select "portalPassword" as kept from customer where id = $1', [id])).rows[0].kept
const isOf = async (id: number, password: string): Promise<boolean> => verifyPassword(md5(password), await kept(id))

test('an approved customer gets the default portal password, which stays hidden and unchanged', async () => {
  const id = await approved()
  expect(await isOf(id, defaultPassword)).toBe(true)
  const { result } = await house.admin.get('/customer/detail', { id })
  expect([
    result.portalPassword,
    JSON.stringify((await house.admin.get('/customer/list')).result).includes('scrypt'),
  ]).toEqual([undefined, false])

  const before = await kept(id)
  const { revision } = result
  expect(
    await house.admin.post('/customer/update', {
      id,
      revision,
      values: { corporateName: `启澜物流（演示）股份有限公司${id}` },
    }),
  ).toMatchObject({ code: 1 })
  expect(await house.admin.post('/customer/agree', { id })).toMatchObject({ code: 1 })
  expect(await kept(id)).toBe(before)
})

test('a reset password is new, shown only if generated, and recorded in history', async () => {
  const id = await approved()
  const before = await kept(id)
  expect(await house.admin.post('/customer/resetPassword', { id })).toMatchObject({
    code: 1,
    result: { passwords: [] },
  })
  expect([(await kept(id)) === before, await isOf(id, defaultPassword)]).toEqual([false, true])

  const { procedures } = house.runtime
  const { resetPassword: reset, giveFirstPassword: first } = procedures
  Object.assign(procedures, {
    resetPassword: resetPassword(undefined),
    giveFirstPassword: giveFirstPassword(undefined),
  })
  try {
    const {
      result: { passwords },
    } = await house.admin.post('/customer/resetPassword', { id })
    expect(passwords).toEqual([{ id, password: expect.any(String) }])
    expect(await isOf(id, passwords[0].password)).toBe(true)
    expect(await kept(await approved()), 'a password that nobody could be shown is not set').toBeNull()
  } finally {
    Object.assign(procedures, { resetPassword: reset, giveFirstPassword: first })
  }
  const { list } = (await house.admin.get('/customer/history', { id })).result
  expect(list[0]).toMatchObject({
    action: 'resetPassword',
    changes: [{ field: 'portalPassword', old: '******', new: '******' }],
  })
  const waiting = await house.create('/customer', await customerValues(house))
  expect(await house.admin.post('/customer/resetPassword', { id: waiting })).toMatchObject({ status: 409 })
})
