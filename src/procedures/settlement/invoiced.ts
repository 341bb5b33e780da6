import { sql } from 'kysely'
import { main, readStored, visibleConditions } from '../../../engine/server/read.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { Condition } from '../../../engine/server/scope.ts'
import { canonicalRecord } from '../../../engine/server/stored.ts'
import type { RecordData, Value } from '../../../engine/schema/model.ts'
import { decimal, money, total, type Amount } from './amounts.ts'
import type { InvoicedStatement } from './invoiceDraft.ts'
import { lineTaxes, type InvoiceLine, type InvoiceTerms } from './invoiceTax.ts'
import { entityOf, isAnyOf, readAll } from './stored.ts'

export const invoiceEntity = 'invoice'
/** What is invoiced of one statement: a row of an invoice. */
export interface Allocation extends RecordData {
  statement: number
  amount: Amount
}

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
]

/** Statements that the user may see, the oldest first. */
export async function readSeen(context: Context, db: Db, conditions: readonly Condition[]): Promise<RecordData[]> {
  const entity = entityOf(context, 'statement')
  const rows = await readStored(context, db, entity, [...visibleConditions(context, entity), ...conditions], {
    fields: statementFields,
    order: sql`${sql.ref(`${main}.billMonth`)}, ${sql.ref(`${main}.id`)}`,
  })
  return rows.map((row) => canonicalRecord(context, entity, row))
}

/**
 * Statements held until the transaction ends, so that two who invoice one of them take turns; each sees what the other
 * has taken. Rows that refer to them may still be written meanwhile: those of the other are, before it waits here.
 */
export async function lockStatements(
  context: Context,
  db: Db,
  ids: readonly number[],
): Promise<Map<number, RecordData>> {
  await sql`select 1 from statement where id = any(${ids}::bigint[]) order by id for no key update`.execute(db)
  return new Map(
    (await readAll(context, db, 'statement', [isAnyOf('id', ids)], statementFields)).map((statement) => [
      statement.id!,
      statement,
    ]),
  )
}

/** Contract → its terms of invoicing. */
export async function readContracts(
  context: Context,
  db: Db,
  statements: Iterable<RecordData>,
): Promise<Map<number, RecordData>> {
  const ids = [...new Set([...statements].map(({ contract }) => contract as number))]
  const contracts = await readAll(
    context,
    db,
    'contract',
    [isAnyOf('id', ids)],
    ['invoiceType', 'diffInvoiceMode', 'serviceTypes'],
  )
  return new Map(contracts.map((contract) => [contract.id!, contract]))
}

export function invoicedStatement(
  statement: RecordData,
  contract: RecordData | undefined,
  amount: Amount,
): InvoicedStatement {
  const { totalAmount, passThroughAmount, taxRate } = statement as unknown as InvoicedStatement
  return {
    amount,
    totalAmount,
    passThroughAmount,
    taxRate,
    serviceType: (contract?.serviceTypes as string[] | null)?.[0] ?? null,
  }
}

/** Rows of items with their taxes. One that is not filled in yet has none. */
export function taxed(items: readonly RecordData[], terms: InvoiceTerms): RecordData[] {
  const taxes = lineTaxes(items as unknown as InvoiceLine[], terms)
  return items.map((item, index) => {
    const isWhole =
      item.amount !== null && item.amount !== undefined && item.taxRate !== null && item.taxRate !== undefined
    return {
      ...item,
      taxAmount: isWhole ? taxes[index] : null,
      netAmount: isWhole ? money(decimal(item.amount as string).minus(taxes[index])) : null,
    }
  })
}

export const sumOf = (rows: readonly RecordData[], field: string): string =>
  money(total(rows.map((row) => decimal(row[field] as Amount))))

export const termsOf = ({ taxMethod, diffMode, deductionAmount }: RecordData): InvoiceTerms => ({
  taxMethod: String(taxMethod),
  diffMode: (diffMode ?? null) as string | null,
  deduction: (deductionAmount ?? null) as Amount,
})

export const rowsOf = (value: Value | undefined): RecordData[] => (value ?? []) as RecordData[]
