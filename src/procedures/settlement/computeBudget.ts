import { decimal, money, total, type Amount } from '../money/amounts.ts'
import { computeStatement, feeColumns, type FeeAmounts } from './computeStatement.ts'
import { feeItemsOf, type FeeCategory, type FeeItems } from './feeItems.ts'
import { feesOf, type FeeRule } from './fees.ts'
import type { TaxTerms } from './tax.ts'
import type { StatementItem } from './StatementItem.ts'

/**
 * The planned amounts, from which fees, tax and total are computed. Planned insurance has a column, but is not a
 * particular item.
 */
const planned = {
  wageAmount: { feeItem: 'grossWage', sourceType: 'payroll' },
  socialAmount: { feeItem: 'social', sourceType: 'planned' },
  medicalAmount: { feeItem: 'medical', sourceType: 'planned' },
  fundAmount: { feeItem: 'fund', sourceType: 'planned' },
  supplementAmount: { feeItem: 'backPayment', sourceType: 'planned' },
  otherBenefitAmount: { feeItem: 'welfareGoods', sourceType: 'planned' },
  adjustAmount: { feeItem: 'grossWage', sourceType: 'manual' },
} as const
const feeItems: FeeItems = new Map([
  ...feeItemsOf([]),
  ...(['social', 'medical', 'fund'] as const).map((category): [string, FeeCategory] => [category, category]),
])
export type PlannedColumn = keyof typeof planned
export const plannedColumns = Object.keys(planned) as PlannedColumn[]
/** A person's planned amounts, by the columns of statements. */
export const categoriesOf = (amounts: PlannedAmounts): FeeCategory[] =>
  plannedColumns
    .filter((column) => !decimal(amounts[column]).isZero())
    .map((column) => column.replace('Amount', '') as FeeCategory)
export type PlannedAmounts = Record<PlannedColumn, Amount>

/** A person, a planned new hire, or the company as a whole, with the planned amounts. */
export interface Planned {
  isCompany: boolean
  joinedOn: string | null
  leftOn: string | null
  /** Their services; all if absent. */
  services?: ReadonlySet<string>
  amounts: PlannedAmounts
}
export interface BudgetTerms {
  month: string
  contractNo: string
  rules: readonly FeeRule[]
  tax: TaxTerms
}
/**
 * `lines`: one for each planned entry, in order. `rest`: what is charged to the company as a whole, if there is no line
 * for it.
 */
export interface Budget {
  lines: FeeAmounts[]
  rest: FeeAmounts | null
  headcount: number
  amounts: FeeAmounts
}

/**
 * The expected result of a month, billed like a statement: with the fees of the contract and the tax on the total,
 * distributed over the lines.
 */
export function computeBudget(lines: readonly Planned[], { month, contractNo, rules, tax }: BudgetTerms): Budget {
  // A planned hire has no person yet, so lines stand for persons. Charges to the company go to its first line.
  const first = lines.findIndex(({ isCompany }) => isCompany)
  const keys = lines.map((_, index) => (index === first ? null : index + 1))
  const items = lines.flatMap(({ amounts }, index) => itemsOf(keys[index], amounts, month))
  const heads = lines.flatMap(({ isCompany, joinedOn, leftOn, services }, index) =>
    isCompany ? [] : [{ person: keys[index]!, joinedOn, leftOn, services, workedDays: null }],
  )
  const fees = feesOf(rules, {
    billMonth: month,
    contractNo,
    costs: items.filter(({ sourceType }) => sourceType !== 'manual'),
    heads,
  })
  const worked = computeStatement([...items, ...fees], tax, feeItems)
  const amountsOf = (key: number | null) =>
    added(worked.lines.filter(({ person }) => person === key).map(({ amounts }) => amounts))
  return {
    lines: keys.map(amountsOf),
    rest: first < 0 && worked.lines.some(({ person }) => person === null) ? amountsOf(null) : null,
    headcount: heads.length,
    amounts: added([worked.amounts]),
  }
}

function itemsOf(person: number | null, amounts: PlannedAmounts, month: string): StatementItem[] {
  return plannedColumns.flatMap((column) => {
    const amount = decimal(amounts[column])
    return amount.isZero()
      ? []
      : { person, party: 'company', costMonth: month, amount: money(amount), sourceId: null, ...planned[column] }
  })
}

const added = (all: readonly FeeAmounts[]): FeeAmounts =>
  Object.fromEntries(
    feeColumns.map((column) => [column, money(total(all.map((amounts) => decimal(amounts[column]))))]),
  ) as FeeAmounts
