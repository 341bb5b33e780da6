import { addMonths, Decimal } from '../../../engine/expression/index.ts'
import { recompute } from '../../../engine/server/records/effects.ts'
import { ProcedureWork, rowsIn, type Stored } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { insertRecords } from '../../../engine/server/records/write.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { costsOf } from '../../procedures/salary/approval.ts'
import { appendSalaryJournal, type SalaryEntry } from '../../procedures/salary/journal.ts'

export type Stage = 'paid' | 'approved' | 'submitted' | 'rejected' | 'calculated' | 'draft'
export interface Batch {
  payroll: RecordData
  lines: RecordData[]
  stage: Stage
}

interface Staff {
  clerk: number
  manager: number
}

/** Writes the batches of a month with their lines, costs, history and journal. */
// oxlint-disable-next-line max-lines-per-function -- it reads from top to bottom in the order in which the records are written
export async function insertPayrolls(
  context: Context,
  db: Db,
  { clerk, manager }: Staff,
  month: string,
  batches: readonly Batch[],
): Promise<void> {
  const { entities } = context.derived.catalog
  const due = addMonths(month, 1)!
  const day = month < context.now.slice(0, 7) ? due : month
  const at = (user: number, moment: string): Context => ({
    ...context,
    user: { ...context.user, id: user },
    now: moment < context.now ? moment : context.now,
  })
  const [made, submitted, decided] = [
    at(clerk, `${day}-05 10:10:00`),
    at(clerk, `${day}-07 15:20:00`),
    at(manager, `${day}-08 09:30:00`),
  ]
  for (const { payroll, stage } of batches) {
    const isPast = !['draft', 'calculated'].includes(stage)
    const isDecided = ['approved', 'paid', 'rejected'].includes(stage)
    Object.assign(payroll, {
      status: stage,
      submitter: isPast ? clerk : null,
      submittedAt: isPast ? submitted.now : null,
      approver: isDecided && stage !== 'rejected' ? manager : null,
      approvedAt: isDecided && stage !== 'rejected' ? decided.now : null,
      rejectReason: stage === 'rejected' ? '有两名员工的加班费与考勤不符' : null,
      paidAt: stage === 'paid' ? `${due}-15 16:30:00` : null,
    })
    recompute(context, entities.payroll, payroll)
  }
  await insertRecords(
    made,
    db,
    entities.payroll,
    batches.map(({ payroll }) => payroll),
  )
  const lines = batches.flatMap(({ payroll, lines: own, stage }) =>
    own.map((line) => Object.assign(line, { payroll: payroll.id, payStatus: stage === 'paid' ? 'success' : null })),
  )
  await insertRecords(made, db, entities.payrollLine, lines)
  await insertRecords(
    made,
    db,
    entities.payrollWelfare,
    lines.flatMap(({ id, welfareItems }) =>
      rowsIn('payrollWelfare', { welfareItems }, 'welfareItems').map((row): RecordData => ({ ...row, line: id! })),
    ),
  )
  await insertRecords(
    decided,
    db,
    entities.costLine,
    batches
      .filter(({ stage }) => stage === 'approved' || stage === 'paid')
      .flatMap(({ payroll, lines: own }) => costsOf(payroll as Stored<'payroll'>, own as Stored<'payrollLine'>[])),
  )
  await appendPayrollEntries({ made, submitted, decided }, db, batches)
  await appendSalaryJournal(
    new ProcedureWork(made, db),
    batches.flatMap(({ payroll, lines: own, stage }) =>
      own
        .filter((_, index) => stage !== 'paid' && index % 6 === 2)
        .map((line): SalaryEntry => ({
          subject: 'payrollLine',
          documentNo: String(payroll.batchNo),
          customer: payroll.customer as number,
          payroll: payroll.id!,
          payrollLine: line.id!,
          person: line.person as number,
          action: 'edit',
          statusBefore: 'normal',
          statusAfter: 'normal',
          amountBefore: new Decimal(String(line.netPay)).minus(100).toFixed(2),
          amountAfter: line.netPay as string,
        })),
    ),
  )
}

async function appendPayrollEntries(
  { made, submitted, decided }: Record<'made' | 'submitted' | 'decided', Context>,
  db: Db,
  batches: readonly Batch[],
): Promise<void> {
  const entryOf = (
    { payroll, lines }: Batch,
    action: SalaryEntry['action'],
    statusBefore: SalaryEntry['statusBefore'],
    statusAfter: SalaryEntry['statusAfter'],
  ): SalaryEntry => {
    const amount = lines.reduce((sum, { netPay }) => sum.plus(String(netPay)), new Decimal(0)).toFixed(2)
    return {
      subject: 'payroll',
      documentNo: String(payroll.batchNo),
      customer: payroll.customer as number,
      payroll: payroll.id!,
      action,
      statusBefore,
      statusAfter,
      amountBefore: action === 'create' ? null : amount,
      amountAfter: action === 'create' ? null : amount,
    }
  }
  const beyond = (...stages: Stage[]) => batches.filter(({ stage }) => !stages.includes(stage))
  await appendSalaryJournal(
    new ProcedureWork(made, db),
    batches.map((batch) => entryOf(batch, 'create', null, 'draft')),
  )
  await appendSalaryJournal(
    new ProcedureWork(made, db),
    beyond('draft').map((batch) => entryOf(batch, 'calculate', 'draft', 'calculated')),
  )
  await appendSalaryJournal(
    new ProcedureWork(submitted, db),
    beyond('draft', 'calculated').map((batch) => entryOf(batch, 'submit', 'calculated', 'submitted')),
  )
  await appendSalaryJournal(
    new ProcedureWork(decided, db),
    beyond('draft', 'calculated', 'submitted').map((batch) =>
      entryOf(
        batch,
        batch.stage === 'rejected' ? 'reject' : 'approve',
        'submitted',
        batch.stage === 'rejected' ? 'rejected' : 'approved',
      ),
    ),
  )
}
