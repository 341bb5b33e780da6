import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { decimal, money, total } from '../money/amounts.ts'
import { appendSalaryJournal } from './journal.ts'
import { computeAllLines } from './computeAllLines.ts'

/** Recomputes welfare, cards, tax and warnings of every line. @throws Refusal notAllowed. */
export const calculatePayroll = procedure<'payroll'>(async (work, { records, before }) => {
  for (const [index, payroll] of records.entries()) {
    const netTotal = await calculate(work, payroll)
    await appendSalaryJournal(work, [
      {
        subject: 'payroll',
        documentNo: payroll.batchNo,
        customer: payroll.customer,
        payroll: payroll.id,
        action: 'calculate',
        statusBefore: before[index]!.status,
        statusAfter: 'calculated',
        amountBefore: before[index]!.netTotal,
        amountAfter: netTotal,
      },
    ])
  }
})

async function calculate(work: ProcedureWork, payroll: Stored<'payroll'>): Promise<string> {
  const worked = await computeAllLines(work, payroll)
  // Its rows are rewritten below.
  await work.changeAll(
    'payrollLine',
    worked.map(({ record, fields }) => ({ record, values: fields })),
  )
  const former = await work.read('payrollWelfare', {
    where: { line: worked.map(({ record }) => record.id) },
    fields: ['line'],
  })
  await work.delete('payrollWelfare', former)
  await work.insert(
    'payrollWelfare',
    worked.flatMap(({ record, welfare }) =>
      // Families and their items hold these codes as plain strings from their own files.
      welfare.map((row) => ({ ...row, line: record.id }) as Values<'payrollWelfare'>),
    ),
  )
  return money(total(worked.map(({ record }) => decimal(record.netPay))))
}
