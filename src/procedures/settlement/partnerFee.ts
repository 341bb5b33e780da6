import type { Context, Db } from '../../../engine/server/runtime.ts'
import { decimal, money, round2, type Amount } from './amounts.ts'
import { isAnyOf, readAll } from './stored.ts'

/** What a partner that serves a customer takes for so many heads; null where we serve them ourselves. */
export type PartnerFee = (customer: number, headcount: number) => string | null

/** As partners and prices are now: a statement keeps what it came to. */
export async function readPartnerFees(context: Context, db: Db, customers: readonly number[]): Promise<PartnerFee> {
  const served = await readAll(context, db, 'customer', [isAnyOf('id', [...new Set(customers)])], ['agency'])
  const agencies = await readAll(
    context,
    db,
    'agency',
    [
      isAnyOf(
        'id',
        served.map(({ agency }) => agency as number | null),
      ),
    ],
    ['kind', 'agentFee'],
  )
  const prices = new Map(
    agencies.flatMap(({ id, kind, agentFee }) =>
      kind === 'partner' && agentFee !== null ? [[id, agentFee as Amount]] : [],
    ),
  )
  const agencyOf = new Map(served.map(({ id, agency }) => [id, agency as number | null]))
  return (customer, headcount) => {
    const price = prices.get(agencyOf.get(customer) ?? undefined)
    return price === undefined ? null : money(round2(decimal(price).times(headcount)))
  }
}
