import type { FieldName, Part, ProcedureWork, Stored, Values, Where } from '../../../engine/server/procedure.ts'
import { decimal, money, total, type Amount } from '../money/amounts.ts'
import type { InvoicedStatement } from './invoiceDraft.ts'
import { lineTaxes, type InvoiceTerms } from './invoiceTax.ts'

/** The invoiced part of one statement: a row of an invoice. */
export type Allocation = Values<'invoiceAllocation'> & Pick<Stored<'invoiceAllocation'>, 'statement' | 'amount'>
/** A row of an invoice's items, possibly incomplete in a form. */
export type Item = Values<'invoiceItem'>

const statementFields = [
  'statementNo',
  'customer',
  'agency',
  'contract',
  'billMonth',
  'stage',
  'taxMethod',
  'taxRate',
  'totalAmount',
  'passThroughAmount',
  'uninvoicedAmount',
] as const satisfies readonly FieldName<'statement'>[]
export type OpenStatement = Part<'statement', (typeof statementFields)[number]>

const contractFields = ['invoiceType', 'diffInvoiceMode', 'serviceTypes'] as const satisfies FieldName<'contract'>[]
export type InvoicingTerms = Part<'contract', (typeof contractFields)[number]>

/** Statements that the user may see, oldest first. */
export const readSeen = (work: ProcedureWork, where: Where<Stored<'statement'>>): Promise<OpenStatement[]> =>
  work.read('statement', { where, fields: statementFields, order: 'billMonth', seen: true })

/**
 * Statements locked until the transaction ends, so that two users who invoice one of them take turns, and each sees
 * what the other has taken.
 */
export const lockStatements = (work: ProcedureWork, ids: readonly number[]): Promise<Map<number, OpenStatement>> =>
  work.byId('statement', ids, { fields: statementFields, lock: true })

/** Contract → its terms of invoicing. */
export const readContracts = (
  work: ProcedureWork,
  statements: Iterable<Pick<OpenStatement, 'contract'>>,
): Promise<Map<number, InvoicingTerms>> =>
  work.byId(
    'contract',
    [...statements].map(({ contract }) => contract),
    { fields: contractFields },
  )

export const invoicedStatement = (
  { totalAmount, passThroughAmount, taxRate }: Pick<OpenStatement, 'totalAmount' | 'passThroughAmount' | 'taxRate'>,
  contract: Pick<InvoicingTerms, 'serviceTypes'> | undefined,
  amount: Amount,
): InvoicedStatement => ({
  amount,
  totalAmount,
  passThroughAmount,
  taxRate,
  serviceType: contract?.serviceTypes?.[0] ?? null,
})

/** Rows of items with their taxes; incomplete rows have none. */
export function taxed(items: readonly Item[], terms: InvoiceTerms): Item[] {
  const lines = items.map(({ itemName, amount, taxRate }) => ({
    itemName: itemName ?? '',
    amount: amount ?? null,
    taxRate: taxRate ?? null,
  }))
  const taxes = lineTaxes(lines, terms)
  return items.map((item, index) => {
    const { amount, taxRate } = lines[index]
    const isWhole = amount !== null && taxRate !== null
    return {
      ...item,
      taxAmount: isWhole ? taxes[index] : null,
      netAmount: isWhole ? money(decimal(amount).minus(taxes[index])) : null,
    }
  })
}

export const sumOf = (amounts: readonly (Amount | undefined)[]): string => money(total(amounts.map(decimal)))

export const termsOf = ({ taxMethod, diffMode, deductionAmount }: Values<'invoice'>): InvoiceTerms => ({
  taxMethod: String(taxMethod),
  diffMode: diffMode ?? null,
  deduction: deductionAmount ?? null,
})
