import type { Label } from '../../../engine/model/model.ts'
import type { Values } from '../../../engine/server/procedure.ts'
import { type Amount, decimal } from '../money/amounts.ts'
import type { Block, Row } from '../print/document.ts'

/**
 * The data of one payslip. Amounts are those of the payroll line; `welfare` has the employee's own part of each item.
 */
export interface Payslip {
  employer: string
  payrollMonth: string
  payDate: string
  person: { name: string; jobNumber: string | null; position: string | null }
  line: Values<'payrollLine'>
  welfare: readonly { label: string; personal: Amount }[]
  /** The last four digits of the payee's account. */
  card: string | null
}

type PrintedField =
  | (typeof days | typeof earnings | typeof afterTax)[number]
  | 'grossPay'
  | 'welfarePersonalTotal'
  | 'currentTax'
  | 'netPay'

const days = ['workDays', 'actualDays'] as const
const earnings = [
  'baseSalary',
  'positionPay',
  'performancePay',
  'overtimePay',
  'bonus',
  'mealAllowance',
  'transportAllowance',
  'otherAllowance',
  'absenceDeduction',
  'otherPreTax',
] as const
const afterTax = ['afterTaxAdd', 'afterTaxDeduct'] as const
/** Shown as negative amounts. */
const taken = new Set<string>(['absenceDeduction', 'afterTaxDeduct'])

/**
 * A payslip as a page, without zero amounts.
 * @param labels of the fields of a payroll line
 */
export function payslipBlocks(
  { employer, payrollMonth, payDate, person, line, welfare, card }: Payslip,
  labels: (field: PrintedField) => Label,
): Block[] {
  const amount = (name: PrintedField): Amount => line[name] ?? null
  const minus = (value: Amount) => decimal(value).negated().toFixed(2)
  const given = (names: readonly PrintedField[]): Row[] =>
    names
      .filter((name) => !decimal(amount(name)).isZero())
      .map((name) => [labels(name).cn, taken.has(name) ? minus(amount(name)) : decimal(amount(name)).toFixed(2)])
  const sum = (name: PrintedField, value = decimal(amount(name)).toFixed(2)): Row => ({
    cells: [labels(name).cn, value],
    strong: true,
  })
  const [year, month] = payrollMonth.split('-')
  const rows: Row[] = [
    ...days.filter((name) => amount(name) !== null).map((name): Row => [labels(name).cn, String(Number(amount(name)))]),
    ...given(earnings),
    sum('grossPay'),
    ...welfare
      .filter(({ personal }) => !decimal(personal).isZero())
      .map(({ label, personal }): Row => [`${label}（个人）`, minus(personal)]),
    sum('welfarePersonalTotal', minus(amount('welfarePersonalTotal'))),
    ...(decimal(amount('currentTax')).isZero() ? [] : [[labels('currentTax').cn, minus(amount('currentTax'))] as Row]),
    ...given(afterTax),
    sum('netPay'),
  ]
  const about = [person.name, person.jobNumber, person.position]
    .filter((text) => text !== null && text !== '')
    .join('　')
  const { remark = null } = line
  return [
    {
      text: [{ text: `${year}年${Number(month)}月工资条` }],
      style: 'heading',
      fontSize: 16,
      bold: true,
      alignment: 'center',
    },
    { text: [{ text: employer }], style: 'paragraph' },
    { text: [{ text: about }], style: 'paragraph' },
    { rows },
    { text: [{ text: `发放日期：${payDate}${card === null ? '' : `　尾号${card}`}` }], style: 'paragraph' },
    ...(remark === null ? [] : [{ text: [{ text: `备注：${remark}` }], style: 'paragraph' }]),
  ]
}
