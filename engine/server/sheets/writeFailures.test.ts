import { Buffer } from 'node:buffer'
import { readXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { allRows, collected, opened } from './books.examples.ts'
import { exampleColumns, exampleTemplate } from './columns.examples.ts'
import { matchHeader } from './matchHeader.ts'
import { writeFailures } from './writeFailures.ts'
import type { FailedRow } from './writeFailures.ts'
import { unzipTexts } from './zipParts.ts'
import { isLong } from '../../../tests/long.ts'

const rows: FailedRow[] = [
  {
    number: 17,
    cells: { name: 'A & <B>', creditCode: '911', amount: '1e', account: '6222020200112233445' },
    problems: [{ column: 'amount', message: '金额格式不正确' }],
  },
  {
    number: 40,
    cells: { name: ' x ', type: '个人' },
    problems: [
      { column: 'name', message: '客户名称太短' },
      { column: 'name', message: '客户名称已存在' },
      { column: 'creditCode', message: '请输入统一社会信用代码' },
      { message: '整行有误' },
    ],
  },
]

async function written(failed: AsyncIterable<FailedRow> | Iterable<FailedRow>, language = 'cn'): Promise<Buffer> {
  const each = async function* () {
    yield* failed
  }
  return Buffer.concat(await collected<Buffer>(writeFailures({ ...exampleTemplate, language, rows: each() })))
}

describe('failed rows', () => {
  it('are returned with their cells as given, and the reasons', async () => {
    const bytes = await written(rows)
    const [header, ...found] = await allRows(bytes)
    expect(matchHeader(header.cells, exampleColumns)).toEqual({
      keys: [...exampleColumns.map(({ key }) => key), null],
      missing: [],
      unknown: [],
      doubled: [],
    })
    expect(found).toEqual([
      {
        number: 2,
        cells: ['A & <B>', '911', null, null, '1e', null, null, null, '6222020200112233445', '第17行：金额格式不正确'],
      },
      {
        number: 3,
        cells: [
          ' x ',
          null,
          '个人',
          null,
          null,
          null,
          null,
          null,
          null,
          '第40行：1. 客户名称太短；2. 客户名称已存在；3. 请输入统一社会信用代码；4. 整行有误',
        ],
      },
    ])
    const sheet = await opened(bytes)
    await sheet.close()
    expect(sheet.marker).toBe(exampleTemplate.marker)
  })

  it('show which cells are wrong, and why', async () => {
    const {
      sheets: [data, hidden],
    } = await readXlsx(await written(rows), { readStyles: true })
    const red = [...data.cells!]
      .filter(([, { style }]) => (style?.fill as { fgColor?: { rgb?: string } } | undefined)?.fgColor?.rgb === 'FFC7CE')
      .map(([cell]) => cell)
    expect(red.sort()).toEqual(['1,4', '2,0', '2,1'])
    const comments = [...data.cells!].flatMap(([cell, { comment }]) =>
      comment && !cell.startsWith('0,') ? [[cell, comment.text]] : [],
    )
    expect(Object.fromEntries(comments)).toEqual({
      '1,4': '金额格式不正确',
      '2,0': '1. 客户名称太短\n2. 客户名称已存在',
      '2,1': '请输入统一社会信用代码',
    })
    expect(data.cells!.get('0,0')!.comment!.text).toContain('必填')
    expect([data.freezePane?.rows, data.dataValidations?.length, hidden.veryHidden]).toEqual([1, 3, true])
    expect(data.cells!.get('1,8')!.style!.numFmt).toBe('@')
  })

  it('are in the language of the user', async () => {
    const [header, row] = await allRows(await written([rows[0]], 'en'))
    expect([header.cells.at(-1), row.cells.at(-1)]).toEqual(['Reason', 'Row 17: 金额格式不正确'])
  })

  it('contain no formula and no control character', async () => {
    const evil = ["=cmd|' /C calc'!A1", '+1', '-1', '@SUM(A1)']
    const bytes = await written(
      evil.map((text, index) => ({
        number: index,
        cells: { name: text, creditCode: 'a\u0000\u0007b\ud800_x0041_' },
        problems: [{ column: 'name', message: text }],
      })),
    )
    for (const [name, part] of await unzipTexts(bytes)) expect(part, name).not.toMatch(/<f[ >]|t="str"/)
    expect((await allRows(bytes)).slice(1).map(({ cells }) => cells.slice(0, 2))).toEqual(
      evil.map((text) => [text, 'ab_x0041_']),
    )
  })

  it.skipIf(!isLong)('have comments on the first 20,000 wrong cells, and red on all', async () => {
    const parts = await unzipTexts(
      await written(
        Array.from({ length: 20_010 }, (_, number) => ({
          number,
          cells: { name: 'x' },
          problems: [{ column: 'name', message: 'bad' }],
        })),
      ),
    )
    const count = (part: string, pattern: RegExp) => parts.get(part)!.match(pattern)!.length
    expect([count('xl/comments1.xml', /<comment /g), count('xl/drawings/vmlDrawing1.vml', /<v:shape /g)]).toEqual([
      20_000 + exampleColumns.length,
      20_000 + exampleColumns.length,
    ])
    const [, style] = parts.get('xl/worksheets/sheet1.xml')!.match(/<c r="A20011" s="(\d+)"/)!
    expect(parts.get('xl/worksheets/sheet1.xml')).toContain(`<c r="A2" s="${style}"`)
  })

  it('end the stream with the error of their source, and release the source when reading stops', async () => {
    const broken = async function* (): AsyncGenerator<FailedRow> {
      yield rows[0]
      throw new Error('the database went away')
    }
    await expect(written(broken())).rejects.toThrow('the database went away')
    let released = false
    const endless = async function* (): AsyncGenerator<FailedRow> {
      try {
        for (let number = 0; ; number++) yield { number, cells: { name: `${Math.sin(number)}` }, problems: [] }
      } finally {
        released = true
      }
    }
    const stream = writeFailures({ ...exampleTemplate, rows: endless() })
    for await (const _ of stream) break
    await expect.poll(() => released).toBe(true)
  })
})
