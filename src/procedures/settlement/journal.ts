import type { ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'

/**
 * One line of the settlement journal. Amounts are what the document comes to; `statement` and other references to the
 * document itself are what its own journal is found by.
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
