import { Refusal } from '../../../engine/server/errors.ts'
import { writeHistory } from '../../../engine/server/history.ts'
import type { Procedure } from '../../../engine/server/runtime.ts'
import { lockRecord } from '../../../engine/server/save.ts'
import type { Amount } from './amounts.ts'
import { appendJournal } from './journal.ts'
import { changeRecord, entityOf } from './stored.ts'

/** Takes matches back; their rows stay, marked. @throws Refusal notAllowed where the month of one is closed. */
export const unmatchReceipt: Procedure = async ({ context, db, records, values }) => {
  const [match, receipt, statement] = ['receiptMatch', 'receipt', 'statement'].map((name) => entityOf(context, name))
  const closed = context.settings.parameter.closedMonth as string | null
  for (const record of records) {
    if (closed && String(record.matchedAt).slice(0, 7) <= closed) {
      throw new Refusal('notAllowed', {
        text: {
          cn: `${closed}及以前已关账，不能撤销核销`,
          en: `The months up to ${closed} are closed: the match stays`,
        },
      })
    }
    const before = [
      await lockRecord(context, db, receipt, record.receipt as number),
      await lockRecord(context, db, statement, record.statement as number),
    ]
    const old = { ...record }
    await changeRecord(context, db, match, record, {
      cancelled: true,
      cancelReason: values.cancelReason,
      cancelledBy: context.user.id || null,
      cancelledAt: context.now,
    })
    await writeHistory(context, db, match, 'unmatch', record, old)
    // As they are without it.
    const [[paid, owed], [paidAfter, owedAfter]] = [
      before,
      [await lockRecord(context, db, receipt, before[0].id!), await lockRecord(context, db, statement, before[1].id!)],
    ]
    const common = { action: 'unmatch', customer: record.customer as number, detail: String(values.cancelReason) }
    await appendJournal(context, db, [
      {
        ...common,
        subject: 'receipt',
        documentNo: String(paid.receiptNo),
        receipt: paid.id,
        relatedNo: String(owed.statementNo),
        amountBefore: paid.unmatchedAmount as Amount,
        amountAfter: paidAfter.unmatchedAmount as Amount,
        statusBefore: String(paid.status),
        statusAfter: String(paidAfter.status),
      },
      {
        ...common,
        subject: 'statement',
        documentNo: String(owed.statementNo),
        statement: owed.id,
        relatedNo: String(paid.receiptNo),
        amountBefore: owed.outstandingAmount as Amount,
        amountAfter: owedAfter.outstandingAmount as Amount,
        statusBefore: String(owed.status),
        statusAfter: String(owedAfter.status),
      },
    ])
    await writeHistory(context, db, receipt, 'unmatch', paidAfter, paidAfter)
  }
}
