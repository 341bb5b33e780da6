import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { batch, importFile, rows, worker, write } from '../../../tests/importing.ts'
import { createTestServer, type TestServer } from '../../../tests/server.ts'
import type { RecordData } from '../../model/model.ts'

/** The customer template, filled in and saved by LibreOffice. */
const file = readFileSync(path.resolve(import.meta.dirname, '../../../tests/fixtures/customersFromLibreOffice.xlsx'))

let house: TestServer
let id: number
let checked: RecordData[]
beforeAll(async () => {
  house = await createTestServer()
  await customerValues(house)
  id = await importFile(house, file)
  await worker(house).drain()
  checked = await rows(house, id)
})
afterAll(() => house?.close())

const rowSummary = ({ rowNo, rowStatus, errors }: RecordData) => [
  rowNo,
  rowStatus,
  ...((errors as unknown as { cell: string; code: string }[] | null) ?? []).map(({ cell, code }) => `${cell} ${code}`),
]

describe('customers filled in with LibreOffice', () => {
  it('are checked row by row, except the sample', async () => {
    expect(await batch(house, id)).toMatchObject({
      status: 'checked',
      notes: null,
      totalCount: 12,
      createCount: 8,
      failCount: 4,
    })
    expect(checked.map(rowSummary)).toEqual([
      ...[3, 4, 5, 6, 7, 8, 9, 10].map((number) => [number, 'toCreate']),
      // An account number entered as a number has lost its last digits.
      [11, 'failed', 'L11 format'],
      [12, 'failed', 'D12 checkDigit'],
      [13, 'failed', 'D13 duplicate'],
      // A formula error, and a date in place of a day of the month.
      [14, 'failed', 'A14 required', 'G14 reference', 'Y14 integer'],
    ])
    expect(checked[8].cellBankAccount).toBe('9.90010010000002e+15')
  })

  it('become what their cells say', async () => {
    await write(house, id)
    const { result } = await house.admin.get('/customer/list', { search: '表格客户', sort: 'id', size: 100 })
    const fields = async ({ id }: RecordData) =>
      (await house.admin.get('/customer/detail', { id })).result as RecordData
    const [text, number, spaces, wide, date, formula, merged, above] = await Promise.all(
      (result.list as RecordData[]).map(fields),
    )
    expect(text).toMatchObject({
      bankAccount: '9900100100000018',
      invoiceEmail: 'a@b.example.com',
      taxNumber: text.uscc,
      statementDay: 10,
    })
    expect(number).toMatchObject({ consigneeMobile: '15412345678', statementDay: 28, agency: { code: 'J001' } })
    expect(spaces).toMatchObject({
      type: 'enterprise',
      address: '演示路   5号',
      remark: '末尾空格',
      consigneeMobile: '15412345678',
    })
    expect(wide).toMatchObject({
      account: 'sheet6',
      statementDay: 15,
      uscc: '91990101MADE07006M',
      region: { name: '东城区' },
    })
    expect(date).toMatchObject({ remark: '2026-03-01' })
    expect(formula).toMatchObject({ name: '公式客户8', statementDay: 10, remark: '=1+1' })
    expect(merged).toMatchObject({ consigneeAddress: '合并的地址9号', invoiceMailingAddress: null })
    expect(above).toMatchObject({ invoiceMailingAddress: '演示路100号3楼', remark: '第一行\n第二行' })
  })
})
