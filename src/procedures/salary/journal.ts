import { recompute } from '../../../engine/server/effects.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { insertRecords } from '../../../engine/server/write.ts'
import type { RecordData } from '../../../engine/schema/model.ts'

/**
 * One line of the salary journal: `payroll`, `payrollLine` and other references to the document are what its own
 * journal is found by.
 */
export interface SalaryEntry extends RecordData {
  subject: 'payroll' | 'payrollLine' | 'payBatch' | 'payLine'
  documentNo: string
  action: string
}

/**
 * Appends to the salary journal, in the transaction of what it tells: now, by the user of the request, from where they
 * are.
 */
export async function tellSalary(context: Context, db: Db, entries: readonly SalaryEntry[]): Promise<void> {
  const entity = context.derived.catalog.entities.salaryJournal
  const records = entries.map((entry): RecordData => ({
    ...entry,
    occurredAt: context.now,
    operator: context.user.id || null,
    ip: context.origin?.ip ?? null,
  }))
  for (const record of records) recompute(context, entity, record)
  await insertRecords(context, db, entity, records)
}
