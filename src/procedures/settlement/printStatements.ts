import { procedure, type ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Block } from '../print/document.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { printPdf } from '../print/pdf.ts'
import { type PrintedStatement, statementBlocks, letterBlocks } from './printedStatement.ts'

/** The statements as customers get them, each on its own sheets. Nothing is stored. */
export const printStatements = procedure<'statement'>(async (work, { records }) => {
  const statements = await work.read('statement', { where: { id: records.map(({ id }) => id) } })
  const parties = await readParties(work, statements)
  const lines = groupedBy(
    await work.read('statementLine', { where: { statement: statements.map(({ id }) => id) } }),
    ({ statement }) => statement as number,
  )
  const printed = statements.map((statement) =>
    statementBlocks(
      { statement, ...parties(statement), lines: lines.get(statement.id) ?? [] },
      {
        statement: (field) => work.labelOf('statement', field).cn,
        line: (field) => work.labelOf('statementLine', field).cn,
      },
    ),
  )
  const name = statements.length === 1 ? statements[0].statementNo : `对账单${work.today}`
  const content = await printPdf({ title: name, size: 'a4', landscape: true, blocks: paged(printed) })
  return { name: `${name}.pdf`, content }
})

/** Payment requests in advance of the month, a page for each budget. */
export const printRequestLetter = procedure<'budget'>(async (work, { records }) => {
  const budgets = await work.read('budget', { where: { id: records.map(({ id }) => id) } })
  const contracts = await work.byId(
    'contract',
    budgets.map(({ contract }) => contract),
    { fields: ['agency'] },
  )
  const requests = budgets.map((budget) => ({ budget, agency: contracts.get(budget.contract)?.agency ?? null }))
  const parties = await readParties(
    work,
    requests.map(({ budget: { customer }, agency }) => ({ customer, agency })),
  )
  const letters = requests.map(({ budget, agency }) =>
    letterBlocks(
      { budget, ...parties({ customer: budget.customer, agency }), date: work.today },
      (field) => work.labelOf('budget', field).cn,
    ),
  )
  const name = budgets.length === 1 ? `请款函${budgets[0].budgetNo}` : `请款函${work.today}`
  return { name: `${name}.pdf`, content: await printPdf({ title: name, size: 'a4', blocks: paged(letters) }) }
})

const paged = (papers: Block[][]): Block[] =>
  papers.flatMap((paper, index) =>
    index === 0 ? paper : [{ text: [], style: 'paragraph', pageBreak: 'before' }, ...paper],
  )

type Between = { customer: number; agency: number | null }

/** The payer and payee of each, and the account of our entity that customers should pay to. */
async function readParties(
  work: ProcedureWork,
  pairs: readonly Between[],
): Promise<(between: Between) => Pick<PrintedStatement, 'customer' | 'agency' | 'account'>> {
  const customers = await work.byId(
    'customer',
    pairs.map(({ customer }) => customer),
    { fields: ['corporateName'] },
  )
  const agencies = await work.byId(
    'agency',
    pairs.map(({ agency }) => agency),
    { fields: ['name'] },
  )
  const accounts = await work.read('companyAccount', {
    where: { agency: [...agencies.keys()], isDefault: true },
    fields: ['agency', 'accountName', 'accountNo', 'bank'],
  })
  const banks = await work.byId(
    'bank',
    accounts.map(({ bank }) => bank),
    { fields: ['branchName'] },
  )
  return ({ customer, agency }) => {
    const account = accounts.find((each) => each.agency === agency)
    return {
      customer: customers.get(customer)?.corporateName ?? '',
      agency: agencies.get(agency ?? 0)?.name ?? '',
      account: account
        ? {
            name: account.accountName,
            number: account.accountNo,
            bank: banks.get(account.bank)?.branchName ?? '',
          }
        : null,
    }
  }
}
