import { Decimal } from 'decimal.js'
import { Broken } from '../world.ts'
import { money, type Books } from './Books.ts'

/**
 * Each customer's statements show what is invoiced less what is reversed, and invoices never exceed the statements.
 */
export function invoiced({ invoices, statements, customers }: Books): void {
  for (const { id, name } of customers) {
    const ownOf = (among: Books['invoices']) => among.filter(({ customer }) => (customer as { id: number }).id === id)
    const total = (among: Books['invoices'], field: string) =>
      among.reduce((sum, record) => sum.plus(money(record[field])), new Decimal(0))
    // A reversed invoice counts, because its red invoice cancels it out.
    const issued = total(
      ownOf(invoices).filter(({ status }) => status === 'issued' || status === 'redFlushed'),
      'amount',
    )
    const own = ownOf(statements)
    const stated = total(own, 'invoicedAmount')
    if (!issued.eq(stated))
      throw new Broken('invoiced', `${String(name)}: ${issued.toFixed(2)}, and its statements say ${stated.toFixed(2)}`)
    for (const statement of own) {
      const free = money(statement.totalAmount)
        .minus(money(statement.invoicedAmount))
        .minus(money(statement.applyingAmount))
      if (statement.stage === 'confirmed' && money(statement.totalAmount).gte(0) && free.lt(0))
        throw new Broken('invoiced too much', `${String(statement.statementNo)} by ${free.neg().toFixed(2)}`)
    }
  }
}
