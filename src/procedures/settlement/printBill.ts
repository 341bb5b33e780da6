import { sql } from 'kysely'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import type { Block } from '../print/document.ts'
import { printPdf } from '../print/pdf.ts'
import { type Bill, billBlocks, letterBlocks } from './billText.ts'
import { column, entityOf, isAnyOf, readAll } from './stored.ts'

/** The statements as customers get them, one after the other on sheets of their own. Nothing is kept. */
export const printBill: Procedure = async ({ context, db, records }) => {
  const statements = await readAll(context, db, 'statement', [
    isAnyOf(
      'id',
      records.map(({ id }) => id!),
    ),
  ])
  const label = (entity: string) => (field: string) => entityOf(context, entity).fields[field].label.cn
  const bills: Block[][] = []
  for (const statement of statements)
    bills.push(
      billBlocks(await billOf(context, db, statement), { statement: label('statement'), line: label('statementLine') }),
    )
  const name = statements.length === 1 ? String(statements[0].statementNo) : `对账单${context.now.slice(0, 10)}`
  const content = await printPdf({ title: name, size: 'a4', landscape: true, blocks: paged(bills) })
  return { name: `${name}.pdf`, content }
}

/** What we ask a customer for ahead of the month, a page for each budget. */
export const printRequestLetter: Procedure = async ({ context, db, records }) => {
  const budgets = await readAll(context, db, 'budget', [
    isAnyOf(
      'id',
      records.map(({ id }) => id!),
    ),
  ])
  const letters: Block[][] = []
  for (const budget of budgets) {
    const customer = await oneOf(context, db, 'customer', budget.customer)
    const contract = await oneOf(context, db, 'contract', budget.contract)
    const agency = await oneOf(context, db, 'agency', contract?.agency)
    letters.push(
      letterBlocks(
        {
          budget,
          customer: nameOf(customer),
          agency: String(agency?.name ?? ''),
          account: await receivingAccount(context, db, (contract?.agency ?? null) as number | null),
          date: context.now.slice(0, 10),
        },
        (field) => entityOf(context, 'budget').fields[field].label.cn,
      ),
    )
  }
  const name = budgets.length === 1 ? `请款函${String(budgets[0].budgetNo)}` : `请款函${context.now.slice(0, 10)}`
  return { name: `${name}.pdf`, content: await printPdf({ title: name, size: 'a4', blocks: paged(letters) }) }
}

const paged = (papers: Block[][]): Block[] =>
  papers.flatMap((paper, index) =>
    index === 0 ? paper : [{ text: [], style: 'paragraph', pageBreak: 'before' }, ...paper],
  )
const nameOf = (customer: RecordData | null) => String(customer?.corporateName ?? customer?.name ?? '')

async function oneOf(context: Context, db: Db, entity: string, id: unknown): Promise<RecordData | null> {
  return (await readAll(context, db, entity, [isAnyOf('id', [(id ?? null) as number | null])])).at(0) ?? null
}

/** Where an entity of ours wants its customers to pay. */
async function receivingAccount(context: Context, db: Db, agency: number | null): Promise<Bill['account']> {
  const [account] = await readAll(context, db, 'companyAccount', [
    isAnyOf('agency', [agency]),
    sql<boolean>`${column('isDefault')}`,
  ])
  if (!account) return null
  const bank = await oneOf(context, db, 'bank', account.bank)
  return { name: String(account.accountName), number: String(account.accountNo), bank: String(bank?.branchName ?? '') }
}

async function billOf(context: Context, db: Db, statement: RecordData): Promise<Bill> {
  const agency = await oneOf(context, db, 'agency', statement.agency)
  return {
    statement,
    customer: nameOf(await oneOf(context, db, 'customer', statement.customer)),
    agency: String(agency?.name ?? ''),
    account: await receivingAccount(context, db, statement.agency as number),
    lines: await readAll(context, db, 'statementLine', [isAnyOf('statement', [statement.id!])]),
  }
}
