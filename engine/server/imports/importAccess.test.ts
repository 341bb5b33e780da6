import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import {
  batch,
  check,
  customerImport,
  customerRow,
  customerRows,
  importFile,
  planOf,
  rows,
  workbook,
  write,
} from '../../../tests/importing.ts'
import { isLong } from '../../../tests/long.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'

type User = Client & { id: number }

let house: TestServer
const department = async (name: string) =>
  house.create('/setting/department', { name, parent: await house.findId('/setting/department', '总部') })
let departments: number[]
beforeAll(async () => {
  house = await createTestServer()
  await customerValues(house)
  departments = [await department('华东分公司'), await department('华北分公司')]
})
afterAll(() => house?.close())

let count = 0
async function user(
  permissions: string[],
  { dataScope = 'all', of: department = undefined as number | undefined } = {},
): Promise<User> {
  const code = `importer${++count}`
  await house.create('/setting/role', {
    code,
    name: `导入${count}`,
    functionPermissions: ['home:dashboard:view', ...permissions],
    dataScope,
  })
  return house.user(code, [code], department)
}
const users = new Map<string, Promise<User>>()
/** One user with these permissions, for all operations. */
function sameUser(permissions: string[]): Promise<User> {
  const key = permissions.join()
  if (!users.has(key)) users.set(key, user(permissions))
  return users.get(key)!
}
const every = ['view', 'upload', 'template', 'export', 'undo']
const but = (name: string) => every.filter((each) => each !== name).map((each) => `customer:import:${each}`)
const permission = '您没有操作权限，请向上级获取权限后再试！'

describe('each operation has its permission', () => {
  let checked: number
  let written: number
  let row: number
  beforeAll(async () => {
    checked = await check(house, [customerRow(1), customerRow(2, { name: null })])
    row = (await rows(house, checked))[1].id!
    written = await check(house, [customerRow(3)])
    await write(house, written)
  })

  const operations: [string, string, (as: Client) => Promise<{ code: number; message: string; status: number }>][] = [
    ['upload', 'create', (as) => as.post(`${customerImport}/create`, { values: { file: [] } })],
    ['upload', 'write', (as) => as.post(`${customerImport}/write`, { id: checked })],
    ['upload', 'cancel', (as) => as.post(`${customerImport}/cancel`, { id: checked })],
    ['upload', 'fix', (as) => as.post(`${customerRows}/fix`, { id: row, values: { cellName: '更正' } })],
    ['undo', 'undo', (as) => as.post(`${customerImport}/undo`, { id: written })],
    ['template', 'template', (as) => as.get(`${customerImport}/template`)],
    ['view', 'problems', (as) => as.get(`${customerImport}/problems`, { id: checked })],
    ['view', 'batches', (as) => as.get(`${customerImport}/list`)],
    ['view', 'batch', (as) => as.get(`${customerImport}/detail`, { id: checked })],
    ['view', 'rows', (as) => as.get(`${customerRows}/list`, { filters: { batch: { equals: checked } } })],
    ['view', 'row', (as) => as.get(`${customerRows}/detail`, { id: row })],
    ['export', 'failures', (as) => as.get(`${customerImport}/failures`, { id: checked })],
    ['export', 'rows as a sheet', (as) => as.get(`${customerRows}/export`, { fields: '["rowNo"]' })],
  ]
  it('viewSensitive: the original of an import with sensitive cells, except for its uploader', async () => {
    const view = ['customer:import:view', 'customer:import:export', 'customer:import:upload']
    const original = async (as: Client, id = checked) => (await as.get(`${customerImport}/original`, { id })).status
    const blind = await user(view)
    expect(await original(blind)).toBe(403)
    // Its cells name users, too.
    expect(await original(await user([...view, 'customer:customer:viewSensitive']))).toBe(403)
    const seeing = ['customer:customer:viewSensitive', 'setting:user:viewSensitive']
    expect(await original(await user(seeing))).toBe(403)
    expect(await original(await user([...view, ...seeing]))).toBe(200)
    expect(await original(blind, await check(house, [customerRow(60)], { as: blind }))).toBe(200)
  })

  const first = ([name]: (typeof operations)[number], place: number) =>
    operations.findIndex(([other]) => other === name) === place
  // In the short form one operation of each permission; the last test calls all of them without any.
  it.each(operations.filter((operation, place) => isLong || first(operation, place)))(
    '%s: %s',
    async (name, operation, call) => {
      const nth = operations.findIndex(([, other]) => other === operation)
      expect(await call(await sameUser(but(name)))).toMatchObject({ status: 403, code: 403, message: permission })
      expect(await batch(house, checked)).toMatchObject({ status: 'checked', failCount: 1 })
      expect(await batch(house, written)).toMatchObject({ status: 'completed' })
      // With this permission and `view`, a user passes on to the operation itself.
      const allowed = await call(await sameUser([`customer:import:${name}`, 'customer:import:view']))
      expect(allowed.code).not.toBe(403)
      expect(allowed.status).not.toBe(403)
      if (!['upload', 'undo'].includes(name)) return
      checked = await check(house, [customerRow(1), customerRow(2, { name: null })])
      row = (await rows(house, checked))[1].id!
      written = await check(house, [customerRow(100 + nth)])
      await write(house, written)
    },
  )

  it('is not permitted by the permission to view customers', async () => {
    const seer = await user(['customer:customer:*'])
    for (const [, , call] of operations) expect(await call(seer)).toMatchObject({ code: 403 })
  })
})

