import type { FieldName, Values } from '../../../engine/server/procedure.ts'
import type { Block, Row } from '../print/document.ts'
import { groupThousands } from '../../../engine/widgets/decimal/decimal.ts'
import { signOf } from '../../../engine/widgets/money/currencies.ts'
import { amountInWords } from '../print/amountInWords.ts'
import { decimal, money } from '../money/amounts.ts'

/** A statement with its lines, as printed for the customer. */
export interface PrintedStatement {
  statement: Values<'statement'>
  /** Full names of the customer and of the biller. */
  customer: string
  agency: string
  /** The account to pay to. */
  account: { name: string; number: string; bank: string } | null
  lines: readonly Values<'statementLine'>[]
}

/** A budget for which we request payment in advance. */
export interface RequestLetter extends Pick<PrintedStatement, 'customer' | 'agency' | 'account'> {
  budget: Values<'budget'>
  date: string
}

type Labels<E extends 'statement' | 'statementLine' | 'budget'> = (field: FieldName<E>) => string

const accountRows = ({ name, bank, number }: NonNullable<PrintedStatement['account']>): Block => ({
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

type Owed = (typeof fees)[number] | 'totalAmount' | 'requestedAmount'

/** `-12345.60` → `-12,345.60`. */
const grouped = (value: string | null | undefined): string => groupThousands(money(decimal(value)))

/**
 * A title, the facts, everybody's line, the totals, the account, and the place for the stamp. Fees that nobody has are
 * left out.
 */
export function statementBlocks(
  { statement, customer, agency, account, lines }: PrintedStatement,
  labels: { statement: Labels<'statement'>; line: Labels<'statementLine'> },
): Block[] {
  const text = (value: unknown) => String(value ?? '')
  const isBilled = (fee: (typeof fees)[number]) => [statement, ...lines].some((row) => !decimal(row[fee]).isZero())
  const shown = fees.filter(isBilled)
  const fact = (label: string, value: unknown) => (text(value) === '' ? [] : [`${label}：${text(value)}`])
  const own = (field: FieldName<'statement'>) => fact(labels.statement(field), statement[field])
  const line = (...facts: string[]): Block[] =>
    facts.length === 0 ? [] : [{ text: [{ text: facts.join('　　'), fontSize: 10 }], style: 'paragraph' }]
  const sorted = lines.toSorted((a, b) => Number(a.place) - Number(b.place))
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
      head: [
        labels.line('place'),
        labels.line('personName'),
        ...shown.map((fee) => labels.line(fee)),
        labels.line('totalAmount'),
      ],
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
      ...(['totalAmount', 'priorBalance', 'suggestedPayment'] as const).flatMap((field) =>
        fact(labels.statement(field), `${signOf()}${grouped(statement[field])}`),
      ),
    ),
    ...(account ? line(`收款户名：${account.name}`, `开户行：${account.bank}`, `账号：${account.number}`) : []),
    ...line(...own('remark')),
    ...line('客户确认（盖章）：＿＿＿＿＿＿＿＿　　日期：＿＿＿＿＿＿'),
  ]
}

/** The payer, the amount requested for which month, its parts, the amount in words, and the account. */
export function letterBlocks(
  { budget, customer, agency, account, date }: RequestLetter,
  label: Labels<'budget'>,
): Block[] {
  const amount = (field: Owed) => money(decimal(budget[field]))
  const line = (text: string): Block => ({ text: [{ text }], style: 'paragraph' })
  const shown = fees.filter((fee) => !decimal(budget[fee]).isZero())
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
