import type { Context } from '../../engine/server/runtime.ts'
import type { RecordData, Value } from '../../engine/schema/model.ts'
import { decimal, money, total } from '../procedures/settlement/amounts.ts'
import { buyerOf, deliveryMethods, receiverOf, remarkOf } from '../procedures/settlement/invoiceBuyer.ts'
import { draftLines, passThroughParts, passThroughShare } from '../procedures/settlement/invoiceDraft.ts'
import { invoicedStatement, taxed } from '../procedures/settlement/invoiced.ts'
import { isDifferential, isSplit, passThroughItem } from '../procedures/settlement/invoiceTax.ts'

/** What somebody applies for. */
export interface Invoicing {
  rows: { statement: RecordData; amount: string }[]
  contract: RecordData
  customer: RecordData
  invoiceType: string
  applicant: number
  appliedAt: string
  dictionaries: Context
}

/** The application, or the two of them where fee and pass-through amount are invoiced apart. */
export function applications({
  rows,
  contract,
  customer,
  invoiceType,
  applicant,
  appliedAt,
  dictionaries,
}: Invoicing): RecordData[] {
  const [{ statement: first }] = rows
  const taxMethod = String(first.taxMethod)
  const diffMode = isDifferential({ taxMethod }) ? String(contract.diffInvoiceMode ?? 'single') : null
  const terms = { taxMethod, diffMode }
  const invoiced = rows.map(({ statement, amount }) => invoicedStatement(statement, contract, amount))
  const share = total(invoiced.map(passThroughShare))
  const deduction = isDifferential(terms) && !isSplit(terms) ? money(share) : null
  const lines = draftLines(invoiced, terms).map((line): RecordData => ({ ...line, quantity: '1' }))
  const record = (parts: readonly string[], items: readonly RecordData[], type: string): RecordData => {
    const taken = rows
      .map(({ statement, amount }, index): RecordData => ({
        statement: statement.id,
        amount: parts[index],
        uninvoicedBefore: amount,
      }))
      .filter(({ amount }) => !decimal(amount as string).isZero())
    const [deliverMethod] = deliveryMethods(type, customer)
    return {
      kind: 'blue',
      customer: customer.id,
      agency: first.agency,
      statements: taken.map(({ statement }) => statement) as Value,
      allocations: taken as Value,
      invoiceType: type,
      ...terms,
      deductionAmount: deduction,
      ...buyerOf(customer),
      items: taxed(items, { ...terms, deduction }) as Value,
      invoiceRemark: remarkOf(
        dictionaries,
        rows.map(({ statement }) => statement),
        new Map([[contract.id!, contract]]),
      ),
      deliverMethod,
      email: deliverMethod === 'email' ? customer.invoiceEmail : null,
      ...(deliverMethod === 'express' && receiverOf(customer)),
      applicant,
      appliedAt,
      status: 'applied',
    }
  }
  const parts = isSplit(terms) && lines.length > 1 ? passThroughParts(invoiced, share)! : undefined
  if (!parts)
    return [
      record(
        rows.map(({ amount }) => amount),
        lines,
        invoiceType,
      ),
    ]
  const isPassThrough = ({ itemName }: RecordData) => itemName === passThroughItem
  return [
    record(
      rows.map(({ amount }, index) => money(decimal(amount).minus(parts[index]))),
      lines.filter((line) => !isPassThrough(line)),
      invoiceType,
    ),
    record(parts.map(money), lines.filter(isPassThrough), invoiceType.replace('Special', 'Normal')),
  ]
}
