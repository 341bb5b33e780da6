import type { ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'

/**
 * One line of the salary journal: `payroll`, `payrollLine` and other references lead from a document to its own
 * journal.
 */
export type SalaryEntry = Values<'salaryJournal'> & Pick<Stored<'salaryJournal'>, 'subject' | 'documentNo' | 'action'>

/** Appends to the salary journal, in the transaction of the event: with the time, user and origin of the request. */
export async function appendSalaryJournal(work: ProcedureWork, entries: readonly SalaryEntry[]): Promise<void> {
  await work.insert(
    'salaryJournal',
    entries.map((entry) => ({ ...entry, occurredAt: work.now, operator: work.user, ip: work.ip })),
  )
}
