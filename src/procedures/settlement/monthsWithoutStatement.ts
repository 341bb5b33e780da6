import type { ProcedureWork } from '../../../engine/server/procedure.ts'
import { contractFields, isIn, isInForce, knownFeeItems } from './billableCosts.ts'
import { feesAlone } from './billedItems.ts'
import { otherCharges, readCharges } from './statementCharges.ts'
import { disabledCustomers } from './disabledCustomers.ts'
import { isStanding } from './isStanding.ts'

/**
 * The contracts and months of which no statement exists, although fixed or minimum fees are due for them. Disabled
 * customers get no new statements.
 */
export async function monthsWithoutStatement(
  work: ProcedureWork,
  months: readonly string[],
): Promise<{ contract: number; contractNo: string; month: string }[]> {
  const [first, last] = [months.at(0)!, months.at(-1)!]
  const disabled = await disabledCustomers(work)
  const contracts = (
    await work.read('contract', {
      where: isInForce({ billMonth: last, wageMonth: first, insuranceMonth: first }),
      fields: contractFields,
      order: 'contractNo',
    })
  ).filter(({ customer }) => !disabled.has(customer!))
  const statements = await work.read('statement', {
    where: { contract: contracts.map(({ id }) => id), billMonth: months, ...isStanding },
    fields: ['contract', 'billMonth'],
  })
  const billed = new Set(statements.map(({ contract, billMonth }) => `${contract} ${billMonth}`))
  const open = contracts.flatMap((contract) =>
    months
      .filter((month) => isIn(contract, month) && !billed.has(`${contract.id} ${month}`))
      .map((month) => ({ contract, month })),
  )
  const feeItems = knownFeeItems(work)
  const charges = await readCharges(
    work,
    open.map(({ contract }) => contract),
    { months: new Set(months), people: new Map() },
  )
  const chargedOf = new Map([...charges].map(([customer, own]) => [customer, otherCharges(own)]))
  return open
    .filter(({ contract, month }) => {
      const charged = chargedOf.get(contract.customer) ?? otherCharges([])
      const fees = feesAlone(
        contract,
        { billMonth: month, wageMonth: month, insuranceMonth: month },
        { feeItems, charged },
      )
      return fees.some(({ costMonth }) => costMonth === month)
    })
    .map(({ contract: { id, contractNo }, month }) => ({ contract: id, contractNo, month }))
}
