/** A row that a colleague corrected is written as the colleague: with their permissions and scope, in their name. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { customerValues, uscc } from '../../../tests/customer.ts'
import {
  batch,
  check,
  customerImport,
  customerRow,
  customerRows,
  rows,
  worker,
  write,
} from '../../../tests/importing.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'

type User = Client & { id: number }

let house: TestServer
let uploader: User
let colleague: User
let department: number
beforeAll(async () => {
  house = await createTestServer()
  await customerValues(house)
  const head = await house.findId('/setting/department', '总部')
  department = await house.create('/setting/department', { name: '更正部', parent: head })
  for (const [code, dataScope] of [
    ['importsAll', 'all'],
    ['importsOwn', 'department'],
  ] as const)
    await house.create('/setting/role', {
      code,
      name: code,
      dataScope,
      functionPermissions: ['customer:import:*', 'customer:customer:view', 'customer:customer:edit'],
    })
  await house.create('/setting/role', {
    code: 'onlyLooks',
    name: 'onlyLooks',
    dataScope: 'department',
    functionPermissions: ['customer:customer:view'],
  })
  uploader = await house.user('uploads', ['importsAll'], department)
  colleague = await house.user('corrects', ['importsOwn'], department)
})
afterAll(() => house?.close())

/** A checked file of three rows, the second of which a colleague corrected. */
async function corrected(first: number, second: Record<string, string | null> = {}, as: Client = colleague) {
  const id = await check(house, [customerRow(first), customerRow(first + 1, { name: null }), customerRow(first + 2)], {
    as: uploader,
    updateExisting: true,
  })
  const row = (await rows(house, id, uploader))[1]
  const fixed = await as.post(`${customerRows}/fix`, {
    id: row.id,
    values: { cellName: `更正${first}`, ...second },
  })
  expect(fixed).toMatchObject({ code: 1 })
  return id
}

const authors = async (id: number) =>
  Promise.all(
    (await rows(house, id)).map(async ({ target }) => {
      const id = (target as { id: number }).id
      const { result } = await house.admin.get('/customer/detail', { id })
      const { result: past } = await house.admin.get('/customer/history', { id })
      return [result.createdBy.id, ...past.list.map(({ by }: { by: { id: number } | null }) => by?.id)]
    }),
  )

test('its record and history name who corrected it, those of the other rows who uploaded them', async () => {
  const id = await corrected(401)
  await write(house, id, uploader)
  expect(await batch(house, id)).toMatchObject({ status: 'completed', successCount: 3 })
  const [own, theirs] = [uploader.id, colleague.id]
  const [first, second, third] = await authors(id)
  expect(new Set(first)).toEqual(new Set([own]))
  expect(new Set(second)).toEqual(new Set([theirs]))
  expect(new Set(third)).toEqual(new Set([own]))
  expect((await rows(house, id)).map(({ correctedBy }) => (correctedBy as { id: number } | null)?.id)).toEqual([
    undefined,
    theirs,
    undefined,
  ])
})

test('who corrects a row cannot write with it to a record beyond their own scope', async () => {
  const beyond = await house.create('/customer', await customerValues(house, { uscc: uscc(450), remark: '原来' }))
  await house.database.pool.query(`update customer set "approvalStatus" = 'rejected' where id = $1`, [beyond])
  const id = await corrected(411)
  // As if the check had not found it: the number was free when the row was corrected.
  await house.database.pool.query(`update "customerImportRow" set "cellUscc" = $1 where batch = $2 and "rowNo" = 3`, [
    uscc(450),
    id,
  ])
  await write(house, id, uploader)
  const [, row] = await rows(house, id)
  expect(row).toMatchObject({ rowStatus: 'failed', errors: [{ code: 'scope' }] })
  expect(await batch(house, id)).toMatchObject({ status: 'partial', successCount: 2, failCount: 1 })
})

test('it is not written if who corrected it has lost the permission; the other rows are', async () => {
  const other = await house.user('losesit', ['importsOwn'], department)
  const id = await corrected(421, {}, other)
  const { revision } = (await house.admin.get('/setting/user/detail', { id: other.id })).result
  const roles = [await house.findId('/setting/role', 'onlyLooks')]
  await house.admin.post('/setting/user/update', { id: other.id, revision, values: { roles } })
  await write(house, id, uploader)
  const found = await rows(house, id)
  expect(found.map(({ rowStatus }) => rowStatus)).toEqual(['created', 'failed', 'created'])
  expect(found[1].errors).toMatchObject([{ message: { cn: '更正人已没有导入权限，请由有权限的人重新导入该行' } }])
})

test('a step that a failure made small goes on past such a row', async () => {
  const id = await corrected(431)
  expect(await uploader.post(`${customerImport}/write`, { id })).toMatchObject({ code: 1 })
  await worker(house, 1).drain()
  expect(await batch(house, id)).toMatchObject({ status: 'completed', successCount: 3 })
})
