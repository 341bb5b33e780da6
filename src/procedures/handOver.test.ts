import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues } from '../../tests/customer.ts'
import type { Value } from '../../engine/model/model.ts'
import { createTestServer, type TestServer } from '../../tests/server.ts'
import { isLong } from '../../tests/long.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const customer = async (id: number) => (await server.admin.get('/customer/detail', { id })).result
const handOver = async (id: number, successor: number | object | null, as = server.admin) =>
  as.post('/setting/user/handOver', { id, values: { successor: successor as Value } })

test('hands all customers of a user over, as support staff and as salesman, each with its history', async () => {
  const [leaver, successor, other] = [
    await server.user('leaverone', ['support']),
    await server.user('successor', ['support']),
    await server.user('otherone', ['sales']),
  ]
  const first = await server.create(
    '/customer',
    await customerValues(server, { supportStaff: leaver.id, salesman: other.id }),
  )
  const second = await server.create(
    '/customer',
    await customerValues(server, { supportStaff: other.id, salesman: leaver.id }),
  )
  const third = await server.create(
    '/customer',
    await customerValues(server, { supportStaff: other.id, salesman: other.id }),
  )
  expect((await server.admin.get('/setting/user/detail', { id: leaver.id })).result).toMatchObject({
    customersSupported: 1,
    customersSold: 1,
  })

  // The value as a dialog sends it: the user with code and name.
  expect(await handOver(leaver.id, { id: successor.id, code: 'successor', name: '用户successor' })).toMatchObject({
    code: 1,
    result: { customers: 2 },
  })
  expect((await server.admin.get('/setting/user/history', { id: leaver.id })).result.list[0]).toMatchObject({
    action: 'handOver',
  })
  expect(await customer(first)).toMatchObject({
    supportStaff: { id: successor.id },
    salesman: { id: other.id },
    revision: 2,
  })
  expect(await customer(second)).toMatchObject({ supportStaff: { id: other.id }, salesman: { id: successor.id } })
  expect(await customer(third)).toMatchObject({ supportStaff: { id: other.id }, revision: 1 })
  const { list } = (await server.admin.get('/customer/history', { id: first })).result
  expect(list[0]).toMatchObject({
    action: 'assign',
    changes: [{ field: 'supportStaff', old: '用户leaverone', new: '用户successor' }],
  })
  expect((await successor.get('/customer/list')).result.total).toBe(2)

  expect(await handOver(leaver.id, successor.id)).toMatchObject({ code: 409 })
})

test('requires an enabled successor, another user, and the permission', async () => {
  const [leaver, disabled] = [await server.user('leavertwo', ['support']), await server.user('disabled', ['support'])]
  await server.create('/customer', await customerValues(server, { supportStaff: leaver.id }))
  await server.admin.post('/setting/user/disable', { id: disabled.id })
  expect((await handOver(leaver.id, disabled.id)).errors).toMatchObject([
    { field: 'successor', message: '业务交接人不存在或已停用' },
  ])
  expect((await handOver(leaver.id, leaver.id)).errors).toMatchObject([
    { field: 'successor', message: '不能移交给本人' },
  ])
  expect((await handOver(leaver.id, null)).errors).toMatchObject([{ field: 'successor', code: 'required' }])
  expect(await handOver(leaver.id, 1, leaver)).toMatchObject({ code: 403 })
})

test.skipIf(!isLong)('hands no customers over if some of them are out of scope', async () => {
  await server.create('/setting/role', {
    code: 'mover',
    name: '交接专员',
    dataScope: 'self',
    functionPermissions: ['setting:user:view', 'setting:user:handOver', 'customer:customer:view'],
  })
  const [mover, leaver, successor, other] = [
    await server.user('moverone', ['mover']),
    await server.user('leaverthree', ['support']),
    await server.user('successorthree', ['support']),
    await server.user('otherthree', ['sales']),
  ]
  const ownedCustomer = async (salesman: number) =>
    server.create('/customer', await customerValues(server, { supportStaff: leaver.id, salesman }))
  const [own, foreign] = [await ownedCustomer(mover.id), await ownedCustomer(other.id)]
  expect(await handOver(leaver.id, successor.id, mover)).toMatchObject({
    code: 403,
    message: '其名下有您无权查看的客户，请由可查看全部客户的人员移交',
  })
  for (const id of [own, foreign])
    expect(await customer(id)).toMatchObject({ supportStaff: { id: leaver.id }, revision: 1 })

  await server.admin.post('/customer/assign', { id: foreign, values: { supportStaff: successor.id } })
  expect(await handOver(leaver.id, successor.id, mover)).toMatchObject({ code: 1, result: { customers: 1 } })
})