describe('the batches of others', () => {
  const all = every.map((each) => `customer:import:${each}`)
  let [owner, colleague, elsewhere, stranger] = [] as unknown as [User, User, User, User]
  let checked: number
  let written: number
  let row: number
  beforeAll(async () => {
    owner = await user(all, { dataScope: 'self', of: departments[0] })
    stranger = await user(all, { dataScope: 'self', of: departments[0] })
    colleague = await user(all, { dataScope: 'department', of: departments[0] })
    elsewhere = await user(all, { dataScope: 'department', of: departments[1] })
    checked = await check(house, [customerRow(60), customerRow(61, { name: null })], { as: owner })
    row = (await rows(house, checked, owner))[1].id!
    written = await check(house, [customerRow(62)], { as: owner })
    await write(house, written, owner)
  })

  const numbers = async (as: Client) =>
    ((await as.get(`${customerImport}/list`)).result.list as { id: number }[]).map(({ id }) => id)

  it('are visible to their department for users with that scope, and to no others', async () => {
    expect(await numbers(owner)).toEqual(expect.arrayContaining([checked, written]))
    expect(await numbers(colleague)).toEqual(expect.arrayContaining([checked, written]))
    expect(await numbers(stranger)).toEqual([])
    expect(await numbers(elsewhere)).toEqual([])
    expect((await rows(house, checked, colleague)).length).toBe(2)
    expect(await rows(house, checked, stranger)).toEqual([])
    expect(await rows(house, checked, elsewhere)).toEqual([])
  })

  it.each([
    ['self', () => stranger],
    ['department', () => elsewhere],
  ])('are beyond every operation: %s', async (_, who) => {
    const as = who()
    const before = [await batch(house, checked), await batch(house, written), (await rows(house, checked))[1]]
    for (const answer of [
      await as.get(`${customerImport}/detail`, { id: checked }),
      await as.get(`${customerImport}/original`, { id: checked }),
      await as.get(`${customerImport}/problems`, { id: checked }),
      await as.get(`${customerImport}/failures`, { id: checked }),
      await as.get(`${customerRows}/detail`, { id: row }),
      await as.post(`${customerImport}/write`, { id: checked }),
      await as.post(`${customerImport}/cancel`, { id: checked }),
      await as.post(`${customerImport}/undo`, { id: written }),
      await as.post(`${customerRows}/fix`, { id: row, values: { cellName: '更正' } }),
    ])
      expect(answer).toMatchObject({ code: 403, message: '无权查看该数据' })
    expect([await batch(house, checked), await batch(house, written), (await rows(house, checked))[1]]).toEqual(before)
  })

  it('are decided by a permitted colleague, in the name of the operator who uploaded them', async () => {
    await write(house, checked, colleague)
    const [first] = await rows(house, checked, colleague)
    expect(first.rowStatus).toBe('created')
    const { id } = first.target as { id: number }
    expect((await house.admin.get('/customer/detail', { id })).result.createdBy).toMatchObject({ id: owner.id })
  })
})

