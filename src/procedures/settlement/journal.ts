import type { ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'

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
}
