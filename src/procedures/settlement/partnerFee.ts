import type { ProcedureWork } from '../../../engine/server/procedure.ts'
import { decimal, money, round2 } from '../money/amounts.ts'

/**
 * The fee of a partner that serves a customer, for this headcount; null if we serve them ourselves. Somebody billed for
 * several months counts once, because F16 of the domain gives no other measure than the statement's headcount.
 */
export type PartnerFee = (customer: number, headcount: number) => string | null

/** From current partners and prices, while a statement keeps the fee it was computed with. */
export async function readPartnerFees(work: ProcedureWork, customers: readonly number[]): Promise<PartnerFee> {
  const served = await work.byId('customer', customers, { fields: ['agency'] })
  const agencies = await work.byId(
    'agency',
    [...served.values()].map(({ agency }) => agency),
    { fields: ['kind', 'agentFee'] },
  )
  return (customer, headcount) => {
    const agency = agencies.get(served.get(customer)?.agency ?? 0)
    return agency?.kind === 'partner' && agency.agentFee !== null
      ? money(round2(decimal(agency.agentFee).times(headcount)))
      : null
  }
}
