/** Roles, departments and app versions, as administrators maintain them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { upload } from '../customer.ts'
import { createTestServer, type TestServer } from '../server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
})
afterAll(() => house?.close())

const listed = async (path: string, filters = {}) =>
  (await house.admin.get(`${path}/list`, { filters, size: 100, sums: ['userCount'] })).result
const role = async (code: string) =>
  (await listed('/setting/role')).list.find((each: { code: string }) => each.code === code)

test('a role counts its users, and its copy has the same rights but another name', async () => {
  await house.user('first', ['sales'])
  await house.user('second', ['sales', 'support'])
  expect([
    (await role('sales')).userCount,
    (await role('support')).userCount,
    (await role('cashier')).userCount,
  ]).toEqual([2, 1, 0])
  expect(
    await house.admin.post('/setting/role/delete', { id: (await role('sales')).id }),
    'who has users stays',
  ).toMatchObject({ status: 409 })

  const made = await house.admin.post('/setting/role/create', {
    values: { code: 'salesSouth', name: '南区业务员', copyOf: (await role('sales')).id },
  })
  expect(made).toMatchObject({ code: 1 })
  const [original, copy] = [await role('sales'), await role('salesSouth')]
  for (const field of ['functionPermissions', 'messageAuthorization', 'dataScope', 'remark'])
    expect(copy[field], field).toEqual(original[field])
  expect(await house.admin.post('/setting/role/delete', { id: copy.id })).toMatchObject({ code: 1 })
})

test('a department counts the users below it, and can be disabled once none of them is enabled', async () => {
  const department = await house.create('/setting/department', { name: '演示部' })
  const user = await house.user('lonely', ['sales'])
  const { revision } = (await house.admin.get('/setting/user/detail', { id: user.id })).result
  expect(
    await house.admin.post('/setting/user/update', { id: user.id, revision, values: { department } }),
  ).toMatchObject({ code: 1 })
  const above = await house.create('/setting/department', { name: '演示中心' })
  const moved = await house.admin.get('/setting/department/detail', { id: department })
  expect(
    await house.admin.post('/setting/department/update', {
      id: department,
      revision: moved.result.revision,
      values: { parent: above },
    }),
  ).toMatchObject({ code: 1 })
  const counts = (await listed('/setting/department')).list.map((each: { id: number; userCount: number }) => [
    each.id,
    each.userCount,
  ])
  expect(counts).toEqual(
    expect.arrayContaining([
      [department, 1],
      [above, 1],
    ]),
  )
  expect(await house.admin.post('/setting/department/disable', { id: above })).toMatchObject({ status: 409 })
  expect(await house.admin.post('/setting/department/disable', { id: department })).toMatchObject({
    status: 409,
    message: expect.stringContaining('还有启用的用户'),
  })
  expect(await house.admin.post('/setting/user/disable', { id: user.id })).toMatchObject({ code: 1 })
  expect(await house.admin.post('/setting/department/disable', { id: department })).toMatchObject({ code: 1 })
})

test('app versions increase on each platform, and only the newest can be edited', async () => {
  const { result } = await upload(house, house.admin, 'portal.apk', Buffer.from('PK\x03\x04 app'))
  const add = (versionNumber: number, platform = 'android') =>
    house.admin.post('/setting/appVersion/create', {
      values: {
        versionName: `1.${versionNumber}.0`,
        versionNumber,
        platform,
        appFile: [{ ...result, status: 'success' }],
        updateContent: '对账单可在手机上确认',
        forcedUpdate: false,
      },
    })
  const first = (await add(3)).result.id
  expect(await add(3)).toMatchObject({
    status: 422,
    errors: [{ field: 'versionNumber', message: expect.stringContaining('3') }],
  })
  expect(await add(2)).toMatchObject({ status: 422 })
  expect(await add(1, 'ios')).toMatchObject({ code: 1 })
  const second = (await add(4)).result.id
  const change = (id: number, values: object) =>
    house.admin.post('/setting/appVersion/update', { id, revision: 1, values })
  expect(await change(first, { updateContent: '已改' })).toMatchObject({ status: 409 })
  expect(await change(second, { versionNumber: 3 })).toMatchObject({ status: 422 })
  expect(await change(second, { versionNumber: 5, updateContent: '已改' })).toMatchObject({ code: 1 })
})
