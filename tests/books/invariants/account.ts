import { Decimal } from 'decimal.js'
import type { RecordData } from '../../../engine/model/model.ts'
import { Broken, type World } from '../world.ts'
import { idOf, money, sum, type Books } from './Books.ts'

/**
 * Nothing is nowhere: what a customer has paid more than its confirmed statements bill is its balance and its credits,
 * less what is outstanding; and a credit waits for no statement that may take it.
 */
export function account(books: Books, world: World): void {
  for (const { id, name, balance, openingBalance } of books.customers) {
    const own = <T extends RecordData>(among: readonly T[]) => among.filter(({ customer }) => idOf(customer) === id)
    const confirmed = own(books.statements).filter(({ stage }) => stage === 'confirmed')
    const numbers = new Map(books.statements.map((statement) => [statement.id, statement]))
    const carried = books.items.filter(
      ({ sourceType, statement }) =>
        sourceType === 'carryOver' &&
        idOf(numbers.get(idOf(statement))?.customer) === id &&
        numbers.get(idOf(statement))!.stage !== 'voided',
    )
    const inConfirmed = carried.filter(({ statement }) => numbers.get(idOf(statement))!.stage === 'confirmed')
    const active = books.matches.filter(
      ({ cancelled, matchedAt, statement }) =>
        cancelled !== true && matchedAt !== null && confirmed.some((each) => each.id === idOf(statement)),
    )
    const real = own(books.receipts).filter(({ voidReason, creditOf }) => voidReason === null && idOf(creditOf) === 0)
    const [ins, outs] = ['in', 'out'].map((way) => real.filter(({ direction }) => direction === way))
    const billed = sum(confirmed, 'totalAmount').minus(sum(inConfirmed, 'amount'))
    const due = money(openingBalance)
      .plus(sum(ins, 'amount'))
      .minus(sum(outs, 'amount'))
      .plus(sum(active, 'writeOffAmount'))
      .minus(billed)
    const waits = carried.filter((item) => !inConfirmed.includes(item))
    const is = money(balance)
      .minus(sum(confirmed, 'outstandingAmount'))
      .minus(sum(confirmed, 'openCredit'))
      .minus(sum(waits, 'amount'))
    if (!is.eq(due))
      throw new Broken('account', `${String(name)} is left with ${is.toFixed(2)}, and should be with ${due.toFixed(2)}`)
  }
  taken(books, world)
}

/** A credit is taken by the next statement of its contract or, after that has ended, of the customer's other contracts. */
function taken({ statements }: Books, world: World): void {
  const { billed, confirmed } = world.model
  for (const credit of statements) {
    const open = money(credit.openCredit)
    if (open.isZero()) continue
    const subject = `${open.toFixed(2)} of ${String(credit.statementNo)}`
    if (open.gt(new Decimal(0))) throw new Broken('credit', `${subject} is left over`)
    const customer = world.customers.find(({ id }) => id === idOf(credit.customer))!
    const { end, act } = customer.contracts.find(({ id }) => id === idOf(credit.contract))!
    const since = Math.max(confirmed.get(credit.id!) ?? 0, act ?? 0)
    const taker = statements.find((statement) => {
      if (statement.stage !== 'generated' || String(statement.billMonth) <= String(credit.billMonth)) return false
      if (idOf(statement.contract) === idOf(credit.contract)) return true
      const hasEnded = end !== undefined && end < `${String(statement.billMonth)}-01`
      return hasEnded && idOf(statement.customer) === customer.id && (billed.get(statement.id!) ?? -1) > since
    })
    if (taker) throw new Broken('credit', `${subject} is not in ${String(taker.statementNo)}`)
  }
}
