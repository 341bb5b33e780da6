import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import {
  batch,
  check,
  customerImport,
  customerRow,
  importFile,
  planOf,
  rows,
  worker,
  write,
} from '../../../tests/importing.ts'
import { type Client, createTestServer, type TestServer } from '../../../tests/server.ts'
import { inExportTurn } from '../exports/exportTurns.ts'
import type { Context } from '../runtime.ts'
import { markerSheet } from '../sheets/markerSheet.ts'
import { type CellValue, openSheet, type SheetRow } from '../sheets/readSheet.ts'

let house: TestServer
let blind: Client & { id: number }
beforeAll(async () => {
  house = await createTestServer()
  await customerValues(house)
  await house.create('/setting/role', {
    code: 'blindImporter',
    name: '导入不看敏感',
    functionPermissions: ['customer:import:upload', 'customer:import:view', 'customer:import:export'],
    dataScope: 'all',
  })
  blind = await house.user('blind01', ['blindImporter'])
})
afterAll(() => house?.close())

interface Sheet {
  marker: string | null
  rows: SheetRow[]
}
interface File {
  raw: Buffer
  headers: Record<string, string>
}
const failures = async (id: number, as: Client = house.admin, headers = {}) =>
  (await as.get(`${customerImport}/failures`, { id }, headers)) as unknown as File
async function read(content: Buffer): Promise<Sheet> {
  const sheet = await openSheet(Readable.from([content]))
  const list: SheetRow[] = []
  for await (const row of sheet.rows()) list.push(row)
  await sheet.close()
  return { marker: sheet.marker, rows: list }
}
const english = { language: 'en-US' }
/** The file as saved by a user who changed some of its cells: column → value, row by row. */
function corrected(
  { marker, rows: [header, ...data] }: Sheet,
  changes: Record<string, CellValue>[],
): Promise<Uint8Array> {
  const changed = data.map(({ cells }, index) =>
    header.cells.map((label, column) => changes[index][String(label).replace(' *', '')] ?? cells[column] ?? null),
  )
  return writeXlsx({
    sheets: [
      { name: 'Data', rows: [header.cells, ...changed] },
      { name: markerSheet, veryHidden: true, rows: [[marker]] },
    ],
  })
}

describe('the file of failed rows', () => {
  it('has the failed rows alone, with their cells as given and the reasons', async () => {
    const id = await check(house, [
      customerRow(1),
      customerRow(2, { name: null, statementDay: 29, remark: '=1+1' }),
      customerRow(3),
      customerRow(4, { agency: 'J999' }),
    ])
    const file = await failures(id)
    expect(file.headers['content-disposition']).toContain(encodeURIComponent('_失败数据.xlsx'))
    const {
      rows: [header, ...data],
    } = await read(file.raw)
    expect(header.cells).toEqual([
      ...planOf(house).columns.map(({ label, required }) => (required ? `${label.cn} *` : label.cn)),
      '失败原因',
    ])
    expect(data.length).toBe(2)
    const cells = (row: SheetRow) =>
      Object.fromEntries(planOf(house).columns.map(({ field }, index) => [field, row.cells[index] ?? '']))
    expect(cells(data[0])).toMatchObject({
      name: '',
      uscc: customerRow(2).uscc,
      statementDay: '29',
      remark: '=1+1',
      type: '企业',
      agency: 'J001',
    })
    expect(cells(data[1])).toMatchObject({ name: '进口客户4', agency: 'J999' })
    expect(data.map((row) => row.cells.at(-1))).toEqual([
      expect.stringMatching(/1\. 客户名称不能为空.2\. 出账日必须在1至28之间$/),
      expect.stringMatching(/服务机构编号“J999”不存在或已停用$/),
    ])
    for (const [index, number] of [
      [0, 3],
      [1, 5],
    ])
      expect(data[index].cells.at(-1)).toContain(String(number))
  })

  it("speaks the user's language", async () => {
    const id = await check(house, [customerRow(5, { name: null })])
    const file = await failures(id, house.admin, english)
    expect(file.headers['content-disposition']).toContain('_failures.xlsx')
    const {
      rows: [header, row],
    } = await read(file.raw)
    expect([header.cells[0], header.cells.at(-1)]).toEqual(['Customer name *', 'Reason'])
    expect(row.cells.at(-1)).toMatch(/Customer name is required$/)
  })

  it('masks sensitive values for users who may not see them', async () => {
    const id = await check(
      house,
      [
        customerRow(6, {
          name: null,
          consigneeMobile: '15400000666',
          bankAccount: '9900100100000018',
          billingType: '数电专用发票',
        }),
      ],
      { as: blind },
    )
    const text = (sheet: Sheet) => sheet.rows[1].cells.join(' | ')
    const [own, whole] = [text(await read((await failures(id, blind)).raw)), text(await read((await failures(id)).raw))]
    expect(whole).toContain('15400000666')
    expect(whole).toContain('9900100100000018')
    expect(own).not.toContain('15400000666')
    expect(own).not.toContain('9900100100000018')
    expect(own).toContain('****')
    const [row] = await rows(house, id, blind)
    expect(JSON.stringify(row)).not.toContain('15400000666')
  })

  it('is corrected and uploaded again, linked to the first batch, whose rows it corrects', async () => {
    const id = await check(house, [
      customerRow(7),
      customerRow(8, { name: null }),
      customerRow(9, { statementDay: 40 }),
    ])
    await write(house, id)
    const sheet = await read((await failures(id)).raw)
    const again = await importFile(house, await corrected(sheet, [{ 客户名称: '更正的甲' }, { 出账日: 15 }]))
    await worker(house).drain()
    const { batchNo } = await batch(house, id)
    expect(await batch(house, again)).toMatchObject({
      status: 'checked',
      totalCount: 2,
      createCount: 2,
      failCount: 0,
      notes: null,
      corrects: { id, name: batchNo },
    })
    await write(house, again)
    expect(await batch(house, again)).toMatchObject({ status: 'completed', successCount: 2 })
    const { result } = await house.admin.get('/customer/list', { search: '更正的甲' })
    expect(result.list).toMatchObject([{ name: '更正的甲' }])
    expect((await house.admin.get('/customer/list', { search: '进口客户9' })).result.list).toMatchObject([
      { statementDay: 15 },
    ])
  })

  it('fails again where it was not corrected, and its failures belong to the second batch', async () => {
    const id = await check(house, [customerRow(10, { name: null }), customerRow(11, { agency: 'J999' })])
    const again = await importFile(
      house,
      await corrected(await read((await failures(id)).raw), [{ 客户名称: '更正的乙' }, {}]),
    )
    await worker(house).drain()
    expect(await batch(house, again)).toMatchObject({ createCount: 1, failCount: 1, corrects: { id } })
    const third = await importFile(
      house,
      await corrected(await read((await failures(again)).raw), [{ 服务机构编号: 'J001' }]),
    )
    await worker(house).drain()
    expect(await batch(house, third)).toMatchObject({ createCount: 1, failCount: 0, corrects: { id: again } })
  })

  it('is not linked to a batch that does not exist or is out of scope', async () => {
    const id = await check(house, [customerRow(12, { name: null })])
    await house.create('/setting/role', {
      code: 'ownImporter',
      name: '只看自己的导入',
      functionPermissions: ['customer:import:*'],
      dataScope: 'self',
    })
    const own = await house.user('own01', ['ownImporter'])
    const sheet = await read((await failures(id)).raw)
    for (const [marker, as] of [
      [sheet.marker!.replace(/\d+$/, '999999'), house.admin],
      [sheet.marker!, own],
    ] as const) {
      const again = await importFile(house, await corrected({ ...sheet, marker }, [{ 客户名称: '更正的丙' }]), { as })
      await worker(house).drain()
      expect(await batch(house, again)).toMatchObject({ status: 'checked', corrects: null })
    }
  })

  it('includes the reasons of failed writing', async () => {
    const id = await check(house, [customerRow(13), customerRow(14)])
    await house.create('/customer', await customerValues(house, { name: customerRow(14).name as string }))
    await write(house, id)
    const {
      rows: [, row, ...more],
    } = await read((await failures(id)).raw)
    expect(more).toEqual([])
    expect(row.cells.at(-1)).toMatch(/客户名称“进口客户14”已存在$/)
  })
})

