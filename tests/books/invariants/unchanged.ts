import type { RecordData } from '../../../engine/model/model.ts'
import { families } from '../model/amounts.ts'
import { Broken, type World } from '../world.ts'
import { idOf, type Books } from './Books.ts'

const amounts = (record: RecordData, fields: readonly string[]) =>
  fields.map((field) => String(record[field])).join(' ')

/** What is confirmed, approved or locked stays the same until that is undone. */
export function unchanged(books: Books, world: World): void {
  const now = new Map<string, string>()
  for (const statement of books.statements)
    if (statement.stage === 'confirmed') {
      const items = books.items
        .filter((item) => idOf(item.statement) === statement.id)
        .map((item) => amounts(item, ['feeItem', 'party', 'costMonth', 'amount']))
        .toSorted()
      const key = `statement ${String(statement.statementNo)} of ${String(statement.confirmedAt)}`
      now.set(key, [amounts(statement, ['totalAmount', 'taxAmount', 'headcount']), ...items].join('\n'))
    }
  for (const payroll of books.payrolls)
    if (payroll.approvedAt !== null) {
      const lines = books.wages
        .filter((line) => idOf(line.payroll) === payroll.id)
        .map((line) => amounts(line, ['grossPay', 'currentTax', 'welfarePersonalTotal', 'netPay']))
        .toSorted()
      now.set(`payroll ${String(payroll.batchNo)} of ${String(payroll.approvedAt)}`, lines.join('\n'))
    }
  for (const family of families)
    for (const summary of books.summaries[family])
      if (summary.confirmedAt !== null && summary.status !== 'reconciling') {
        const lines = books.expenses[family]
          .filter((line) => idOf(line.summary) === summary.id && line.lineStatus !== 'void')
          .map((line) => amounts(line, ['belongMonth', 'expenseType', 'companyTotal', 'personalTotal', 'lateFee']))
          .toSorted()
        now.set(`${family} ${String(summary.summaryNo)} of ${String(summary.confirmedAt)}`, lines.join('\n'))
      }
  const before = (world.kept.get('confirmed') ?? new Map()) as Map<string, string>
  for (const [key, was] of before) {
    const is = now.get(key)
    if (is !== undefined && is !== was) throw new Broken('unchanged', `${key} was\n${was}\nand is\n${is}`)
  }
  world.kept.set('confirmed', now)
}
