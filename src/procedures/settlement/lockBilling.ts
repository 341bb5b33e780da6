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
