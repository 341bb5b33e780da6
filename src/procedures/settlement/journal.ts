import type { ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'
import { fillBalances } from './balances.ts'

/**
 * One line of the settlement journal. Amounts are the document's; `statement` and the other references allow the
 * document's own journal to be found.
 */
export type JournalEntry = Values<'settlementJournal'> &
  Pick<Stored<'settlementJournal'>, 'subject' | 'documentNo' | 'customer' | 'action'>

/**
 * Appends to the settlement journal, in the transaction of what it tells: now, by the user of the request, from where
 * they are.
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

interface Told {
  statement: Stored<'statement'>
  old: Stored<'statement'>
  detail?: string | null
}

/** What was done with statements, with what they came to before and after. */
export async function tellOfStatements(
  work: ProcedureWork,
  action: JournalEntry['action'],
  told: readonly Told[],
): Promise<void> {
  const ids = told.map(({ statement }) => statement.id)
  const now = await work.byId('statement', ids, { fields: ['status'] })
  await appendJournal(
    work,
    told.map(({ statement, old, detail = null }): JournalEntry => ({
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
