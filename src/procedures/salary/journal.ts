import type { ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'

/**
 * One line of the salary journal: `payroll`, `payrollLine` and other references to the document are what its own
 * journal is found by.
 */
export type SalaryEntry = Values<'salaryJournal'> & Pick<Stored<'salaryJournal'>, 'subject' | 'documentNo' | 'action'>

/**
 * Appends to the salary journal, in the transaction of what it tells: now, by the user of the request, from where they
 * are.
 */
export async function tellSalary(work: ProcedureWork, entries: readonly SalaryEntry[]): Promise<void> {
  await work.insert(
    'salaryJournal',
    entries.map((entry) => ({ ...entry, occurredAt: work.now, operator: work.user, ip: work.ip })),
  )
}
