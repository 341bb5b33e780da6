import type { RecordData } from '../../../engine/schema/model.ts'
import type { Block, Row } from '../print/document.ts'
import { amountInWords } from '../print/amountInWords.ts'
import { type Amount, decimal, money } from './amounts.ts'

/** A statement with its lines, as it is printed for the customer. */
export interface Bill {
  statement: RecordData
  /** Names in full, of the customer and of who bills. */
  customer: string
  agency: string
  /** Where it is to be paid to. */
  account: { name: string; number: string; bank: string } | null
  lines: readonly RecordData[]
}

/** A budget for which we ask to be paid ahead. */
export interface RequestLetter extends Pick<Bill, 'customer' | 'agency' | 'account'> { budget: RecordData; date: string }

type Labels = (field: string) => string

const accountRows = ({ name, bank, number }: NonNullable<Bill['account']>): Block => ({ rows: [['收款户名', name], ['开户行', bank], ['账号', number]] })

const fees = ['wageAmount', 'socialAmount', 'medicalAmount', 'fundAmount', 'supplementAmount', 'otherBenefitAmount', 'serviceFeeAmount', 'adjustAmount', 'taxAmount'] as const

/** A title, what it is about, everybody's line, what it comes to, where to pay and where to stamp. Fees that nobody has are left out. */
export function billBlocks({ statement, customer, agency, account, lines }: Bill, labels: { statement: Labels; line: Labels }): Block[] {
  const text = (value: unknown) => String(value ?? '')
  const isBilled = (fee: string) => [statement, ...lines].some((row) => !decimal((row[fee] ?? null) as Amount).isZero())
  const shown = fees.filter(isBilled)
  const fact = (field: string): Row => [labels.statement(field), text(statement[field])]
  const sorted = lines.toSorted((one, other) => Number(one.place) - Number(other.place))
  return [
    { text: [{ text: `${agency}对账单` }], style: 'heading', fontSize: 18, bold: true, alignment: 'center' },
    { rows: [[labels.statement('customer'), customer], fact('statementNo'), fact('billMonth'), fact('wageMonth'), fact('headcount'), ...statement.dueDate === null ? [] : [fact('dueDate')]] },
    {
      texts: 2, head: [labels.line('place'), labels.line('personName'), ...shown.map(labels.line), labels.line('totalAmount')],
      cells: [
        ...sorted.map((line, index) => [String(index + 1), text(line.personName) || '—', ...shown.map((fee) => text(line[fee])), text(line.totalAmount)]),
        ['', '合计', ...shown.map((fee) => text(statement[fee])), text(statement.totalAmount)],
      ],
    },
    { rows: [fact('totalAmount'), fact('priorBalance'), { cells: [labels.statement('suggestedPayment'), money(decimal(statement.suggestedPayment as Amount))], strong: true }] },
    ...account ? [accountRows(account)] : [],
    ...text(statement.remark) === '' ? [] : [{ text: [{ text: `${labels.statement('remark')}：${text(statement.remark)}` }], style: 'paragraph' } as Block],
    { text: [{ text: '客户确认（盖章）：＿＿＿＿＿＿＿＿　　日期：＿＿＿＿＿＿' }], style: 'paragraph' },
  ]
}

/** Whom we ask for how much of which month, what it is made of, in words too, and where to pay. */
export function letterBlocks({ budget, customer, agency, account, date }: RequestLetter, label: Labels): Block[] {
  const amount = (field: string) => money(decimal((budget[field] ?? null) as Amount))
  const line = (text: string): Block => ({ text: [{ text }], style: 'paragraph' })
  const shown = fees.filter((fee) => budget[fee] !== undefined && !decimal((budget[fee] ?? null) as Amount).isZero())
  const requested = amount('requestedAmount')
  return [
    { text: [{ text: '请款函' }], style: 'heading', fontSize: 20, bold: true, alignment: 'center' },
    line(`${customer}：`),
    line(`根据服务合同约定，现就${String(budget.month)}人事费用向贵司请款人民币${requested}元（大写：${requested.startsWith('-') ? '' : amountInWords(requested)}），预计人数${String(budget.headcount)}人，请于发薪前支付至以下账户。`),
    { rows: [...shown.map((fee): Row => [label(fee), amount(fee)]), [label('totalAmount'), amount('totalAmount')], { cells: [label('requestedAmount'), requested], strong: true }] },
    ...account ? [accountRows(account)] : [],
    line(agency),
    line(date),
  ]
}
