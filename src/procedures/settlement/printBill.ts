import { procedure, type ProcedureWork, type Stored } from '../../../engine/server/procedure.ts'
import type { Block } from '../print/document.ts'
import { printPdf } from '../print/pdf.ts'
import { type Bill, billBlocks, letterBlocks } from './billText.ts'

/** The statements as customers get them, one after the other on sheets of their own. Nothing is kept. */
export const printBill = procedure<'statement'>(async (work, { records }) => {
  const statements = await work.read('statement', { where: { id: records.map(({ id }) => id) } })
  const bills: Block[][] = []
  for (const statement of statements)
    bills.push(
      billBlocks(await billOf(work, statement), {
        statement: (field) => work.labelOf('statement', field).cn,
        line: (field) => work.labelOf('statementLine', field).cn,
      }),
    )
  const name = statements.length === 1 ? statements[0].statementNo : `对账单${work.today}`
  const content = await printPdf({ title: name, size: 'a4', landscape: true, blocks: paged(bills) })
  return { name: `${name}.pdf`, content }
})

/** What we ask a customer for ahead of the month, a page for each budget. */
export const printRequestLetter = procedure<'budget'>(async (work, { records }) => {
  const budgets = await work.read('budget', { where: { id: records.map(({ id }) => id) } })
  const letters: Block[][] = []
  for (const budget of budgets) {
    const contract = await work.one('contract', budget.contract)
    const agency = await work.one('agency', contract?.agency)
    letters.push(
      letterBlocks(
        {
          budget,
          customer: await customerName(work, budget.customer),
          agency: agency?.name ?? '',
          account: await receivingAccount(work, contract?.agency ?? null),
          date: work.today,
        },
        (field) => work.labelOf('budget', field).cn,
      ),
    )
  }
  const name = budgets.length === 1 ? `请款函${budgets[0].budgetNo}` : `请款函${work.today}`
  return { name: `${name}.pdf`, content: await printPdf({ title: name, size: 'a4', blocks: paged(letters) }) }
})

const paged = (papers: Block[][]): Block[] =>
  papers.flatMap((paper, index) =>
    index === 0 ? paper : [{ text: [], style: 'paragraph', pageBreak: 'before' }, ...paper],
  )

async function customerName(work: ProcedureWork, id: number): Promise<string> {
  return (await work.one('customer', id))?.corporateName ?? ''
}

/** Where an entity of ours wants its customers to pay. */
async function receivingAccount(work: ProcedureWork, agency: number | null): Promise<Bill['account']> {
  if (agency === null) return null
  const account = await work.first('companyAccount', {
    where: { agency, isDefault: true },
    fields: ['accountName', 'accountNo', 'bank'],
  })
  if (!account) return null
  const bank = await work.one('bank', account.bank)
  return { name: account.accountName, number: account.accountNo, bank: bank?.branchName ?? '' }
}

async function billOf(work: ProcedureWork, statement: Stored<'statement'>): Promise<Bill> {
  const agency = await work.one('agency', statement.agency)
  return {
    statement,
    customer: await customerName(work, statement.customer),
    agency: agency?.name ?? '',
    account: await receivingAccount(work, statement.agency),
    lines: await work.read('statementLine', { where: { statement: statement.id } }),
  }
}
