import { Decimal } from '../../../engine/expression/index.ts'
import { decimal, money, total, type Amount } from '../money/amounts.ts'
import { totals, type Contribution } from './contribution.ts'

/** The fields of a line of expenses. */
export interface ExpenseLine {
  person: number
  expenseType: string
  lineStatus: string
  reconcileStatus: string
  amounts: Readonly<Record<string, Contribution>>
  lateFee: Amount
  /** Null until a table of the bureau was imported. */
  actualTotal: Amount
}

/** A line's own sums; late fees only count in the overall total. */
export function lineTotals({
  amounts,
  lateFee,
  actualTotal,
}: Pick<ExpenseLine, 'amounts' | 'lateFee' | 'actualTotal'>): {
  companyTotal: string
  personalTotal: string
  total: string
  diff: Amount
} {
  const { companyTotal, personalTotal, total: both } = totals(Object.values(amounts))
  const due = decimal(both).plus(decimal(lateFee))
  return {
    companyTotal,
    personalTotal,
    total: money(due),
    diff: actualTotal === null ? null : money(decimal(actualTotal).minus(due)),
  }
}

export interface ExpenseSummary {
  headcount: number
  supplementHeadcount: number
  normalCompany: string
  normalPersonal: string
  supplementCompany: string
  supplementPersonal: string
  differenceTotal: string
  lateFee: string
  items: Record<string, { company: string; personal: string }>
  companyTotal: string
  personalTotal: string
  total: string
  actualTotal: string
  diffTotal: string
  diffCount: number
}

/** States that wait for a decision. */
const undecided = ['different', 'missing', 'extra']

/** The totals of the lines of a month, an account and a customer; void lines do not count. */
export function summaryOf(lines: readonly ExpenseLine[]): ExpenseSummary {
  const counted = lines
    .filter(({ lineStatus }) => lineStatus !== 'void')
    .map((line) => ({ ...line, ...lineTotals(line) }))
  type Counted = (typeof counted)[number]
  const ofTypes = (...types: string[]) => counted.filter(({ expenseType }) => types.includes(expenseType))
  const sum = (from: readonly Counted[], value: (line: Counted) => Amount): Decimal =>
    total(from.map((line) => decimal(value(line))))
  const heads = (from: readonly Counted[]) => new Set(from.map(({ person }) => person)).size
  const [normal, backPaid, differences] = [ofTypes('normal'), ofTypes('supplement'), ofTypes('difference', 'refund')]
  const items = [...new Set(counted.flatMap(({ amounts }) => Object.keys(amounts)))]
  const company = ({ companyTotal }: Counted) => companyTotal
  const personal = ({ personalTotal }: Counted) => personalTotal
  return {
    headcount: heads(normal),
    supplementHeadcount: heads(backPaid),
    normalCompany: money(sum(normal, company)),
    normalPersonal: money(sum(normal, personal)),
    supplementCompany: money(sum(backPaid, company)),
    supplementPersonal: money(sum(backPaid, personal)),
    differenceTotal: money(sum(differences, company).plus(sum(differences, personal))),
    lateFee: money(sum(counted, ({ lateFee }) => lateFee)),
    items: Object.fromEntries(
      items.map((key) => [
        key,
        {
          company: money(sum(counted, ({ amounts }) => amounts[key]?.company)),
          personal: money(sum(counted, ({ amounts }) => amounts[key]?.personal)),
        },
      ]),
    ),
    companyTotal: money(sum(counted, company)),
    personalTotal: money(sum(counted, personal)),
    total: money(sum(counted, (line) => line.total)),
    actualTotal: money(sum(counted, ({ actualTotal }) => actualTotal)),
    diffTotal: money(sum(counted, ({ diff }) => diff)),
    diffCount: counted.filter(({ reconcileStatus }) => undecided.includes(reconcileStatus)).length,
  }
}
