import type { Context, Db } from '../../../engine/server/runtime.ts'
import { recompute } from '../../../engine/server/effects.ts'
import { insertRecords } from '../../../engine/server/write.ts'
import type { RecordData } from '../../../engine/schema/model.ts'

/**
 * One line of the settlement journal. Amounts are what the document comes to, `statusBefore` and `statusAfter` values
 * of the dictionary `journalStatus`; `statement` and other references to the document itself are what its own journal
 * is found by.
 */
export interface JournalEntry extends RecordData {
  subject: 'statement' | 'receipt' | 'invoice' | 'budget'
  documentNo: string
  customer: number | null
  action: string
  amountBefore?: string | null
  amountAfter?: string | null
  statusBefore?: string | null
  statusAfter?: string | null
  relatedNo?: string | null
  detail?: string | null
}

/**
 * Appends to the settlement journal, in the transaction of what it tells: now, by the user of the request, from where
 * they are.
 */
export async function appendJournal(context: Context, db: Db, entries: readonly JournalEntry[]): Promise<void> {
  const entity = context.derived.catalog.entities.settlementJournal
  const records = entries.map((entry): RecordData => ({
    ...entry,
    occurredAt: context.now,
    operator: context.user.id || null,
    ip: context.origin?.ip ?? null,
  }))
  for (const record of records) recompute(context, entity, record)
  await insertRecords(context, db, entity, records)
}
