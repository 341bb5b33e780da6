/** Records outside a user's scope are answered like records that do not exist. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
let foreign: { id: number; name: string; account: string }
let support: Client
beforeAll(async () => {
  house = await createTestServer()
  support = await house.user('support01', ['support'])
  const values = await customerValues(house, { payerNames: ['霁川物流有限公司'] })
  foreign = { id: await house.create('/customer', values), name: String(values.name), account: String(values.account) }
})
afterAll(() => house?.close())

const answersTo = async (path: string, id: number, as: Client) => {
  const body = { id, revision: 1, values: {} }
  const answers = await Promise.all([
    ...['detail', 'history'].map((name) => as.get(`${path}/${name}`, { id })),
    ...['update', 'enable', 'resetPassword'].map((name) => as.post(`${path}/${name}`, body)),
  ])
  return answers.map(({ status, message }) => [status, message])
}

test('a record out of scope is answered like one that never existed', async () => {
  const unseen = await answersTo('/customer', foreign.id, support)
  expect(unseen).toEqual(await answersTo('/customer', 999_999, support))
  expect(new Set(unseen.map(([, message]) => message))).toEqual(new Set(['无权查看该数据']))
  // Users who see all records learn that it does not exist.
  expect((await answersTo('/customer', 999_999, house.admin))[0]).toEqual([404, '数据不存在或已删除'])
})

test('compares a value with visible records while it is typed, and with all when it is saved', async () => {
  const isUnique = async (as: Client, field: string, value: string) =>
    (await as.get('/customer/unique', { field, value })).result.unique
  expect(await isUnique(house.admin, 'name', foreign.name)).toBe(false)
  expect(await isUnique(support, 'name', foreign.name)).toBe(true)
  const items = JSON.stringify(['霁川物流有限公司'])
  expect([await isUnique(house.admin, 'payerNames', items), await isUnique(support, 'payerNames', items)]).toEqual([
    false,
    true,
  ])
  const values = await customerValues(house, { name: foreign.name })
  expect(await support.post('/customer/create', { values })).toMatchObject({
    status: 422,
    errors: [expect.objectContaining({ field: 'name', code: 'unique' })],
  })
})

test('does not compare a value being typed with values masked for the user', async () => {
  const functionPermissions = ['customer:customer:view', 'customer:customer:add', 'customer:customer:edit']
  await house.create('/setting/role', { code: 'blindone', name: '不见明文', functionPermissions, dataScope: 'all' })
  const blind = await house.user('blinduser', ['blindone'])
  const isUnique = async (as: Client) =>
    (await as.get('/customer/unique', { field: 'account', value: foreign.account })).result.unique
  expect([await isUnique(house.admin), await isUnique(blind)]).toEqual([false, true])
})
