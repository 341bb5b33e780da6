import type { Decimal } from '../../../engine/expression/index.ts'
import type { Stored } from '../../../engine/server/procedure.ts'
import { decimal, money, round2, spread, total, zero, type Amount } from '../money/amounts.ts'
import { isSplit, passThroughItem, type InvoiceLine, type InvoiceTerms } from './invoiceTax.ts'

/** The invoiced part of a statement, and that statement's totals. */
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

/** The part of the invoiced amount that is collected for others: all of it if the whole statement is invoiced. */
export function passThroughShare({ amount, totalAmount, passThroughAmount }: InvoicedStatement): Decimal {
  const [invoiced, whole, passThrough] = [decimal(amount), decimal(totalAmount), decimal(passThroughAmount)]
  if (whole.lte(0) || passThrough.lte(0) || invoiced.lte(0)) return zero
  const share = round2(invoiced.times(passThrough).dividedBy(whole))
  return share.gt(invoiced) ? invoiced : share
}

/** One item for each kind of service and, if the pass-through amount is invoiced separately, one for that. */
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
 * The pass-through invoice's part of each statement, if both together invoice `amount`: in proportion to the
 * statements' pass-through shares, or to the amounts if they have none.
 * @returns undefined if a part would exceed what is invoiced of its statement
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
