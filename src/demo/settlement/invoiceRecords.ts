import type { Dictionary, RecordData, Value } from '../../../engine/model/model.ts'
import type { Stored } from '../../../engine/server/procedure.ts'
import { decimal, money, total } from '../../procedures/money/amounts.ts'
import {
  type BillingDetails,
  buyerOf,
  deliveryMethods,
  receiverOf,
  remarkOf,
} from '../../procedures/settlement/invoiceBuyer.ts'
import { draftLines, passThroughParts, passThroughShare } from '../../procedures/settlement/invoiceDraft.ts'
import {
  invoicedStatement,
  type InvoicingTerms,
  type Item,
  type OpenStatement,
  taxed,
} from '../../procedures/settlement/invoiced.ts'
import { isDifferential, isSplit, passThroughItem } from '../../procedures/settlement/invoiceTax.ts'

type InvoicedField = 'id' | 'agency' | 'billMonth' | 'taxMethod' | 'taxRate' | 'totalAmount' | 'passThroughAmount'

/** The input of an application. */
export interface Invoicing {
  rows: { statement: Pick<OpenStatement, InvoicedField>; amount: string }[]
  contract: InvoicingTerms
  customer: BillingDetails & { id: number }
  invoiceType: Stored<'invoice'>['invoiceType']
  applicant: number
  appliedAt: string
  serviceType: Dictionary
}

/** The application, or both if fee and pass-through amount are invoiced separately. */
export function applications({
  rows,
  contract,
  customer,
  invoiceType,
  applicant,
  appliedAt,
  serviceType,
}: Invoicing): RecordData[] {
  const [{ statement: first }] = rows
  const taxMethod = String(first.taxMethod)
  const diffMode = isDifferential({ taxMethod }) ? String(contract.diffInvoiceMode ?? 'single') : null
  const terms = { taxMethod, diffMode }
  const invoiced = rows.map(({ statement, amount }) => invoicedStatement(statement, contract, amount))
  const share = total(invoiced.map(passThroughShare))
  const deduction = isDifferential(terms) && !isSplit(terms) ? money(share) : null
  const lines = draftLines(invoiced, terms).map((line): Item => ({ ...line, quantity: '1' }))
  const record = (parts: readonly string[], items: readonly Item[], type: string): RecordData => {
    const taken = rows
      .map(({ statement, amount }, index) => ({
        statement: statement.id,
        amount: parts[index],
        uninvoicedBefore: amount,
      }))
      .filter(({ amount }) => !decimal(amount).isZero())
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
        serviceType,
        rows.map(({ statement }) => statement),
        new Map([[contract.id, contract]]),
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
  const isPassThrough = ({ itemName }: Item) => itemName === passThroughItem
  return [
    record(
      rows.map(({ amount }, index) => money(decimal(amount).minus(parts[index]))),
      lines.filter((line) => !isPassThrough(line)),
      invoiceType,
    ),
    record(parts.map(money), lines.filter(isPassThrough), invoiceType.replace('Special', 'Normal')),
  ]
}
