import { afterAll, beforeAll, expect, test } from 'vitest'
import { administratorPassword, createTestServer, type TestServer } from '../../../tests/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const message = '至少保留一名启用的系统管理员'
const setRoles = async (id: number, roles: string[]) => {
  const { revision } = (await server.admin.get('/setting/user/detail', { id })).result
  return server.admin.post('/setting/user/update', {
    id,
    revision,
    values: {
      mobile: `154000000${id.toString().padStart(2, '0')}`,
      roles: await Promise.all(roles.map((role) => server.findId('/setting/role', role))),
    },
  })
}

test('the last enabled administrator keeps the role, and cannot be disabled', async () => {
  const admin = await server.findId('/setting/user', 'admin')
  expect(await setRoles(admin, ['cashier'])).toMatchObject({ code: 422, message, errors: [{ field: 'roles' }] })
  expect((await server.admin.get('/setting/user/detail', { id: admin })).result.roles).toMatchObject([
    { code: 'admin' },
  ])

  const second = await server.user('secondone', ['admin'])
  expect(await second.post('/setting/user/disable', { id: admin })).toMatchObject({ code: 1 })
  const clerk = await server.create(
    '/setting/role',
    { name: '用户管理', code: 'userClerk', functionPermissions: ['setting:user:*'], dataScope: 'all' },
    second,
  )
  expect(clerk).toBeGreaterThan(0)
  const manager = await second.get('/setting/user/detail', { id: second.id })
  expect(
    await second.post('/setting/user/update', {
      id: second.id,
      revision: manager.result.revision,
      values: { roles: [clerk] },
    }),
  ).toMatchObject({ message })
  await second.post('/setting/user/enable', { id: admin })
  server.admin = await server.signIn('admin', administratorPassword)
  expect(await server.admin.post('/setting/user/disable', { id: second.id })).toMatchObject({ code: 1 })
})

test('the role can be removed while there is another administrator', async () => {
  const other = await server.user('anotherone', ['admin'])
  expect(await setRoles(other.id, ['cashier'])).toMatchObject({ code: 1 })
})

test('two administrators who disable each other at once do not both succeed', async () => {
  const [first, second] = [await server.user('adminone', ['admin']), await server.user('admintwo', ['admin'])]
  const admin = await server.findId('/setting/user', 'admin')
  expect(await first.post('/setting/user/disable', { id: admin })).toMatchObject({ code: 1 })
  const answers = await Promise.all([
    first.post('/setting/user/disable', { id: second.id }),
    second.post('/setting/user/disable', { id: first.id }),
  ])
  expect(answers.map(({ code }) => code).sort((a, b) => a - b)[0]).toBe(1)
  expect(answers.filter(({ code }) => code === 1)).toHaveLength(1)
})
