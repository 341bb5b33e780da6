/** Undoing a colleague's import changes records, so it is for who sees all of them; one's own one may always take back. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { batch, check, customerImport, customerRow, rows, worker, write } from '../../../tests/importing.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
let uploader: Client
let colleague: Client
beforeAll(async () => {
  house = await createTestServer()
  await customerValues(house)
  const parent = await house.findId('/setting/department', '总部')
  const department = await house.create('/setting/department', { name: '撤销部', parent })
  for (const dataScope of ['self', 'department'] as const)
    await house.create('/setting/role', {
      code: `undo${dataScope}`,
      name: dataScope,
      dataScope,
      functionPermissions: ['customer:import:*', 'customer:customer:view'],
    })
  uploader = await house.user('uploads', ['undoself'], department)
  colleague = await house.user('undoes', ['undodepartment'], department)
})
afterAll(() => house?.close())

/** Two customers that an import of the uploader made, for staff of another department. */
async function imported(first: number) {
  const id = await check(house, [customerRow(first), customerRow(first + 1)], { as: uploader })
  await write(house, id, uploader)
  const made = (await rows(house, id)).map(({ target }) => (target as { id: number }).id)
  const living = async () =>
    (await Promise.all(made.map((each) => house.admin.get('/customer/detail', { id: each })))).map(({ code }) => code)
  return { id, made, living }
}

test('by a colleague who does not see its records is refused, and nothing is undone', async () => {
  const { id, living } = await imported(501)
  expect((await colleague.get(`${customerImport}/detail`, { id })).code).toBe(1)
  expect(await colleague.post(`${customerImport}/undo`, { id })).toMatchObject({
    code: 403,
    message: '其中有他人写入且您无权查看的数据，请由可查看全部数据的人员撤销',
  })
  expect(await living()).toEqual([1, 1])
  expect(await batch(house, id)).toMatchObject({ status: 'completed', successCount: 2 })
})

test('by who wrote it is carried out, whoever the records belong to', async () => {
  const { id, living } = await imported(511)
  expect(await uploader.post(`${customerImport}/undo`, { id })).toMatchObject({ code: 1 })
  expect(await living()).toEqual([404, 404])
})

test('that is refused gives an uploader who may not see the records no reason', async () => {
  const { id, made } = await imported(531)
  const rejection = { id: made[0], values: { rejectReason: '资料不完整，请补充' } }
  expect(await house.admin.post('/customer/reject', rejection)).toMatchObject({ code: 1 })
  expect(await house.admin.post('/customer/delete', { id: made[1] })).toMatchObject({ code: 1 })
  expect(await uploader.post(`${customerImport}/undo`, { id })).toMatchObject({
    code: 409,
    message: '以下行写入后已被修改或使用，不能撤销：第2行、第3行',
  })
  expect((await house.admin.post(`${customerImport}/undo`, { id })).message).toMatch(/第2行（.+）、第3行（已删除）$/)
})

test('that ends halfway tells why only to who began it, not to an uploader who may not see the records', async () => {
  const manager = await house.user('undoesall', ['customerManager'])
  const { id, made } = await imported(521)
  const rejection = { id: made[0], values: { rejectReason: '资料不完整，请补充' } }
  expect(await house.admin.post('/customer/reject', rejection)).toMatchObject({ code: 1 })
  // As a large file, which is undone in steps.
  const { pool } = house.database
  await pool.query(`update "customerImport" set status = 'undoing' where id = $1`, [id])
  await pool.query(
    `update system_import set phase = 'undoing', by_user = $2 where entity = 'customerImport' and batch_id = $1`,
    [id, manager.id],
  )
  await worker(house).drain()
  expect(await batch(house, id)).toMatchObject({ status: 'partial', successCount: 2 })
  const newest = async (as: Client) => (await as.get('/messages', { size: 1 })).result.list[0]
  expect(await newest(uploader)).toMatchObject({
    title: expect.stringContaining('撤销未完成'),
    content: '撤销由用户undoesall发起，原因已通知其本人',
  })
  expect(await newest(manager)).toMatchObject({
    title: expect.stringContaining('撤销未完成'),
    content: expect.stringMatching(/不能撤销：第2行（系统管理员.+）$/),
  })
})
