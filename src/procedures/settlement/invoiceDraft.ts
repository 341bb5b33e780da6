import type { Decimal } from '../../../engine/expression/index.ts'
import type { Stored } from '../../../engine/server/procedure.ts'
import { decimal, money, round2, spread, total, zero, type Amount } from '../money/amounts.ts'
import { isSplit, passThroughItem, type InvoiceLine, type InvoiceTerms } from './invoiceTax.ts'

/** What is invoiced of a statement, and what that statement comes to as a whole. */
export interface InvoicedStatement {
  amount: Amount
  totalAmount: Amount
  passThroughAmount: Amount
  taxRate: Amount
  /** The first service type of its contract. */
  serviceType: string | null
}

type ItemName = Stored<'invoiceItem'>['itemName']

const itemNames: Readonly<Record<string, ItemName>> = {
  dispatch: 'dispatchService',
  outsourcing: 'hrOutsourcing',
  jobOutsourcing: 'hrOutsourcing',
  insuranceAgency: 'agencyService',
  payrollAgency: 'agencyService',
  personnelAgency: 'agencyService',
}
const itemNameOf = ({ serviceType }: InvoicedStatement): ItemName => itemNames[serviceType ?? ''] ?? 'serviceFee'

/**
 * The part of what is invoiced of a statement that is collected for others: all of it where the whole statement is
 * invoiced.
 */
export function passThroughShare({ amount, totalAmount, passThroughAmount }: InvoicedStatement): Decimal {
  const [invoiced, whole, passThrough] = [decimal(amount), decimal(totalAmount), decimal(passThroughAmount)]
  if (whole.lte(0) || passThrough.lte(0) || invoiced.lte(0)) return zero
  const share = round2(invoiced.times(passThrough).dividedBy(whole))
  return share.gt(invoiced) ? invoiced : share
}

/** One item for each kind of service, and where the pass-through amount is invoiced apart, one for that. */
export function draftLines(
  statements: readonly InvoicedStatement[],
  terms: Pick<InvoiceTerms, 'taxMethod' | 'diffMode'>,
): (InvoiceLine & { itemName: ItemName })[] {
  const lines = new Map<ItemName, { amount: Decimal; taxRate: Amount }>()
  const add = (itemName: ItemName, amount: Decimal, taxRate: Amount) =>
    lines.set(itemName, { amount: amount.plus(lines.get(itemName)?.amount ?? 0), taxRate })
  for (const statement of statements) {
    const share = isSplit(terms) ? passThroughShare(statement) : zero
    add(
      itemNameOf(statement),
      decimal(statement.amount).minus(share),
      terms.taxMethod === 'exempt' ? '0' : (statement.taxRate ?? '0'),
    )
  }
  if (isSplit(terms)) add(passThroughItem, total(statements.map(passThroughShare)), '0')
  return [...lines]
    .filter(([, { amount }]) => !amount.isZero())
    .map(([itemName, { amount, taxRate }]) => ({ itemName, amount: money(amount), taxRate }))
}

/**
 * What the pass-through invoice takes of each statement, where both together take `amount`. By the shares of the
 * statements, or where they have none, by the amounts.
 * @returns undefined where a statement would give more than is invoiced of it
 */
export function passThroughParts(
  statements: readonly InvoicedStatement[],
  passThrough: Decimal,
): Decimal[] | undefined {
  const shares = statements.map(passThroughShare)
  const amounts = statements.map(({ amount }) => decimal(amount))
  const parts = spread(passThrough, total(shares).isZero() ? amounts : shares)
  return parts.every((part, index) => part.gte(0) && part.lte(amounts[index])) ? parts : undefined
}
