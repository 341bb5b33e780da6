import { readXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { allRows, opened } from './books.examples.ts'
import { exampleColumns, exampleTemplate } from './columns.examples.ts'
import { isSample, matchHeader } from './matchHeader.ts'
import type { SheetColumn } from './sheetColumn.ts'
import { writeTemplate } from './writeTemplate.ts'
import { unzipTexts } from './zipParts.ts'

const instructions = [{ cn: '请勿修改表头。', en: 'Leave the headers as they are.' }]
const written = (more: Partial<typeof exampleTemplate> = {}) =>
  writeTemplate({ ...exampleTemplate, instructions, ...more })
const book = async (more?: Partial<typeof exampleTemplate>) => readXlsx(await written(more), { readStyles: true })

describe('a template', () => {
  it('has a header with marks and with the rules as comments, frozen in view', async () => {
    const {
      sheets: [data],
    } = await book()
    expect(data.name).toBe('企业客户')
    expect(data.rows[0]).toEqual([
      '客户名称 *',
      '统一社会信用代码 *',
      '类型 *',
      '分公司',
      '金额',
      '签约日期',
      '拜访时间',
      '启用',
      '银行账号',
    ])
    expect(data.freezePane).toMatchObject({ rows: 1 })
    const [required, optional] = ['0,0', '0,3'].map((cell) => data.cells!.get(cell)!)
    expect([required.style!.font!.bold, optional.style!.font!.bold]).toEqual([true, true])
    expect(required.style!.fill).not.toEqual(optional.style!.fill)
    expect(required.comment!.text).toBe('必填\n格式：文本\n说明：与营业执照一致')
    expect(optional.comment!.text).toContain('上海第10分公司 等60项')
    expect(data.columns!.map(({ width }) => width)).toEqual(exampleColumns.map(({ width }) => width))
  })

  it('has a grey sample row that is recognised later, and formats for every row below', async () => {
    const bytes = await written()
    const [header, sample, ...rest] = await allRows(bytes)
    expect(isSample(sample.cells, matchHeader(header.cells, exampleColumns).keys, exampleColumns)).toBe(true)
    expect([sample.number, rest]).toEqual([2, []])
    const {
      sheets: [data],
    } = await readXlsx(bytes, { readStyles: true })
    expect(['1,0', '1,4', '1,5'].map((cell) => data.cells!.get(cell)!.style)).toMatchObject(
      ['@', '0.00', 'yyyy-mm-dd'].map((numFmt) => ({ numFmt, font: { color: { rgb: '8C8C8C' } } })),
    )
    const parts = await unzipTexts(bytes)
    const formats = new Map(
      [...parts.get('xl/styles.xml')!.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(
        ([, id, format]) => [id, format],
      ),
    )
    const styles = [
      ...parts
        .get('xl/styles.xml')!
        .match(/<cellXfs.*?<\/cellXfs>/s)![0]
        .matchAll(/<xf numFmtId="(\d+)"/g),
    ].map(([, id]) => id)
    const ofColumns = [...parts.get('xl/worksheets/sheet1.xml')!.matchAll(/<col min="\d+"(?: style="(\d+)")?/g)].map(
      ([, style]) => style && formats.get(styles[Number(style)]),
    )
    expect(ofColumns).toEqual(exampleColumns.map(({ format }) => format))
  })

  it('offers short lists in the rule and long ones from the hidden sheet, down to the last row', async () => {
    const {
      sheets: [data, , hidden],
    } = await book()
    const lists = data.dataValidations!.map(({ range, values, formula1 }) => [range, values ?? formula1])
    expect(lists).toEqual([
      ['C2:C200002', ['企业', '个人']],
      ['D2:D200002', '_template!$B$1:$B$60'],
      ['H2:H200002', ['是', '否']],
    ])
    expect(hidden.rows.map((row) => row[1])).toEqual(exampleColumns[3].choices)
    expect(hidden.veryHidden).toBe(true)
  })

  it('offers from the hidden sheet what a rule cannot contain', async () => {
    const lists = [
      ['a,b', 'c'],
      ['say "a"'],
      [' a'],
      Array.from({ length: 32 }, () => '1234567'),
      Array.from({ length: 33 }, () => '1234567'),
    ]
    const columns = lists.map((choices, index): SheetColumn => ({
      key: `${index}`,
      label: { cn: `列${index}`, en: `Column ${index}` },
      required: false,
      width: 9,
      choices,
    }))
    const {
      sheets: [data, , hidden],
    } = await book({ columns })
    expect(data.dataValidations!.map(({ values, formula1 }) => values?.length ?? formula1)).toEqual([
      '_template!$B$1:$B$2',
      '_template!$C$1:$C$1',
      '_template!$D$1:$D$1',
      32,
      '_template!$E$1:$E$33',
    ])
    expect(hidden.rows[0]).toEqual([exampleTemplate.marker, 'a,b', 'say "a"', ' a', '1234567'])
  })

  it('explains itself in the language of the user', async () => {
    const { sheets } = await book({ language: 'en' })
    expect(sheets.map(({ name }) => name)).toEqual(['Corporate customers', 'Instructions', '_template'])
    expect(sheets[1].rows[0][0]).toBe('Leave the headers as they are.')
    expect(sheets[1].rows[2]).toEqual(['Column', 'Required', 'Format', 'Allowed values', 'Note'])
    expect(sheets[1].rows[3]).toEqual(['Customer name', 'Yes', 'Text', '', 'As on the business license'])
    expect(sheets[1].rows.at(-2)).toEqual(['Enabled', 'No', '', '是, 否', ''])
    expect(sheets[1].rows).toHaveLength(3 + exampleColumns.length)
  })

  it('keeps any marker, and names its sheet as programs allow', async () => {
    for (const marker of ['=1+1', '_x0041_ <&>', '#N/A']) {
      const sheet = await opened(await written({ marker, title: { cn: 'a/b:[c]*?\\'.repeat(9), en: '' } }))
      await sheet.close()
      expect(sheet.marker).toBe(marker)
    }
    const many = Array.from({ length: 300 }, (_, index): SheetColumn => ({
      key: `${index}`,
      label: { cn: `列${index}`, en: `Column ${index}` },
      required: false,
      width: 9,
      choices: ['a,b'],
    }))
    const wide = await opened(await written({ columns: many }))
    await wide.close()
    expect(wide.marker).toBe(exampleTemplate.marker)
    const { sheets } = await book({ title: { cn: '填写说明', en: '' } })
    expect(sheets.map(({ name }) => name)).toEqual(['Sheet1', '填写说明', '_template'])
  })

  it('contains no formula, whatever the texts begin with', async () => {
    const evil = ["=cmd|' /C calc'!A1", '+1+1', '-1+1', '@SUM(A1)']
    const columns = evil.map((text): SheetColumn => ({
      key: text,
      label: { cn: text, en: text },
      required: false,
      width: 9,
      sample: text,
      note: { cn: text, en: text },
      choices: [text, 'x,y'],
    }))
    const bytes = await written({ columns, instructions: [{ cn: evil[0], en: evil[0] }] } as Partial<
      typeof exampleTemplate
    >)
    const parts = await unzipTexts(bytes)
    for (const [name, part] of parts) expect(part, name).not.toMatch(/<f[ >]|t="str"/)
    expect((await allRows(bytes)).map(({ cells }) => cells)).toEqual([evil, evil])
    const {
      sheets: [data],
    } = await readXlsx(bytes, { readStyles: true })
    expect(evil.map((_, column) => data.cells!.get(`1,${column}`)!.style!.numFmt)).toEqual(evil.map(() => '@'))
  })
})