describe('the errors of a file', () => {
  it('are counted by column and kind, the most frequent first, over all rows', async () => {
    const id = await check(house, [
      customerRow(20, { name: null }),
      customerRow(21, { name: null, agency: 'J999' }),
      customerRow(22, { agency: 'J998', statementDay: 40 }),
      customerRow(23, { agency: 'J999' }),
    ])
    const { result } = await house.admin.get(`${customerImport}/problems`, { id })
    expect(result.list).toMatchObject([
      {
        column: 'agency',
        code: 'reference',
        count: 3,
        label: { cn: '不存在或已停用', en: 'Does not exist or is disabled' },
        message: { cn: '服务机构编号“J999”不存在或已停用' },
      },
      { column: 'name', code: 'required', count: 2, label: { cn: '必填项为空' } },
      { column: 'statementDay', code: 'range', count: 1, label: { en: 'Out of range' } },
    ])
  })

  it("are counted in turn with the user's exports", async () => {
    const id = await check(house, [customerRow(95, { region: '无此省' })])
    const path = `${customerImport}/problems`
    expect(await house.admin.get(path, { id })).toMatchObject({ code: 1 })
    const [{ id: user }] = (await house.admin.get('/setting/user/options', { search: 'admin' })).result.list
    const raws = Array.from({ length: 7 }, () =>
      Object.assign(new EventEmitter(), { destroyed: false, setTimeout: () => undefined }),
    )
    // Two run at a time and five wait, so the next is refused at once.
    const turns = raws.map((raw) =>
      inExportTurn(
        { runtime: house.runtime, user: { id: user } as Context['user'] },
        { raw, request: {} } as unknown as FastifyReply,
        () => Promise.resolve(),
      ),
    )
    expect(await house.admin.get(path, { id })).toMatchObject({ code: 429 })
    for (const raw of raws) {
      raw.emit('close')
      await Promise.resolve()
    }
    await Promise.all(turns)
    expect(await house.admin.get(path, { id })).toMatchObject({ code: 1 })
  })

  it('do not count skipped rows', async () => {
    const customer = await house.create('/customer', await customerValues(house))
    const { uscc } = (await house.admin.get('/customer/detail', { id: customer })).result
    const id = await check(house, [customerRow(24, { uscc }), customerRow(25)])
    expect((await house.admin.get(`${customerImport}/problems`, { id })).result.list).toEqual([])
  })
})
