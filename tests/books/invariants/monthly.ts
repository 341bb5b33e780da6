import { Decimal } from 'decimal.js'
import { Broken, isInForce, type World } from '../world.ts'
import { idOf, money, sum, type Books } from './Books.ts'

/**
 * A fixed fee, and what the fees of people lack of a minimum, are charged once for each month in which the contract was
 * in force and has a statement: at the latest in the next statement made, where an end is undone after that of the month.
 */
export function monthly({ statements, items }: Books, { customers, model }: World): void {
  for (const { contracts, fee } of customers) {
    if (fee.mode !== 'fixed' && fee.minimum === undefined) continue
    for (const contract of contracts) {
      const { id, place, changed = 0 } = contract
      if (place === 1) continue
      const own = statements.filter(({ contract: under, stage }) => idOf(under) === id && stage !== 'voided')
      const charged = items.filter(
        ({ statement, sourceType }) => sourceType === 'contractFee' && own.some((each) => each.id === idOf(statement)),
      )
      const voided = statements.flatMap((each) =>
        idOf(each.contract) === id ? (model.voided.get(each.id!) ?? []) : [],
      )
      const known = Math.max(changed, ...voided)
      for (const { statementNo, billMonth } of own) {
        const month = String(billMonth)
        if (!isInForce(contract, month)) continue
        const ofMonth = charged.filter(({ costMonth }) => costMonth === month)
        const rest = sum(
          ofMonth.filter(({ person }) => idOf(person) === 0),
          'amount',
        )
        const due = fee.mode === 'fixed' ? money('2000') : Decimal.max(0, money(fee.minimum).minus(heads(ofMonth)))
        const isAble = own.some((each) => String(each.billMonth) >= month && (model.billed.get(each.id!) ?? 0) >= known)
        if (isAble ? !rest.eq(due) : rest.gt(due))
          throw new Broken(
            'monthly fee',
            `${rest.toFixed(2)} of ${due.toFixed(2)} for ${month}, the month of ${String(statementNo)}`,
          )
      }
    }
  }
}

const heads = (fees: Books['items']): Decimal =>
  sum(
    fees.filter(({ person }) => idOf(person) > 0),
    'amount',
  )
