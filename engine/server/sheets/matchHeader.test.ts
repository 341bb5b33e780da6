import { describe, expect, it } from 'vitest'
import { cellAddress } from './cellAddress.ts'
import { exampleColumns } from './columns.examples.ts'
import { isSample, matchHeader, reasonLabel } from './matchHeader.ts'
import type { SheetColumn } from './sheetColumn.ts'

const [name, creditCode, type] = exampleColumns
const columns = [name, creditCode, type]

describe('the header of a file', () => {
  it('matches in any order and either language, ignoring marks, width and case', () => {
    expect(matchHeader([' ＵＳＣＣ * ', '类型＊', 'customer  NAME'], columns)).toEqual({
      keys: ['creditCode', 'type', 'name'],
      missing: [],
      unknown: [],
      doubled: [],
    })
  })

  it('names missing, unknown and duplicate columns', () => {
    expect(matchHeader(['客户名称', null, '备注', 'Customer name', 2026], columns)).toEqual({
      keys: ['name', null, null, null, null],
      missing: ['creditCode', 'type'],
      unknown: [
        { column: 'C', text: '备注' },
        { column: 'E', text: '2026' },
      ],
      doubled: ['name'],
    })
    expect(matchHeader(['类型', '类型', '类型'], columns).doubled).toEqual(['type'])
  })

  it('recognises the column with the reasons of failed rows', () => {
    expect(matchHeader(['客户名称', ...Object.values(reasonLabel)], [name])).toEqual({
      keys: ['name', null, null],
      missing: [],
      unknown: [],
      doubled: [],
    })
  })

  it('assigns columns with the same label in order', () => {
    const twice: SheetColumn[] = [
      { ...name, key: 'first' },
      { ...name, key: 'second' },
    ]
    expect(matchHeader(['客户名称', '客户名称'], twice)).toMatchObject({ keys: ['first', 'second'], doubled: [] })
    expect(matchHeader(['客户名称', '客户名称', '客户名称'], twice).doubled).toEqual(['first', 'second'])
  })
})

describe('the sample row', () => {
  const keys = exampleColumns.map(({ key }) => key)
  const sample = exampleColumns.map((column) => column.sample ?? null)

  it('is recognised as in the template, even without columns that the file lacks', () => {
    expect(isSample(sample, keys, exampleColumns)).toBe(true)
    expect(isSample([sample[1], 'whatever', sample[0]], ['creditCode', null, 'name'], exampleColumns)).toBe(true)
    expect(
      isSample(
        sample.map((cell) => (cell instanceof Date ? new Date(cell.getTime() + 3) : cell)),
        keys,
        exampleColumns,
      ),
    ).toBe(true)
  })

  it('is data as soon as one cell differs', () => {
    for (const [index] of keys.entries())
      expect(isSample(sample.with(index, 'other'), keys, exampleColumns), keys[index]).toBe(false)
    expect(isSample(sample.with(4, null), keys, exampleColumns)).toBe(false)
    expect(isSample([], [], exampleColumns)).toBe(false)
    expect(isSample([null], ['account'], exampleColumns)).toBe(false)
  })
})

it('names cells as spreadsheet programs do', () => {
  expect([cellAddress(0, 1), cellAddress(2, 17), cellAddress(26, 2), cellAddress(299, 200_001)]).toEqual([
    'A1',
    'C17',
    'AA2',
    'KN200001',
  ])
})
