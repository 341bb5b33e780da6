import { writeXlsx } from 'hucre/xlsx'
import { procedure } from '../../../engine/server/procedure.ts'
import { deductionItems } from './specialDeduction.ts'

const header = [
  '工号',
  '姓名',
  '证件类型',
  '证件号码',
  '本期收入',
  '本期免税收入',
  '专项扣除',
  '累计子女教育',
  '累计3岁以下婴幼儿照护',
  '累计继续教育',
  '累计住房贷款利息',
  '累计住房租金',
  '累计赡养老人',
  '累计个人养老金',
  '其他扣除',
  '准予扣除的捐赠额',
  '减免税额',
  '备注',
]

/** The file that the tax client takes, kept with each of its filings, which are exported then. */
export const exportFilings = procedure<'personalTax'>(async (work, { records }) => {
  const ids = records.map(({ person }) => person)
  const months = [...new Set(records.map(({ taxMonth }) => taxMonth))].sort()
  const people = await work.byId('person', ids, { fields: ['name', 'jobNumber', 'idType', 'idNumber'] })
  const deductions = await work.read('specialDeduction', { where: { person: ids, taxMonth: months } })
  const idTypes = new Map(work.dictionary('idType').choices.map(({ value, label }) => [value, label.cn]))
  const rows = records.map((filing) => {
    const person = people.get(filing.person)!
    const own = deductions.find((row) => row.person === filing.person && row.taxMonth === filing.taxMonth)
    return [
      person.jobNumber ?? '',
      person.name,
      idTypes.get(person.idType) ?? '',
      person.idNumber,
      filing.currentIncome ?? '',
      filing.exemptIncome ?? '',
      filing.statutory ?? '',
      ...deductionItems.map((item) => own?.[item] ?? '0.00'),
      filing.otherDeduction ?? '',
      '0.00',
      '0.00',
      filing.remark ?? '',
    ]
  })
  const file = await work.storeFile(
    `个税申报表${months[0]}.xlsx`,
    await writeXlsx({ sheets: [{ name: '综合所得申报', rows: [header, ...rows] }] }),
  )
  await work.changeAll(
    'personalTax',
    records.map((record) => ({ record, values: { status: 'exported', filingFile: [file] } as const })),
    { action: 'exportFiling' },
  )
})
