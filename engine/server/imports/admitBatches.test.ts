import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues, upload } from '../../../tests/customer.ts'
import { batch, customerImport, customerRow, importFile, planOf, workbook, worker } from '../../../tests/importing.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
let clerk: Client & { id: number }
let content: Buffer
beforeAll(async () => {
  house = await createTestServer()
  await customerValues(house)
  clerk = await house.user('manager01', ['customerManager'])
  content = Buffer.from(await workbook(planOf(house), [customerRow(1), customerRow(2, { name: null })]))
})
afterAll(() => house?.close())

const uploaded = async (bytes = content) => {
  const { result } = await upload(house, clerk, '客户.xlsx', bytes)
  return { file: [{ ...result, status: 'success' }] }
}
const create = (values: object) => clerk.post(`${customerImport}/create`, { values })
const codesOf = (answers: { code: number }[]) => answers.map(({ code }) => code).toSorted((a, b) => a - b)

describe('imports of one user', () => {
  it('wait for their turn up to a number, however they come', async () => {
    const checked = await importFile(house, content, { as: clerk })
    await worker(house).drain()
    const files = await Promise.all(Array.from({ length: 22 }, () => uploaded()))
    for (const values of files.slice(0, 19)) expect(await create(values)).toMatchObject({ code: 1 })
    const together = await Promise.all(files.slice(19).map(create))
    expect(codesOf(together)).toEqual([1, 429, 429])
    expect(together.find(({ code }) => code === 429)).toMatchObject({
      message: '同一用户最多有20个导入同时处理，请待其中一些完成后再试',
    })
    for (const as of [clerk, house.admin])
      expect(await as.post(`${customerImport}/write`, { id: checked }), 'by whomever').toMatchObject({ code: 429 })
    expect(await batch(house, checked)).toMatchObject({ status: 'checked' })
    expect(await importFile(house, content), 'of another user').toBeGreaterThan(0)

    await worker(house).drain()
    const refused = files.slice(19)[together.findIndex(({ code }) => code === 429)]
    expect(await create(refused)).toMatchObject({ code: 1 })
    expect(await clerk.post(`${customerImport}/write`, { id: checked })).toMatchObject({ code: 1 })
    await worker(house).drain()
    expect(await batch(house, checked)).toMatchObject({ status: 'partial' })
  })
})

describe('an uploaded file', () => {
  it('is imported once', async () => {
    const values = await uploaded()
    expect(codesOf(await Promise.all([create(values), create(values)]))).toEqual([1, 409])
    await worker(house).drain()
    expect(await create(values)).toMatchObject({
      code: 409,
      message: '该文件已经用于另一个导入，请重新上传',
    })
  })

  it('is imported again if it could not be read', async () => {
    const values = await uploaded(Buffer.from(await workbook(planOf(house), [])))
    for (const _ of ['first', 'again']) {
      const { code, result } = await create(values)
      expect(code).toBe(1)
      await worker(house).drain()
      expect(await batch(house, result.id)).toMatchObject({ status: 'failed' })
    }
  })
})
