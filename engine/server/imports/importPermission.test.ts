/** The writing of a file asks for its user's permission at each step. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { batch, check, customerImport, customerRow, worker } from '../../../tests/importing.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
  await customerValues(house)
  for (const [code, granted] of [
    ['importing', ['customer:import:*', 'customer:customer:view']],
    ['looking', ['customer:customer:view']],
  ] as const)
    await house.create('/setting/role', { code, name: code, dataScope: 'all', functionPermissions: [...granted] })
})
afterAll(() => house?.close())

/** A file of three customers whose writing its user has asked for. */
async function requestedImport(loginName: string, first: number) {
  const user = await house.user(loginName, ['importing'])
  const id = await check(
    house,
    [first, first + 1, first + 2].map((number) => customerRow(number)),
    { as: user },
  )
  expect(await user.post(`${customerImport}/write`, { id })).toMatchObject({ code: 1 })
  return { user, id }
}

async function takeRole(id: number): Promise<void> {
  const { revision } = (await house.admin.get('/setting/user/detail', { id })).result
  const roles = [await house.findId('/setting/role', 'looking')]
  expect(await house.admin.post('/setting/user/update', { id, revision, values: { roles } })).toMatchObject({ code: 1 })
}

const reason = [{ message: { cn: '您没有操作权限，请向上级获取权限后再试！' } }]

test('an import whose user lost the permission meanwhile writes nothing, and says why', async () => {
  const { user, id } = await requestedImport('losing', 301)
  await takeRole(user.id)
  await worker(house).drain()
  expect(await batch(house, id)).toMatchObject({ status: 'failed', successCount: 0, failReason: reason })
})

test('what was written before stays', async () => {
  const { user, id } = await requestedImport('losinglater', 311)
  await worker(house, 1).round()
  await takeRole(user.id)
  await worker(house, 1).drain()
  expect(await batch(house, id)).toMatchObject({ status: 'partial', successCount: 1, failReason: reason })
})

test('an import whose user has left meanwhile is still written', async () => {
  const { user, id } = await requestedImport('leaving', 321)
  expect(await house.admin.post('/setting/user/disable', { id: user.id, values: {} })).toMatchObject({ code: 1 })
  await worker(house).drain()
  expect(await batch(house, id)).toMatchObject({ status: 'completed', successCount: 3 })
})
