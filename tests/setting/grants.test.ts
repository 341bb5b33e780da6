/** Nobody can grant more than they hold: every way is tried, and grants within it are allowed. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Value } from '../../engine/model/model.ts'
import { updateRecords } from '../../engine/server/records/write.ts'
import { createContext, readSession } from '../../engine/server/identity/session.ts'
import { main } from '../../engine/server/records/reading/columnOf.ts'
import { readStored } from '../../engine/server/records/reading/read.ts'
import { canonicalRecord } from '../../engine/server/records/reading/canonical.ts'
import { customerValues, uscc } from '../customer.ts'
import { type Client, createTestServer, type TestServer } from '../server.ts'
import { isLong } from '../long.ts'

let house: TestServer
let south: number
let office: number
beforeAll(async () => {
  house = await createTestServer()
  office = await house.findId('/setting/department', '总部')
  south = await house.create('/setting/department', { name: '南区', parent: office })
  for (const [code, dataScope, functionPermissions] of roles)
    await house.create('/setting/role', { code, name: `角色${code}`, dataScope, functionPermissions })
})
afterAll(() => house?.close())

const roles: [string, string, string[]][] = [
  ['userClerk', 'self', ['setting:user:*', 'setting:department:*']],
  ['userHead', 'all', ['setting:user:*', 'setting:department:*', 'customer:customer:view']],
  ['roleHead', 'all', ['setting:role:*', 'customer:customer:view']],
  ['southHead', 'departmentAndBelow', ['setting:user:*', 'setting:department:*', 'customer:customer:view']],
  ['viewerOfAll', 'all', ['customer:customer:view']],
  ['viewerOfOwn', 'self', ['customer:customer:view']],
  ['viewerOfDepartment', 'department', ['customer:customer:view']],
  ['editorOfOwn', 'self', ['customer:customer:view', 'customer:customer:edit']],
  ['wider', 'self', ['customer:*:*']],
  ['agencyClerk', 'self', ['setting:agency:*']],
]

const role = (code: string) => house.findId('/setting/role', code)
const update = async (as: Client, path: string, id: number, values: Record<string, Value>) => {
  const { revision } = (await house.admin.get(`${path}/detail`, { id })).result
  return as.post(`${path}/update`, { id, revision, values })
}
const rolesOf = async (codes: string[]) => Promise.all(codes.map(role))
let mobile = 15_700_000_000
const newUser = async (as: Client, loginName: string, codes: string[], department = office) =>
  as.post('/setting/user/create', {
    values: { loginName, realName: '新用户', mobile: String(mobile++), department, roles: await rolesOf(codes) },
  })
const beyond = (field: string) => ({ status: 422, errors: [{ field, code: 'beyondOwn' }] })

test('no user gives themselves or a new user a role with more than they hold', async () => {
  const clerk = await house.user('clerk', ['userClerk'])
  for (const code of ['admin', 'financeManager', 'viewerOfOwn', 'viewerOfAll']) {
    const given = await update(clerk, '/setting/user', clerk.id, { roles: await rolesOf(['userClerk', code]) })
    expect(given, code).toMatchObject(beyond('roles'))
  }
  expect(await newUser(clerk, 'puppet', ['admin'])).toMatchObject(beyond('roles'))
  expect((await house.admin.get('/setting/user/list', { search: 'puppet' })).result.total).toBe(0)
  expect((await clerk.get('/customer/list')).status).toBe(403)

  const head = await house.user('head', ['userHead'])
  expect(await newUser(head, 'viewer', ['viewerOfAll'])).toMatchObject({ code: 1 })
  expect(await newUser(head, 'editor', ['editorOfOwn'])).toMatchObject(beyond('roles'))
  expect(await newUser(head, 'wide', ['wider'])).toMatchObject(beyond('roles'))
})

test('no user widens a role beyond what they hold, be it their own or that of others', async () => {
  const head = await house.user('roles', ['roleHead'])
  const own = await role('roleHead')
  const more = { functionPermissions: ['setting:role:*', 'customer:customer:view', 'customer:customer:edit'] }
  expect(await update(head, '/setting/role', own, more)).toMatchObject(beyond('functionPermissions'))
  expect(await update(head, '/setting/role', own, { functionPermissions: ['*:*:*'] })).toMatchObject(
    beyond('functionPermissions'),
  )
  const other = await role('viewerOfOwn')
  expect(await update(head, '/setting/role', other, more)).toMatchObject(beyond('functionPermissions'))
  const made = { code: 'made', name: '新角色', dataScope: 'self' }
  expect(
    await head.post('/setting/role/create', { values: { ...made, copyOf: await role('financeManager') } }),
  ).toMatchObject({ status: 422 })
  const rights = { functionPermissions: ['customer:customer:view'], messageAuthorization: ['customerPending'] }
  expect(await head.post('/setting/role/create', { values: { ...made, ...rights } })).toMatchObject(
    beyond('messageAuthorization'),
  )
  expect(
    await head.post('/setting/role/create', { values: { ...made, functionPermissions: ['customer:customer:view'] } }),
  ).toMatchObject({ code: 1 })
  // Unchanged or reduced rights grant nothing.
  const wide = await role('wider')
  expect(await update(head, '/setting/role', wide, { remark: '已看过' })).toMatchObject({ code: 1 })
})

test('a wider data scope grants all that its holders may do with it, whichever role allows it', async () => {
  const head = await house.user('scopes', ['roleHead'])
  await house.user('both', ['viewerOfOwn', 'editorOfOwn'])
  // The writer sees all and may view; a user with this role may also edit.
  expect(await update(head, '/setting/role', await role('viewerOfOwn'), { dataScope: 'all' })).toMatchObject(
    beyond('dataScope'),
  )
  const clerk = await house.user('narrow', ['viewerOfOwn', 'userClerk'])
  expect(
    await update(clerk, '/setting/user', clerk.id, { roles: await rolesOf(['viewerOfAll', 'userClerk']) }),
  ).toMatchObject(beyond('roles'))
})

test.skipIf(!isLong)(
  'a user limited to a department grants within it, and moves nobody and nothing into or out of it',
  async () => {
    const head = await house.user('south', ['southHead'], south)
    expect(await newUser(head, 'southern', ['viewerOfDepartment'], south)).toMatchObject({ code: 1 })
    expect(await newUser(head, 'foreign', ['viewerOfDepartment'], office)).toMatchObject(beyond('roles'))
    const { id } = (await newUser(head, 'mover', ['viewerOfDepartment'], south)).result
    expect(await update(head, '/setting/user', id, { department: office })).toMatchObject(beyond('department'))
    expect(await update(head, '/setting/user', head.id, { department: office })).toMatchObject(beyond('department'))
    const north = await house.create('/setting/department', { name: '北区', parent: office })
    expect(await update(head, '/setting/department', north, { parent: south })).toMatchObject(beyond('parent'))
    expect(await update(house.admin, '/setting/department', north, { parent: south })).toMatchObject({ code: 1 })
  },
)

test('no user moves the owner of records that they do not see into their own department', async () => {
  const north = await house.create('/setting/department', { name: '北方', parent: office })
  const owner = await house.user('northern', ['viewerOfOwn'], north)
  const agency = await house.create('/customer/agency', {
    code: 'J901',
    name: '北方机构',
    kind: 'partner',
    uscc: uscc(90_001),
    agentFee: '10.00',
    cities: ['310100'],
    department: north,
  })
  const head = await house.user('taker', ['southHead', 'agencyClerk'], south)
  const customers = async () => (await head.get('/customer/list')).result.total
  await house.create('/customer', { ...(await customerValues(house)), agency, supportStaff: owner.id })
  expect(await customers()).toBe(0)
  expect(await update(head, '/setting/user', owner.id, { department: south })).toMatchObject(beyond('department'))
  expect(await update(head, '/customer/agency', agency, { department: south })).toMatchObject(beyond('department'))
  expect(await customers()).toBe(0)
  expect(await update(head, '/setting/user', owner.id, { realName: '改名' })).toMatchObject({ code: 1 })
  expect(await update(house.admin, '/setting/user', owner.id, { department: south })).toMatchObject({ code: 1 })
  expect(await customers()).toBe(1)
  const below = await house.create('/setting/department', { name: '南区一组', parent: south })
  expect(await update(head, '/setting/user', owner.id, { department: below })).toMatchObject({ code: 1 })
})

test('enabling grants what disabling took away, and a disabled user or role is judged as if enabled', async () => {
  const clerk = await house.user('enabler', ['userClerk'])
  const sleeper = await house.user('sleeper', ['financeManager'])
  await house.admin.post('/setting/user/disable', { id: sleeper.id })
  expect(await clerk.post('/setting/user/enable', { id: sleeper.id })).toMatchObject(beyond('status'))
  const nobody = await house.user('nobody', ['userClerk'])
  await house.admin.post('/setting/user/disable', { id: nobody.id })
  expect(await update(clerk, '/setting/user', nobody.id, { roles: await rolesOf(['admin']) })).toMatchObject(
    beyond('roles'),
  )
  expect(await clerk.post('/setting/user/enable', { id: nobody.id })).toMatchObject({ code: 1 })

  const head = await house.user('roleEnabler', ['roleHead'])
  await house.admin.post('/setting/role/disable', { id: await role('wider') })
  const wide = (await house.admin.get('/setting/role/list', { search: 'wider' })).result.list[0].id
  expect(await head.post('/setting/role/enable', { id: wide })).toMatchObject(beyond('status'))
  expect(await house.admin.post('/setting/role/enable', { id: wide })).toMatchObject({ code: 1 })
})

test.skipIf(!isLong)('a disabled role of a user is judged as if enabled too, and hides nothing', async () => {
  const clerk = await house.user('giver', ['userClerk'])
  const sleeper = await house.user('widely', ['userClerk', 'wider'])
  const wide = await role('wider')
  const own = await role('viewerOfOwn')
  await house.admin.post('/setting/role/disable', { id: wide })
  expect(await update(clerk, '/setting/user', sleeper.id, { realName: '改名' })).toMatchObject({ code: 1 })
  const roles = [await role('userClerk'), own]
  expect(await update(clerk, '/setting/user', sleeper.id, { roles })).toMatchObject(beyond('roles'))
  await house.admin.post('/setting/user/disable', { id: sleeper.id })
  expect(await clerk.post('/setting/user/enable', { id: sleeper.id })).toMatchObject(beyond('status'))
  expect(await house.admin.post('/setting/role/enable', { id: wide })).toMatchObject({ code: 1 })
})

test('no user resets the password of one who holds more or whose records they do not see', async () => {
  const clerk = await house.user('resetter', ['userClerk'])
  const head = await house.user('resetHead', ['userHead'])
  const victim = await house.user('victim', ['viewerOfOwn'])
  const admin = await house.findId('/setting/user', 'admin')
  const more = { status: 403, message: '该用户的权限或数据范围超出您自己的，不能重置其密码' }
  for (const id of [admin, victim.id])
    expect(await clerk.post('/setting/user/resetPassword', { id })).toMatchObject(more)
  expect(await head.post('/setting/user/resetPassword', { ids: [victim.id, admin] })).toMatchObject(more)
  expect(await head.post('/setting/user/resetPassword', { id: victim.id })).toMatchObject({ code: 1 })
  expect((await house.admin.get('/plans/app')).code).toBe(1)
  const wide = await role('wider')
  const sleeper = await house.user('sleepingHolder', ['viewerOfOwn', 'wider'])
  await house.admin.post('/setting/role/disable', { id: wide })
  expect(await head.post('/setting/user/resetPassword', { id: sleeper.id }), 'the role may come back').toMatchObject(
    more,
  )
  await house.admin.post('/setting/role/enable', { id: wide })
})

test('a row of an import is judged like any other write, and the last administrator remains', async () => {
  const clerk = await house.user('importer', ['userClerk'])
  const { mustChangePassword: _, ...user } = await readSession(house.runtime, clerk.token)
  const entity = house.runtime.derived.catalog.entities.user
  const admin = await house.findId('/setting/user', 'admin')
  const written = async (by: typeof user, id: number, values: Record<string, Value>) => {
    const context = createContext(house.runtime, by, 'cn')
    await house.database.kysely.transaction().execute(async (db) => {
      const [stored] = await readStored(house.context(), db, entity, [sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`])
      const old = canonicalRecord(context, entity, stored)
      await updateRecords(context, db, entity, [{ record: { ...old, ...values }, old }])
    })
  }
  await expect(written(user, clerk.id, { roles: [await role('admin')] })).rejects.toMatchObject({ code: 'invalid' })
  await expect(written(house.context().user, admin, { status: 'disabled' })).rejects.toMatchObject({ code: 'invalid' })
  expect((await house.admin.get('/plans/app')).code).toBe(1)
})
