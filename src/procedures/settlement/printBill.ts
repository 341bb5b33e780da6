import { sql } from 'kysely'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import type { Block } from '../print/document.ts'
import { printPdf } from '../print/pdf.ts'
import { type Bill, billBlocks } from './billText.ts'
import { column, entityOf, isAnyOf, readAll } from './stored.ts'

/** The statements as customers get them, one after the other on sheets of their own. Nothing is kept. */
export const printBill: Procedure = async ({ context, db, records }) => {
  const statements = await readAll(context, db, 'statement', [isAnyOf('id', records.map(({ id }) => id!))])
  const label = (entity: string) => (field: string) => entityOf(context, entity).fields[field].label.cn
  const bills: Block[][] = []
  for (const statement of statements) bills.push(billBlocks(await billOf(context, db, statement), { statement: label('statement'), line: label('statementLine') }))
  const name = statements.length === 1 ? String(statements[0].statementNo) : `对账单${context.now.slice(0, 10)}`
  const content = await printPdf({ title: name, size: 'a4', landscape: true, blocks: bills.flatMap((bill, index) => index === 0 ? bill : [{ text: [], style: 'paragraph', pageBreak: 'before' }, ...bill]) })
  return { name: `${name}.pdf`, content }
}

async function billOf(context: Context, db: Db, statement: RecordData): Promise<Bill> {
  const one = async (entity: string, id: unknown, fields?: string[]) => (await readAll(context, db, entity, [isAnyOf('id', [(id ?? null) as number | null])], fields)).at(0) ?? null
  const customer = await one('customer', statement.customer)
  const agency = await one('agency', statement.agency)
  const [account] = await readAll(context, db, 'companyAccount', [isAnyOf('agency', [statement.agency as number]), sql<boolean>`${column('isDefault')}`])
  const bank = account ? await one('bank', account.bank) : null
  const lines = await readAll(context, db, 'statementLine', [isAnyOf('statement', [statement.id!])])
  return { statement, customer: String(customer?.corporateName ?? customer?.name ?? ''), agency: String(agency?.name ?? ''), account: account ? { name: String(account.accountName), number: String(account.accountNo), bank: String(bank?.branchName ?? '') } : null, lines }
}
