import { sql } from 'kysely'
import { writeXlsx } from 'hucre/xlsx'
import { writeHistory } from '../../../engine/server/history.ts'
import type { Procedure } from '../../../engine/server/runtime.ts'
import { storeFile } from '../../../engine/server/storeFile.ts'
import type { RecordData, Value } from '../../../engine/schema/model.ts'
import { changeRecord, column, entityOf, isAnyOf, readAll } from '../settlement/stored.ts'
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
export const exportFilings: Procedure = async ({ context, db, records }) => {
  const ids = records.map(({ person }) => person as number)
  const people = new Map(
    (await readAll(context, db, 'person', [isAnyOf('id', ids)], ['name', 'jobNumber', 'idType', 'idNumber'])).map(
      (person) => [person.id!, person],
    ),
  )
  const deductions = await readAll(context, db, 'specialDeduction', [
    isAnyOf('person', ids),
    sql<boolean>`${column('taxMonth')} = any(${[...new Set(records.map(({ taxMonth }) => String(taxMonth)))]}::text[])`,
  ])
  const idTypes = new Map(
    context.derived.catalog.dictionaries.idType.choices.map(({ value, label }) => [value, label.cn]),
  )
  const rows = records.map((filing) => {
    const person = people.get(filing.person as number)!
    const own = deductions.find((row) => row.person === filing.person && row.taxMonth === filing.taxMonth)
    const text = (value: Value | undefined) => String(value ?? '')
    return [
      text(person.jobNumber),
      text(person.name),
      idTypes.get(String(person.idType)) ?? '',
      text(person.idNumber),
      text(filing.currentIncome),
      text(filing.exemptIncome),
      text(filing.statutory),
      ...deductionItems.map((item) => text(own?.[item] ?? '0.00')),
      text(filing.otherDeduction),
      '0.00',
      '0.00',
      text(filing.remark),
    ]
  })
  const months = [...new Set(records.map(({ taxMonth }) => String(taxMonth)))].sort()
  const file = await storeFile(
    context,
    db,
    `个税申报表${months[0]}.xlsx`,
    await writeXlsx({ sheets: [{ name: '综合所得申报', rows: [header, ...rows] }] }),
  )
  for (const record of records) {
    const old: RecordData = { ...record }
    await changeRecord(context, db, entityOf(context, 'personalTax'), record, {
      status: 'exported',
      filingFile: [{ ...file, status: 'success' }] as Value,
    })
    await writeHistory(context, db, entityOf(context, 'personalTax'), 'exportFiling', record, old)
  }
}
