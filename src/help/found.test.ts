import { expect, it } from 'vitest'
import type { HelpSection } from '../../engine/model/model.ts'
import { sectionsWith } from './found.ts'

const section = (id: string, cn: string, rows: string[][]): HelpSection => ({
  id,
  title: { cn, en: id },
  text: [],
  tables: [{ columns: [], rows }],
})
const sections = [
  section('customer', '客户', [
    ['名称', '文本'],
    ['编号', '编号'],
  ]),
  section('contract', '合同', [
    ['名称', '文本'],
    ['客户', '引用'],
  ]),
]
const found = (wanted: string, language = 'cn') =>
  sectionsWith(sections, wanted, language).map(({ id, tables }) => [
    id,
    tables.flatMap(({ rows }) => rows.map(([first]) => first)),
  ])

it('finds whole sections by their title, and rows of others', () => {
  expect(found('')).toHaveLength(2)
  expect(found('客户')).toEqual([
    ['customer', ['名称', '编号']],
    ['contract', ['客户']],
  ])
  expect(found('引用')).toEqual([['contract', ['客户']]])
  expect(found('合同 编号')).toEqual([])
  expect(found('CONTRACT', 'en')).toEqual([['contract', ['名称', '客户']]])
  expect(found('合同', 'en')).toEqual([])
})
