import { procedure, type Stored } from '../../../engine/server/procedure.ts'
import { decimal, money, total } from '../money/amounts.ts'
import { appendJournal, type JournalEntry } from './journal.ts'

/** Undoes matches; their rows stay, marked. @throws Refusal notAllowed if the month of one is closed. */
export const unmatchReceipt = procedure<'receiptMatch'>(async (work, { records, values: { cancelReason = null } }) => {
  const closed = work.settings.parameter.closedMonth
  if (closed && records.some(({ matchedAt }) => String(matchedAt).slice(0, 7) <= closed))
    work.refuseCall({
      cn: `${closed}及以前已关账，不能撤销核销`,
      en: `The months up to ${closed} are closed, so the match cannot be undone`,
    })
  const readReceipts = () =>
    work.lockAll(
      'receipt',
      records.map(({ receipt }) => receipt),
      { seen: true },
    )
  const readStatements = () =>
    work.lockAll(
      'statement',
      records.map(({ statement }) => statement),
      { seen: true },
    )
  const [receipts, statements] = [await readReceipts(), await readStatements()]
  await work.changeAll(
    'receiptMatch',
    records.map((record) => ({
      record,
      values: { cancelled: true, cancelReason, cancelledBy: work.user, cancelledAt: work.now },
    })),
    { action: 'unmatch' },
  )
  // Their state without the matches.
  const after = { receipts: await readReceipts(), statements: await readStatements() }
  await appendJournal(work, journalOf({ records, before: { receipts, statements }, after, cancelReason }))
  await work.note('receipt', [...after.receipts.values()], 'unmatch')
})

interface Both {
  receipts: ReadonlyMap<number, Stored<'receipt'>>
  statements: ReadonlyMap<number, Stored<'statement'>>
}
interface Undone {
  records: readonly Stored<'receiptMatch'>[]
  before: Both
  after: Both
  cancelReason: string | null
}

/** Each match twice, as if they were undone in sequence: a receipt with remaining matches is matched in part. */
function journalOf({ records, before, after, cancelReason }: Undone): JournalEntry[] {
  const rests = new Map([...before.receipts].map(([id, { unmatchedAmount }]) => [id, decimal(unmatchedAmount)]))
  const debts = new Map([...before.statements].map(([id, { outstandingAmount }]) => [id, decimal(outstandingAmount)]))
  return records.flatMap((record, index): JournalEntry[] => {
    const [paid, owed] = [before.receipts.get(record.receipt)!, before.statements.get(record.statement)!]
    const [rest, debt] = [rests.get(paid.id)!, debts.get(owed.id)!]
    const left = rest.plus(decimal(record.amount))
    const outstanding = total([debt, decimal(record.amount), decimal(record.writeOffAmount)])
    rests.set(paid.id, left)
    debts.set(owed.id, outstanding)
    const isFirst = (side: 'receipt' | 'statement') =>
      records.findIndex((each) => each[side] === record[side]) === index
    const isLast = records.findLastIndex(({ receipt }) => receipt === record.receipt) === index
    const common = { action: 'unmatch', customer: record.customer, detail: cancelReason } as const
    const status = after.statements.get(owed.id)!.status
    return [
      {
        ...common,
        subject: 'receipt',
        documentNo: paid.receiptNo,
        receipt: paid.id,
        relatedNo: owed.statementNo,
        amountBefore: money(rest),
        amountAfter: money(left),
        statusBefore: isFirst('receipt') ? paid.status : 'partMatched',
        statusAfter: isLast ? after.receipts.get(paid.id)!.status : 'partMatched',
      },
      {
        ...common,
        subject: 'statement',
        documentNo: owed.statementNo,
        statement: owed.id,
        relatedNo: paid.receiptNo,
        amountBefore: money(debt),
        amountAfter: money(outstanding),
        statusBefore: isFirst('statement') ? owed.status : status,
        statusAfter: status,
      },
    ]
  })
}
