import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import {
  batch,
  customerImport,
  customerRow,
  importFile,
  planOf,
  rows,
  workbook,
  worker,
} from '../../../tests/importing.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'

let house: TestServer
beforeAll(async () => {
  house = await createTestServer()
  await customerValues(house)
})
afterAll(() => house?.close())

const customers = async (search: string) =>
  (
    await house.admin.get('/customer/list', {
      search,
      fields: '["name","uscc","remark","registrationMethod","approvalStatus","consigneeName"]',
    })
  ).result.list

describe('a file of customers', () => {
  it('is checked as a whole, and written only when the user confirms it', async () => {
    const file = await workbook(planOf(house), [
      customerRow(1),
      customerRow(2, { uscc: '91990101MADE00000X' }),
      customerRow(3, { name: null, region: '没有/这里' }),
    ])
    const id = await importFile(house, file)
    await worker(house).drain()
    expect(await batch(house, id)).toMatchObject({
      status: 'checked',
      totalCount: 3,
      createCount: 1,
      failCount: 2,
      successCount: 0,
      fileName: '客户.xlsx',
    })
    const [good, second, third] = await rows(house, id)
    expect(good).toMatchObject({ rowNo: 2, rowStatus: 'toCreate', cellName: '进口客户1', errors: null })
    expect(second).toMatchObject({
      rowNo: 3,
      rowStatus: 'failed',
      errors: [{ column: 'uscc', cell: 'D3', code: 'checkDigit' }],
    })
    expect(third.errors).toMatchObject([
      {
        column: 'name',
        cell: 'A4',
        code: 'required',
        message: { cn: '客户名称不能为空', en: 'Customer name is required' },
      },
      { column: 'region', cell: 'G4', code: 'reference', message: { cn: '所在地区“没有 / 这里”不存在或已停用' } },
    ])
    expect(await customers('进口客户')).toEqual([])

    expect(await house.admin.post(`${customerImport}/write`, { id })).toMatchObject({ code: 1 })
    await worker(house).drain()
    expect(await batch(house, id)).toMatchObject({ status: 'partial', successCount: 1, failCount: 2 })
    const [customer, ...more] = await customers('进口客户')
    expect(customer).toMatchObject({ name: '进口客户1', registrationMethod: 'import', approvalStatus: 'pending' })
    expect(more).toEqual([])
    expect((await rows(house, id))[0]).toMatchObject({
      rowStatus: 'created',
      target: { id: customer.id, name: '进口客户1' },
    })
  })
})
