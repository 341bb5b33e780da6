import type { SheetColumn } from './sheetColumn.ts'
import type { Template } from './templateBook.ts'

/** A column of every type. `fixtures/filledInLibreOffice.xlsx` was made from their template. */
export const exampleColumns: SheetColumn[] = [
  {
    key: 'name',
    label: { cn: '客户名称', en: 'Customer name' },
    required: true,
    format: '@',
    width: 24,
    note: { cn: '与营业执照一致', en: 'As on the business license' },
    sample: '示例有限公司',
  },
  {
    key: 'creditCode',
    label: { cn: '统一社会信用代码', en: 'USCC' },
    required: true,
    format: '@',
    width: 22,
    sample: '91310000MA1K00001X',
  },
  {
    key: 'type',
    label: { cn: '类型', en: 'Type' },
    required: true,
    width: 10,
    choices: ['企业', '个人'],
    sample: '企业',
  },
  {
    key: 'agency',
    label: { cn: '分公司', en: 'Agency' },
    required: false,
    width: 20,
    choices: Array.from({ length: 60 }, (_, index) => `上海第${index + 1}分公司`),
    sample: '上海第1分公司',
  },
  { key: 'amount', label: { cn: '金额', en: 'Amount' }, required: false, format: '0.00', width: 12, sample: 12.5 },
  {
    key: 'signedOn',
    label: { cn: '签约日期', en: 'Signed on' },
    required: false,
    format: 'yyyy-mm-dd',
    width: 12,
    sample: new Date(Date.UTC(2026, 0, 31)),
  },
  {
    key: 'visitedAt',
    label: { cn: '拜访时间', en: 'Visited at' },
    required: false,
    format: 'yyyy-mm-dd hh:mm:ss',
    width: 20,
  },
  { key: 'enabled', label: { cn: '启用', en: 'Enabled' }, required: false, width: 8, choices: ['是', '否'] },
  { key: 'account', label: { cn: '银行账号', en: 'Bank account' }, required: false, format: '@', width: 24 },
]

export const exampleTemplate: Template = {
  title: { cn: '企业客户', en: 'Corporate customers' },
  columns: exampleColumns,
  language: 'cn',
  marker: 'customer 1f0c9a 2026-11-21',
}
