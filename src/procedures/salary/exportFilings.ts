import { writeXlsx } from 'hucre/xlsx'
import { procedure, type ProcedureWork, type Stored } from '../../../engine/server/procedure.ts'
import { decimal, money, round2, total } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { familiesOf } from '../welfare/handling/family.ts'
import { bracketOf, type TaxBracket } from './brackets.ts'
import { agentOf, januaryOf, readBrackets } from './payrollData.ts'
import { deductionItems } from './specialDeduction.ts'

type Filing = Stored<'personalTax'>

const begin = ['工号', '姓名', '证件类型', '证件号码', '本期收入', '本期免税收入']
const end = [
  '累计子女教育',
  '累计3岁以下婴幼儿照护',
  '累计继续教育',
  '累计住房贷款利息',
  '累计住房租金',
  '累计赡养老人',
  '累计个人养老金',
  '其他扣除',
  '准予扣除的捐赠额',
  '减免税额',
  '备注',
]

/**
 * The files for the tax client, stored with each of their filings, which become exported: one for each withholding
 * agent, month and kind of income, with a column for each contribution that the law deducts.
 * @throws Refusal permission.
 */
export const exportFilings = procedure<'personalTax'>(async (work, { records }) => {
  work.demandWhole('personalTax', ['idNumber', 'filingFile'])
  const items = statutoryItems(work)
  const header = [...begin, ...items.map(({ cn }) => cn), ...end]
  const [peopleOf, deducted, contributed, brackets] = [
    await readPeople(work, records),
    await readDeducted(work, records),
    await readContributed(work, records),
    await readBrackets(work),
  ]
  const rowOf = (filing: Filing) => [
    ...peopleOf(filing),
    filing.currentIncome ?? '',
    filing.exemptIncome ?? '',
    ...items.map((item) => contributed(filing, item)),
    ...deducted(filing),
    filing.otherDeduction ?? '',
    '0.00',
    reliefOf(filing, brackets),
    filing.remark ?? '',
  ]
  const incomes = new Map(work.dictionary('incomeType').choices.map(({ value, label }) => [value, label.cn]))
  for (const own of groupedBy(records, (each) => `${agentOf(each)} ${each.taxMonth} ${each.incomeType}`).values()) {
    const [{ withholdingAgent, taxMonth, incomeType }] = own
    const income = incomes.get(incomeType) ?? ''
    const file = await work.storeFile(
      `个税申报表${taxMonth}${income}${withholdingAgent ?? ''}.xlsx`,
      await writeXlsx({ sheets: [{ name: income, rows: [header, ...own.map(rowOf)] }] }),
    )
    await work.changeAll(
      'personalTax',
      own.map((record) => ({ record, values: { status: 'exported', filingFile: [file] } as const })),
      { action: 'exportFiling' },
    )
  }
})

interface Item {
  family: string
  part: string
  cn: string
}

const statutoryItems = (work: ProcedureWork): Item[] =>
  familiesOf(work).flatMap(({ key: family, items }) =>
    items
      .filter(({ taxClass, hasPersonal }) => taxClass === 'statutory' && hasPersonal)
      .map(({ key: part, cn }) => ({ family, part, cn })),
  )

async function readPeople(work: ProcedureWork, filings: readonly Filing[]) {
  const people = await work.byId(
    'person',
    filings.map(({ person }) => person),
    { fields: ['name', 'jobNumber', 'idType', 'idNumber'] },
  )
  const idTypes = new Map(work.dictionary('idType').choices.map(({ value, label }) => [value, label.cn]))
  return ({ person: id }: Filing) => {
    const { name, jobNumber, idType, idNumber } = people.get(id)!
    return [jobNumber ?? '', name, idTypes.get(idType) ?? '', idNumber]
  }
}

/**
 * The deductions reported to the agent for each wage, as the payroll used them: of its month, or else of the last month
 * before it.
 */
async function readDeducted(work: ProcedureWork, filings: readonly Filing[]) {
  const rows = await work.read('specialDeduction', {
    where: {
      person: filings.map(({ person }) => person),
      taxMonth: {
        between: [
          januaryOf(filings.map(({ taxMonth }) => taxMonth).sort()[0]),
          filings
            .map(({ taxMonth }) => taxMonth)
            .sort()
            .at(-1)!,
        ],
      },
    },
    order: 'taxMonth',
  })
  const byPerson = groupedBy(rows, ({ person }) => person)
  return (filing: Filing) => {
    const own = (byPerson.get(filing.person) ?? []).findLast(
      (row) =>
        filing.incomeType === 'wage' &&
        agentOf(row) === agentOf(filing) &&
        row.taxMonth <= filing.taxMonth &&
        row.taxMonth >= januaryOf(filing.taxMonth),
    )
    return deductionItems.map((item) => own?.[item] ?? '0.00')
  }
}

/** The deductions of each item in the lines of the filed payrolls. */
async function readContributed(work: ProcedureWork, filings: readonly Filing[]) {
  const payrolls = [...new Set(filings.flatMap(({ payrolls: filed }) => (filed ?? []) as number[]))]
  const lines = await work.read('payrollLine', {
    where: { payroll: payrolls, person: filings.map(({ person }) => person), lineStatus: { not: 'removed' } },
    fields: ['payroll', 'person'],
  })
  const rows = await work.read('payrollWelfare', { where: { line: lines.map(({ id }) => id) } })
  const linesOf = groupedBy(lines, ({ person, payroll }) => `${person} ${payroll}`)
  const rowsOf = groupedBy(rows, ({ line }) => line)
  return ({ person, payrolls: filed }: Filing, { family, part }: Item): string =>
    money(
      total(
        ((filed ?? []) as number[])
          .flatMap((payroll) => linesOf.get(`${person} ${payroll}`) ?? [])
          .flatMap(({ id }) => rowsOf.get(id) ?? [])
          .filter((row) => row.family === family && row.part === part)
          .map(({ statutory }) => decimal(statutory)),
      ),
    )
}

/** The relieved part of the tax of the year so far: the tax on taxable income, minus the tax due. */
function reliefOf({ incomeType, taxMonth, cumTaxable, cumTax }: Filing, brackets: readonly TaxBracket[]): string {
  if (incomeType !== 'wage' || cumTaxable === null) return '0.00'
  const amount = decimal(cumTaxable)
  const { rate, quick } = bracketOf(brackets, { table: 'cumulative', month: taxMonth, amount })
  return money(round2(amount.times(rate).dividedBy(100).minus(quick)).minus(decimal(cumTax)))
}
