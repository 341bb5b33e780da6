import type { Label } from '../../../engine/model/model.ts'
import type { ProcedureWork } from '../../../engine/server/procedure.ts'

/**
 * Locks what is billed to these customers, or to all, until the work ends: all their service contracts in id order, so
 * that of two simultaneous statements, for whatever months, the later one sees what the earlier one bills and charges.
 */
export async function lockBilling(work: ProcedureWork, customers?: readonly number[]): Promise<void> {
  await work.read('contract', {
    where: { category: 'service', ...(customers && { customer: [...new Set(customers)] }) },
    fields: [],
    lock: true,
  })
}

export const monthClosed: Label = { cn: '该月已关账', en: 'The month is closed' }

/**
 * Locks as above what gets statements of these months. A closing locks it too, so it sees them, or they are refused: the
 * settings of the call may be from before it. @throws Refusal notAllowed if a month is closed by now.
 */
export async function lockOpenMonths(
  work: ProcedureWork,
  months: readonly string[],
  customers?: readonly number[],
): Promise<void> {
  await lockBilling(work, customers)
  const [{ closedMonth }] = await work.read('parameter', { fields: ['closedMonth'], limit: 1 })
  if (closedMonth && months.some((month) => month <= closedMonth)) work.refuseCall(monthClosed)
}
