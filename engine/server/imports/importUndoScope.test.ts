/** Undoing a colleague's import changes records, so it is for who sees all of them; one's own one may always take back. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { batch, check, customerImport, customerRow, rows, write } from '../../../tests/importing.ts'
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
  return { id, living }
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