it('logs who downloads an original or its failed rows', async () => {
  const id = await check(house, [customerRow(81), customerRow(82, { name: null })])
  const reader = await user([
    'customer:import:view',
    'customer:import:export',
    'customer:customer:viewSensitive',
    'setting:user:viewSensitive',
  ])
  for (const name of ['original', 'failures'])
    expect((await reader.get(`${customerImport}/${name}`, { id })).status, name).toBe(200)
  const { rows: logged } = await house.database.pool.query(
    `select action, record_id::integer as id, changes->'rows' as rows from system_history
      where user_id = $1 and entity = 'customerImport' order by id`,
    [reader.id],
  )
  expect(logged).toEqual([
    { action: 'original', id, rows: null },
    { action: 'failures', id, rows: 1 },
  ])
})

it('quotes no sensitive value in a problem, because more users read problems than cells', async () => {
  // A user is found by the login name, which is sensitive.
  const id = await check(house, [customerRow(83, { salesman: 'mistyped7', consigneeMobile: '99912345678' })])
  const { rows: found } = await house.database.pool.query<{ errors: object[] }>(
    `select errors from "customerImportRow" where batch = $1`,
    [id],
  )
  expect(found[0].errors).toMatchObject([
    { column: 'consigneeMobile', message: { cn: '收件人手机格式不正确' } },
    { column: 'salesman', message: { cn: '业务员账号不存在或已停用' } },
  ])
})

it('answers 404 for a batch that does not exist', async () => {
  for (const name of ['original', 'failures', 'problems'])
    expect(await house.admin.get(`${customerImport}/${name}`, { id: 999_999 })).toMatchObject({ code: 404 })
  for (const name of ['write', 'cancel', 'undo'])
    expect(await house.admin.post(`${customerImport}/${name}`, { id: 999_999 })).toMatchObject({ code: 404 })
})

it('accepts no counts, states or results from a client', async () => {
  const file = await workbook(planOf(house), [customerRow(70)])
  const id = await importFile(house, file)
  const forged = await house.admin.post(`${customerImport}/create`, {
    values: { status: 'completed', successCount: 5, file: [] },
  })
  expect(forged.code).toBe(422)
  expect(
    await house.admin.post(`${customerImport}/update`, { id, revision: 1, values: { status: 'completed' } }),
  ).toMatchObject({ code: 409 })
  expect(await house.admin.post(`${customerImport}/delete`, { id })).toMatchObject({ code: 409 })
  expect(await house.admin.post(`${customerRows}/create`, { values: { rowNo: 1 } })).toMatchObject({
    code: expect.any(Number),
  })
  expect((await rows(house, id)).length).toBe(0)
})

it('a right guess at a masked value looks like a wrong one', async () => {
  const { uscc, consigneeMobile } = customerRow(80)
  await write(house, await check(house, [customerRow(80)]))
  await house.database.pool.query(`update customer set "approvalStatus" = 'rejected' where uscc = $1`, [uscc])
  const blind = await user([
    'customer:customer:view',
    'customer:customer:edit',
    ...['view', 'upload'].map((name) => `customer:import:${name}`),
  ])
  const nothing = Object.fromEntries(Object.keys(customerRow(0)).map((name) => [name, null]))
  const statusOf = async (as: Client, mobile: unknown) => {
    const cells = { ...nothing, uscc: uscc!, consigneeMobile: String(mobile) }
    return (await rows(house, await check(house, [cells], { as, updateExisting: true })))[0].rowStatus
  }
  expect([await statusOf(blind, consigneeMobile), await statusOf(blind, '15499998888')]).toEqual([
    'toUpdate',
    'toUpdate',
  ])
  // For a user who may see the value, it is no guess.
  expect(await statusOf(house.admin, consigneeMobile)).toBe('skipped')
})

it('a reference is not found by a value that is masked for the uploader', async () => {
  const blind = await user([
    'customer:customer:view',
    'customer:customer:add',
    'customer:import:view',
    'customer:import:upload',
  ])
  const { rows: known } = await house.database.pool.query('select mobile, "loginName" from "user" where id = $1', [
    blind.id,
  ])
  const [{ mobile, loginName }] = known as { mobile: string; loginName: string }[]
  const found = async (as: Client, supportStaff: string) =>
    (await rows(house, await check(house, [customerRow(90, { supportStaff })], { as })))[0].rowStatus
  expect([await found(blind, mobile), await found(blind, '15499998888')]).toEqual(['failed', 'failed'])
  expect([await found(blind, loginName), await found(house.admin, mobile)]).toEqual(['toCreate', 'toCreate'])
})
