import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
import type { RecordData, Value } from '../../model/model.ts'

let house: TestServer
let blind: Client & { id: number }
let reader: Client & { id: number }
beforeAll(async () => {
  house = await createTestServer()
  await customerValues(house)
  await house.create('/setting/role', {
    code: 'blindImporter',
    name: '导入不看敏感',
    functionPermissions: ['customer:import:upload', 'customer:import:view', 'customer:import:export'],
    dataScope: 'all',
  })
  await house.create('/setting/role', {
    code: 'importReader',
    name: '只看导入',
    functionPermissions: ['customer:import:view', 'customer:import:export'],
    dataScope: 'all',
  })
  blind = await house.user('blind01', ['blindImporter'])
  reader = await house.user('reader01', ['importReader'])
})
afterAll(() => house?.close())

const fix = (row: RecordData, values: Record<string, Value>, as: Client = house.admin) =>
  as.post(`${customerRows}/fix`, { id: row.id, values })

describe('a corrected row', () => {
  it('becomes valid, and the counts follow', async () => {
    const id = await check(house, [customerRow(1), customerRow(2, { name: null, statementDay: 29 })])
    expect(await batch(house, id)).toMatchObject({ createCount: 1, failCount: 1 })
    const [, row] = await rows(house, id)
    expect(await fix(row, { cellName: ' 更正的客户 ', cellStatementDay: 28 })).toMatchObject({
      code: 1,
      result: { summary: { cn: '第3行已更正（待新增）', en: 'Row 3 corrected (To create)' } },
    })
    const [, fixed] = await rows(house, id)
    expect(fixed).toMatchObject({
      rowStatus: 'toCreate',
      errors: null,
      cellName: '更正的客户',
      cellStatementDay: '28',
      cellUscc: customerRow(2).uscc,
    })
    expect(await batch(house, id)).toMatchObject({ status: 'checked', totalCount: 2, createCount: 2, failCount: 0 })
    await write(house, id)
    expect(await batch(house, id)).toMatchObject({ status: 'completed', successCount: 2 })
    expect((await house.admin.get('/customer/list', { search: '更正的客户' })).result.list).toMatchObject([
      { name: '更正的客户', statementDay: 28 },
    ])
  })

  it('is refused at its cells while still wrong, and none of it is stored', async () => {
    const id = await check(house, [customerRow(3), customerRow(4, { name: null, statementDay: 29, agency: 'J999' })])
    const [, row] = await rows(house, id)
    const before = await batch(house, id)
    const answer = await fix(row, { cellName: customerRow(3).name as string, cellStatementDay: '30' })
    expect(answer).toMatchObject({ status: 422, code: 422 })
    expect(answer.errors).toMatchObject([
      { field: 'cellName', code: 'duplicate', message: '与第2行重复' },
      { field: 'cellAgency', code: 'reference', message: '服务机构编号“J999”不存在或已停用' },
      { field: 'cellStatementDay', code: 'range', message: '出账日必须在1至28之间' },
    ])
    expect((await rows(house, id))[1]).toEqual(row)
    expect(await batch(house, id)).toEqual(before)
    expect(await fix(row, { cellName: '另一个', cellStatementDay: '1', cellAgency: 'J001' })).toMatchObject({ code: 1 })
  })

  it('counts with its new values in later checks of the file', async () => {
    const id = await check(house, [
      customerRow(5, { address: null }),
      customerRow(6, { name: customerRow(5).name }),
      customerRow(7, { address: null }),
    ])
    const [first, second, third] = await rows(house, id)
    expect(second.errors).toMatchObject([{ code: 'duplicate', cell: 'A3' }])
    expect(await fix(first, { cellName: '让出名称', cellAddress: '演示路5号' })).toMatchObject({ code: 1 })
    expect(await fix(second, {})).toMatchObject({ code: 1 })
    expect((await fix(third, { cellName: '让出名称', cellAddress: '演示路7号' })).errors).toMatchObject([
      { field: 'cellName', code: 'duplicate', message: '与第2行重复' },
    ])
  })

  it('may turn out to exist already', async () => {
    await house.create('/customer', await customerValues(house, { uscc: uscc(800) }))
    const id = await check(house, [customerRow(8, { uscc: null })])
    const [row] = await rows(house, id)
    expect(await fix(row, { cellUscc: uscc(800) })).toMatchObject({ code: 1 })
    expect((await rows(house, id))[0]).toMatchObject({ rowStatus: 'skipped', errors: [{ code: 'skipped' }] })
    expect(await batch(house, id)).toMatchObject({ failCount: 0, skipCount: 1, createCount: 0 })
  })
})

describe('no correction', () => {
  it('applies to a row that has not failed', async () => {
    const id = await check(house, [customerRow(10), customerRow(11, { name: null })])
    const [good] = await rows(house, id)
    expect(await fix(good, { cellName: '不该改' })).toMatchObject({ code: 409 })
    expect((await rows(house, id))[0].cellName).toBe('进口客户10')
  })

  it.each(['write', 'cancel'])('applies after its batch was decided: %s', async (decision) => {
    const number = decision === 'write' ? 12 : 14
    const id = await check(house, [customerRow(number), customerRow(number + 1, { name: null })])
    const [, row] = await rows(house, id)
    if (decision === 'write') {
      expect(await house.admin.post(`${customerImport}/write`, { id })).toMatchObject({ code: 1 })
      expect(await fix(row, { cellName: '写入中' })).toMatchObject({ code: 409, message: '该批次当前状态不允许此操作' })
      await worker(house).drain()
    } else {
      expect(await house.admin.post(`${customerImport}/cancel`, { id })).toMatchObject({ code: 1 })
    }
    expect(await fix(row, { cellName: '已决定' })).toMatchObject({ code: 409, message: '该批次当前状态不允许此操作' })
    expect((await rows(house, id))[1]).toMatchObject({ cellName: null, rowStatus: 'failed' })
  })

  it('is accepted without the permission to upload', async () => {
    const id = await check(house, [customerRow(16, { name: null })])
    const [row] = await rows(house, id)
    expect(await fix(row, { cellName: '没有权限' }, reader)).toMatchObject({ code: 403 })
    expect((await rows(house, id))[0].cellName).toBeNull()
  })

  it('changes masked cells that are sent back as masks', async () => {
    const id = await check(house, [customerRow(17, { name: null, consigneeMobile: '15412345017' })], { as: blind })
    const [row] = await rows(house, id, blind)
    expect(row.cellConsigneeMobile).not.toContain('12345017')
    const { cellConsigneeMobile, cellAddress } = row as Record<string, string>
    expect(await fix(row, { cellName: '看不到手机', cellConsigneeMobile, cellAddress }, blind)).toMatchObject({
      code: 1,
    })
    expect((await rows(house, id))[0]).toMatchObject({ rowStatus: 'toCreate', cellConsigneeMobile: '15412345017' })
  })
})
