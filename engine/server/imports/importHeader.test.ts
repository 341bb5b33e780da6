import { Readable } from 'node:stream'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { customerValues } from '../../../tests/customer.ts'
import { batch, customerImport, customerRow, importFile, planOf, rows, worker } from '../../../tests/importing.ts'
import { createTestServer, type TestServer, withOwnCatalog } from '../../../tests/server.ts'
import type { ImportPlan } from '../../model/model.ts'
import { markerSheet } from '../sheets/markerSheet.ts'
import { openSheet, type SheetRow } from '../sheets/readSheet.ts'
import { markerOf } from './importSheet.ts'

type Cell = string | number | null

let house: TestServer
let plan: ImportPlan
let number = 0
beforeAll(async () => {
  house = await createTestServer(withOwnCatalog)
  await customerValues(house)
  plan = planOf(house)
})
afterAll(() => house?.close())

/** The batch after a file with these rows was checked; `marker` is that of a template. */
async function checked(rows: Cell[][], marker?: string) {
  const hidden = marker === undefined ? [] : [{ name: markerSheet, veryHidden: true, rows: [[marker]] }]
  const id = await importFile(house, await writeXlsx({ sheets: [{ name: 'Data', rows }, ...hidden] }))
  await worker(house).drain()
  return batch(house, id)
}

const labels = (language = 'cn') => plan.columns.map(({ label }) => label[language])
const cells = (values: Record<string, Cell> = {}): Cell[] => {
  const row = customerRow(++number, values)
  return plan.columns.map(({ field }) => (row[field] ?? null) as Cell)
}
const at = (field: string) => plan.columns.findIndex((column) => column.field === field)
const without = <T>(list: T[], index: number): T[] => list.filter((_, place) => place !== index)
const message = (given: unknown) => (given as { message: { cn: string; en: string } }[])[0].message

describe('the headers of a file', () => {
  it('are matched in any order, language and spelling', async () => {
    const mixed = plan.columns.map(({ label, required }, index) =>
      index % 2 ? ` ${label.en.toUpperCase()}  ` : `${label.cn}${required ? ' *' : ''}`,
    )
    const result = await checked([mixed.toReversed(), cells().toReversed()])
    expect(result).toMatchObject({ status: 'checked', createCount: 1, failCount: 0, notes: null })
    const [row] = await rows(house, result.id!)
    expect(row).toMatchObject({ cellName: `进口客户${number}`, cellUscc: customerRow(number).uscc })
  })

  it('are required by name if every row needs them, and no row is stored', async () => {
    const [name, agency] = [at('name'), at('agency')]
    const cut = <T>(list: T[]) => without(without(list, agency), name)
    const result = await checked([cut(labels()), cut(cells())])
    expect(result).toMatchObject({ status: 'failed', totalCount: 0, notes: null })
    expect(message(result.failReason)).toEqual({
      cn: '导入模板不正确：缺少列“客户名称”，缺少列“服务机构编号”。请下载最新模板',
      en: 'Wrong template: column "Customer name" is missing, column "Agency code" is missing. Please download the latest one',
    })
    expect(await rows(house, result.id!)).toEqual([])
  })

  it('may lack optional columns or have extra ones, and both are noted', async () => {
    const remark = at('remark')
    const result = await checked([
      [...without(labels(), remark), '颜色'],
      [...without(cells(), remark), '红'],
    ])
    expect(result).toMatchObject({ status: 'checked', createCount: 1 })
    expect(result.notes).toMatchObject([
      { message: { cn: 'Z列“颜色”不在模板中，已忽略', en: 'column Z "颜色" is not in the template, ignored' } },
      { message: { cn: '文件中没有列“备注”，按空处理', en: 'column "Remark" is missing; it counts as empty' } },
    ])
  })

  it('may not occur twice', async () => {
    const result = await checked([
      [...labels(), 'Customer name *'],
      [...cells(), '另一个'],
    ])
    expect(result.status).toBe('failed')
    expect(message(result.failReason)).toMatchObject({
      cn: '导入模板不正确：列“客户名称”重复。请下载最新模板',
      en: expect.stringContaining('column "Customer name" appears twice'),
    })
  })

  it('are refused if they match no template', async () => {
    const result = await checked([
      ['一', '二'],
      ['三', '四'],
    ])
    expect(result.status).toBe('failed')
    expect(message(result.failReason).cn).toContain('A列“一”不在模板中，B列“二”不在模板中')
  })
})

describe('the marker of a template', () => {
  it("is accepted without notes if it is this import's", async () => {
    expect(await checked([labels(), cells()], markerOf(plan))).toMatchObject({
      status: 'checked',
      createCount: 1,
      notes: null,
      corrects: null,
    })
  })

  it("causes a refusal if it is another import's, even with the same columns", async () => {
    const result = await checked([labels(), cells()], markerOf({ ...plan, batches: 'contractImport' }))
    expect(result.status).toBe('failed')
    expect(message(result.failReason)).toEqual({
      cn: '导入模板不正确：不是本页面的模板。请下载最新模板',
      en: 'Wrong template: it is the template of another import. Please download the latest one',
    })
  })

  it('reports new and removed columns if the template is older', async () => {
    const old = { ...plan, columns: without(plan.columns, at('remark')) }
    const remark = at('remark')
    const result = await checked(
      [
        [...without(labels(), remark), '传真'],
        [...without(cells(), remark), '1'],
      ],
      markerOf(old),
    )
    expect(result).toMatchObject({ status: 'checked', createCount: 1 })
    expect(result.notes).toMatchObject([
      { message: { cn: 'Z列“传真”不在模板中，已忽略' } },
      {
        message: {
          cn: '新模板增加了列“备注”，文件中没有，按空处理',
          en: 'column "Remark" is new in the template; it counts as empty',
        },
      },
    ])
  })
})

