import type { ProcedureWork } from '../../../engine/server/procedure.ts'
import { type BilledMonths, contractFields, isIn, knownFeeItems } from './billableCosts.ts'
import { feesAlone } from './billedItems.ts'
import { otherCharges, readCharges } from './statementCharges.ts'
import { isStanding } from './isStanding.ts'

/**
 * The contracts that owe fixed or minimum fees of months that were billed after their end, which has been put off since;
 * of these customers, or of all.
 */
export async function readMissedFees(
  work: ProcedureWork,
  months: BilledMonths,
  customers?: readonly number[],
): Promise<ReadonlySet<number>> {
  const beyond = await work.read('statement', {
    where: {
      ...(customers && { customer: customers }),
      outsideTerm: true,
      billMonth: { between: [null, months.billMonth] },
      ...isStanding,
    },
    fields: ['contract', 'billMonth'],
  })
  const found = await work.byId(
    'contract',
    beyond.map(({ contract }) => contract),
    { fields: contractFields },
  )
  const within = beyond.filter(
    ({ contract, billMonth }) => billMonth < months.billMonth && isIn(found.get(contract)!, billMonth),
  )
  if (within.length === 0) return new Set()
  const contracts = [...new Set(within.map(({ contract }) => found.get(contract)!))]
  const feeItems = knownFeeItems(work)
  const charges = await readCharges(work, contracts, { months: new Set([months.billMonth]), people: new Map() })
  const owing = contracts.filter((contract) => {
    const charged = otherCharges(charges.get(contract.customer) ?? [])
    return feesAlone(contract, months, { feeItems, charged }).some(({ costMonth }) => costMonth < months.billMonth)
  })
  return new Set(owing.map(({ id }) => id))
}
