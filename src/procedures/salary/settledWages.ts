import type { Part, ProcedureWork } from '../../../engine/server/procedure.ts'
import { decimal } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'

type BilledPayroll = Part<'payroll', 'batchNo' | 'serviceContract' | 'payrollMonth'>

/**
 * The payrolls whose wages are all billed by settled statements; wages added after their month was billed are in a
 * later statement. A payroll that bills nothing (contributions given back) need not wait.
 */
export async function readSettled(
  work: ProcedureWork,
  payrolls: readonly BilledPayroll[],
): Promise<ReadonlySet<number>> {
  const costs = await work.read('costLine', {
    where: {
      sourceType: 'payroll',
      party: 'company',
      contract: payrolls.map(({ serviceContract }) => serviceContract),
      costMonth: payrolls.map(({ payrollMonth }) => payrollMonth),
    },
    fields: ['sourceId', 'statement', 'amount'],
  })
  const statements = await work.read('statement', {
    where: { id: costs.flatMap(({ statement }) => statement ?? []), status: 'settled' },
    fields: ['status'],
  })
  const settled = new Set<number | null>(statements.map(({ id }) => id))
  const ofBatch = groupedBy(
    costs.filter(({ amount }) => !decimal(amount).isZero()),
    ({ sourceId }) => sourceId!.slice(0, sourceId!.lastIndexOf('-')),
  )
  const isSettled = ({ batchNo }: BilledPayroll) =>
    (ofBatch.get(batchNo) ?? []).every(({ statement }) => settled.has(statement))
  return new Set(payrolls.filter(isSettled).map(({ id }) => id))
}
