import type { ProcedureWork } from '../../../engine/server/procedure.ts'
import { decimal, money, round2 } from '../money/amounts.ts'

/** What a partner that serves a customer takes for so many heads; null where we serve them ourselves. */
export type PartnerFee = (customer: number, headcount: number) => string | null

/** As partners and prices are now: a statement keeps what it came to. */
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
