import type { RecordData } from '../../../engine/schema/model.ts'
import type { Block, Row } from '../print/document.ts'
import { groupThousands } from '../../../engine/widgets/decimal/decimal.ts'
import { currencySymbol } from '../../../engine/widgets/money/money.ts'
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
export interface RequestLetter extends Pick<Bill, 'customer' | 'agency' | 'account'> {
  budget: RecordData
  date: string
}

type Labels = (field: string) => string

const accountRows = ({ name, bank, number }: NonNullable<Bill['account']>): Block => ({
  rows: [
    ['收款户名', name],
    ['开户行', bank],
    ['账号', number],
  ],
})

const fees = [
  'wageAmount',
  'socialAmount',
  'medicalAmount',
  'fundAmount',
  'supplementAmount',
  'otherBenefitAmount',
  'serviceFeeAmount',
  'adjustAmount',
  'taxAmount',
] as const

/** `-12345.60` → `-12,345.60`. */
const grouped = (value: unknown): string => groupThousands(money(decimal((value ?? null) as Amount)))

/**
 * A title, what it is about, everybody's line, what it comes to, where to pay and where to stamp. Fees that nobody has
 * are left out.
 */
export function billBlocks(
  { statement, customer, agency, account, lines }: Bill,
  labels: { statement: Labels; line: Labels },
): Block[] {
  const text = (value: unknown) => String(value ?? '')
  const isBilled = (fee: string) => [statement, ...lines].some((row) => !decimal((row[fee] ?? null) as Amount).isZero())
  const shown = fees.filter(isBilled)
  const fact = (label: string, value: unknown) => (text(value) === '' ? [] : [`${label}：${text(value)}`])
  const own = (field: string) => fact(labels.statement(field), statement[field])
  const line = (...facts: string[]): Block[] =>
    facts.length === 0 ? [] : [{ text: [{ text: facts.join('　　'), fontSize: 10 }], style: 'paragraph' }]
  const sorted = lines.toSorted((one, other) => Number(one.place) - Number(other.place))
  return [
    { text: [{ text: `${agency}对账单` }], style: 'heading', fontSize: 18, bold: true, alignment: 'center' },
    ...line(
      ...fact(labels.statement('customer'), customer),
      ...own('statementNo'),
      ...own('billMonth'),
      ...own('wageMonth'),
      ...own('headcount'),
      ...own('dueDate'),
    ),
    {
      texts: 2,
      total: true,
      head: [labels.line('place'), labels.line('personName'), ...shown.map(labels.line), labels.line('totalAmount')],
      cells: [
        ...sorted.map((row, index) => [
          String(index + 1),
          text(row.personName) || '—',
          ...shown.map((fee) => grouped(row[fee])),
          grouped(row.totalAmount),
        ]),
        ['', '合计', ...shown.map((fee) => grouped(statement[fee])), grouped(statement.totalAmount)],
      ],
    },
    ...line(
      ...['totalAmount', 'priorBalance', 'suggestedPayment'].flatMap((field) =>
        fact(labels.statement(field), `${currencySymbol}${grouped(statement[field])}`),
      ),
    ),
    ...(account ? line(`收款户名：${account.name}`, `开户行：${account.bank}`, `账号：${account.number}`) : []),
    ...line(...own('remark')),
    ...line('客户确认（盖章）：＿＿＿＿＿＿＿＿　　日期：＿＿＿＿＿＿'),
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
    line(
      `根据服务合同约定，现就${String(budget.month)}人事费用向贵司请款人民币${requested}元（大写：${requested.startsWith('-') ? '' : amountInWords(requested)}），预计人数${String(budget.headcount)}人，请于发薪前支付至以下账户。`,
    ),
    {
      rows: [
        ...shown.map((fee): Row => [label(fee), amount(fee)]),
        [label('totalAmount'), amount('totalAmount')],
        { cells: [label('requestedAmount'), requested], strong: true },
      ],
    },
    ...(account ? [accountRows(account)] : []),
    line(agency),
    line(date),
  ]
}
