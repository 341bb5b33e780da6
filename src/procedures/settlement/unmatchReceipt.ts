import { procedure } from '../../../engine/server/procedure.ts'
import { appendJournal } from './journal.ts'

/** Takes matches back; their rows stay, marked. @throws Refusal notAllowed where the month of one is closed. */
export const unmatchReceipt = procedure<'receiptMatch'>(async (work, { records, values: { cancelReason = null } }) => {
  const closed = work.settings.parameter.closedMonth
  for (const record of records) {
    if (closed && String(record.matchedAt).slice(0, 7) <= closed) {
      work.refuseCall({
        cn: `${closed}及以前已关账，不能撤销核销`,
        en: `The months up to ${closed} are closed: the match stays`,
      })
    }
    const both = async () =>
      [
        await work.lock('receipt', record.receipt, { seen: true }),
        await work.lock('statement', record.statement, { seen: true }),
      ] as const
    const [paid, owed] = await both()
    await work.change(
      'receiptMatch',
      record,
      { cancelled: true, cancelReason, cancelledBy: work.user, cancelledAt: work.now },
      { action: 'unmatch' },
    )
    // As they are without it.
    const [paidAfter, owedAfter] = await both()
    const common = { action: 'unmatch', customer: record.customer, detail: cancelReason } as const
    await appendJournal(work, [
      {
        ...common,
        subject: 'receipt',
        documentNo: paid.receiptNo,
        receipt: paid.id,
        relatedNo: owed.statementNo,
        amountBefore: paid.unmatchedAmount,
        amountAfter: paidAfter.unmatchedAmount,
        statusBefore: paid.status,
        statusAfter: paidAfter.status,
      },
      {
        ...common,
        subject: 'statement',
        documentNo: owed.statementNo,
        statement: owed.id,
        relatedNo: paid.receiptNo,
        amountBefore: owed.outstandingAmount,
        amountAfter: owedAfter.outstandingAmount,
        statusBefore: owed.status,
        statusAfter: owedAfter.status,
      },
    ])
    await work.note('receipt', [paidAfter], 'unmatch')
  }
})