describe('the template', () => {
  const template = async (language: string) =>
    ((await house.admin.get(`${customerImport}/template`, {}, { language })) as unknown as { raw: Buffer }).raw
  async function rowsOf(content: Buffer) {
    const sheet = await openSheet(Readable.from([content]))
    const list: SheetRow[] = []
    for await (const row of sheet.rows()) list.push(row)
    await sheet.close()
    return { list, marker: sheet.marker }
  }

  it.each([
    ['zh-CN', 'cn'],
    ['en-US', 'en'],
  ])("speaks the user's language and belongs to this import: %s", async (header, language) => {
    const {
      list: [headers, samples, ...rest],
      marker,
    } = await rowsOf(await template(header))
    expect(headers.cells).toEqual(
      plan.columns.map(({ label, required }) => (required ? `${label[language]} *` : label[language])),
    )
    expect(samples.cells).toEqual(sample())
    expect([rest, marker]).toEqual([[], markerOf(plan)])
    expect(headers.cells.filter((label) => String(label).endsWith('*')).length).toBe(15)
  })

  it('has no data as downloaded, and is read once it has some', async () => {
    const content = await template('en-US')
    const untouched = await importFile(house, content)
    await worker(house).drain()
    expect(message((await batch(house, untouched)).failReason).en).toBe('The file has no data')
    const {
      list: [headers, samples],
      marker,
    } = await rowsOf(content)
    expect(await checked([headers.cells, samples.cells, cells()] as Cell[][], marker!)).toMatchObject({
      status: 'checked',
      totalCount: 1,
      createCount: 1,
      notes: null,
    })
  })

  it('has a valid sample', async () => {
    for (const code of ['support', 'sales']) await house.user(code, [code])
    const top = await house.create('/customer/customerClassification', { name: '重点客户' })
    await house.create('/customer/customerClassification', { name: '制造', parent: top })
    const values = sample()
    values[at('remark')] = '不再是示例'
    const result = await checked([labels(), values], markerOf(plan))
    expect(await rows(house, result.id!)).toMatchObject([{ rowStatus: 'toCreate', errors: null }])
  })
})

const sample = () => plan.columns.map(({ sample: text }) => text ?? null)

describe('the rows of a file', () => {
  it('do not include the sample if it is unchanged', async () => {
    const untouched = await checked([labels(), sample(), cells()])
    expect((await rows(house, untouched.id!)).map(({ rowNo, cellName }) => [rowNo, cellName])).toEqual([
      [3, `进口客户${number}`],
    ])
    const changed = sample()
    changed[at('remark')] = '已改'
    const result = await checked([labels(), changed, cells()])
    expect((await rows(house, result.id!)).map(({ rowNo, cellName }) => [rowNo, cellName])).toEqual([
      [2, '启澜机械'],
      [3, `进口客户${number}`],
    ])
    const below = await checked([labels(), cells(), sample()])
    expect(below.totalCount).toBe(2)
  })

  it.each([
    ['only headers', () => [labels()]],
    ['the sample alone', () => [labels(), sample()]],
    ['blank rows', () => [labels(), [' ', null], [null], ['', '　']]],
    ['nothing', () => []],
  ])('are required: %s', async (_, content) => {
    const result = await checked(content())
    expect(result).toMatchObject({ status: 'failed', totalCount: 0, finishedAt: expect.any(String) })
    expect(message(result.failReason)).toEqual({ cn: '文件中没有数据', en: 'The file has no data' })
  })

  it('keep their numbers after blank rows, which do not count', async () => {
    const result = await checked([labels(), [null], cells(), [' '], [null], cells({ name: null }), [' '], [null]])
    expect(result).toMatchObject({ totalCount: 2, createCount: 1, failCount: 1 })
    expect(
      (await rows(house, result.id!)).map(({ rowNo, errors }) => [
        rowNo,
        (errors as { cell: string }[] | null)?.[0].cell,
      ]),
    ).toEqual([
      [3, undefined],
      [6, 'A6'],
    ])
  })

  it('are limited to the maximum of the import', async () => {
    const taken = house.runtime.derived.imports.get('customerImport')!
    const { maxRows } = taken
    taken.maxRows = 3
    try {
      expect(await checked([labels(), sample(), cells(), cells(), cells()])).toMatchObject({
        status: 'checked',
        totalCount: 3,
      })
      for (const many of [4, 5, 9]) {
        const result = await checked([labels(), ...Array.from({ length: many }, () => cells())])
        expect(result).toMatchObject({ status: 'failed', totalCount: 0 })
        expect(message(result.failReason).cn).toContain('数据超过3行')
        expect(await rows(house, result.id!)).toEqual([])
      }
    } finally {
      taken.maxRows = maxRows
    }
  })
})

it('stores the file as it was uploaded', async () => {
  const content = await writeXlsx({ sheets: [{ name: 'Data', rows: [labels(), cells()] }] })
  const id = await importFile(house, content, { name: '原件 一.xlsx' })
  const answer = (await house.admin.get(`${customerImport}/original`, { id })) as unknown as {
    raw: Buffer
    headers: Record<string, string>
  }
  expect(Buffer.from(answer.raw).equals(Buffer.from(content))).toBe(true)
  expect(answer.headers['content-disposition']).toContain(encodeURIComponent('原件 一.xlsx'))
})
