import type { ProcedureWork } from '../../../engine/server/procedure.ts'

/** Their outstanding amounts stay open; nothing new is billed. */
export async function disabledCustomers(work: ProcedureWork): Promise<Set<number>> {
  const disabled = await work.read('customer', {
    where: { accountStatus: 'disabled', approvalStatus: 'approved' },
    fields: ['name'],
  })
  return new Set(disabled.map(({ id }) => id))
}
