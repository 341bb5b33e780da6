import type { ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'
import { fillBalances } from './balances.ts'

/**
 * One line of the settlement journal. Amounts are the document's; `statement` and the other references lead from a
 * document to its own journal.
 */
export type JournalEntry = Values<'settlementJournal'> &
  Pick<Stored<'settlementJournal'>, 'subject' | 'documentNo' | 'customer' | 'action'>

/**
 * Appends to the settlement journal, in the transaction of the event: with the time, user and origin of the request.
 */
export async function appendJournal(work: ProcedureWork, entries: readonly JournalEntry[]): Promise<void> {
  await work.insert(
    'settlementJournal',
    entries.map((entry) => ({ ...entry, occurredAt: work.now, operator: work.user, ip: work.ip })),
  )
  const movements = entries.filter(({ subject }) => subject === 'receipt')
  await fillBalances(
    work,
    movements.map(({ customer }) => customer),
  )
}

interface StatementChange {
  statement: Stored<'statement'>
  old: Stored<'statement'>
  detail?: string | null
}

/** Records what was done with statements, with their totals before and after. */
export async function appendStatementEntries(
  work: ProcedureWork,
  action: JournalEntry['action'],
  changes: readonly StatementChange[],
): Promise<void> {
  const ids = changes.map(({ statement }) => statement.id)
  const now = await work.byId('statement', ids, { fields: ['status'] })
  await appendJournal(
    work,
    changes.map(({ statement, old, detail = null }): JournalEntry => ({
      subject: 'statement',
      documentNo: statement.statementNo,
      customer: statement.customer,
      statement: statement.id,
      action,
      amountBefore: old.totalAmount,
      amountAfter: statement.totalAmount,
      statusBefore: old.status,
      statusAfter: now.get(statement.id)!.status,
      detail,
    })),
  )
}
