import { sql } from 'kysely'
import { addMonths } from '../../../engine/expression/index.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import { feeColumns, type FeeAmounts } from './bill.ts'
import { isStanding, rulesOf, type BilledMonths } from './billing.ts'
import { budget, plannedColumns, type Budget, type BudgetTerms, type Planned, type PlannedAmounts } from './budget.ts'
import { changeKind, type Employed } from './roster.ts'
import { column, isAnyOf, readAll } from './stored.ts'
import type { TaxTerms } from './tax.ts'

/** So many months back the last statement of somebody may lie. */
const monthsBack = 3

/** A line as it is planned: `id` of one that is kept already. */
export interface PlannedLine {
  id?: number
  lineType: 'person' | 'company'
  person: number | null
  label: string | null
  workCity: string | null
  amounts: PlannedAmounts
}

/** The newest statement lines of these customers before the month. */
export interface LastLines {
  ofPerson: ReadonlyMap<number, RecordData>
  /** All lines of the newest statement of a contract, or else of its customer. */
  ofContract(contract: RecordData): RecordData[]
  companyAmount(contract: RecordData): string | null
}

export async function readLast(
  context: Context,
  db: Db,
  customers: readonly number[],
  month: string,
): Promise<LastLines> {
  const statements = (
    await readAll(
      context,
      db,
      'statement',
      [
        isAnyOf('customer', customers),
        isStanding,
        sql<boolean>`(${column('billMonth')} < ${month} and ${column('billMonth')} >= ${addMonths(month, -monthsBack)})`,
      ],
      ['contract', 'customer', 'billMonth'],
    )
  ).sort((a, b) => String(a.billMonth).localeCompare(String(b.billMonth)))
  const place = new Map(statements.map(({ id }, index) => [id, index]))
  const lines = (
    await readAll(
      context,
      db,
      'statementLine',
      [
        isAnyOf(
          'statement',
          statements.map(({ id }) => id!),
        ),
        sql<boolean>`${column('lineType')} <> 'adjustment'`,
      ],
      ['statement', 'lineType', 'person', ...feeColumns],
    )
  ).sort((a, b) => place.get(a.statement as number)! - place.get(b.statement as number)!)
  const ofContract = ({ id, customer }: RecordData) => {
    const newest =
      statements.findLast(({ contract }) => contract === id) ?? statements.findLast((one) => one.customer === customer)
    return newest ? lines.filter(({ statement }) => statement === newest.id) : []
  }
  return {
    ofPerson: new Map(lines.flatMap((line) => (line.person === null ? [] : [[line.person as number, line]]))),
    ofContract,
    companyAmount: (contract) =>
      (ofContract(contract).find(({ lineType }) => lineType === 'company')?.totalAmount ?? null) as string | null,
  }
}

/** Everybody who works for these customers, or did. */
export async function readEmployed(
  context: Context,
  db: Db,
  customers: readonly number[],
): Promise<(Employed & { record: RecordData })[]> {
  const people = await readAll(
    context,
    db,
    'person',
    [isAnyOf('customer', customers)],
    ['customer', 'serviceContract', 'baseSalary', 'employmentForm', 'insuranceCity', 'entryDate', 'leaveDate'],
  )
  return people.map((record) => ({
    person: record.id!,
    baseSalary: String(record.baseSalary),
    isPaid: record.employmentForm !== 'agency',
    joinedOn: String(record.entryDate),
    leftOn: record.leaveDate as string | null,
    record,
  }))
}

/** What a budget keeps of its contract. */
export const taxTermsOf = ({ taxMethod, taxRate, surchargeRate, taxBorne }: RecordData): RecordData => ({
  taxMethod,
  taxRate,
  surchargeRate,
  taxBorne,
})

/**
 * These lines worked out: the budget as a whole, and each line as it is kept. A line for what is charged to the company
 * is added where there is none.
 */
export function workOut(
  contract: RecordData,
  terms: RecordData,
  month: string,
  lines: readonly PlannedLine[],
  people: ReadonlyMap<number, Employed>,
  last: LastLines,
): { worked: Budget; records: RecordData[] } {
  const known = (person: number | null) => (person === null ? undefined : people.get(person))
  const planned = lines.map(({ lineType, person, amounts }): Planned => ({
    isCompany: lineType === 'company',
    joinedOn: known(person)?.joinedOn ?? null,
    leftOn: known(person)?.leftOn ?? null,
    amounts,
  }))
  const charged: BudgetTerms = {
    month,
    contractNo: String(contract.contractNo),
    rules: rulesOf(contract, month),
    tax: terms as unknown as TaxTerms,
  }
  const worked = budget(planned, charged)
  const all = worked.rest ? [...lines, companyLine] : lines
  const companyAt = all.findIndex(({ lineType }) => lineType === 'company')
  const records = all.map(({ amounts: _, ...line }, index): RecordData => {
    const amounts = worked.lines[index] ?? (worked.rest as FeeAmounts)
    const previousAmount = (
      line.person !== null
        ? (last.ofPerson.get(line.person)?.totalAmount ?? null)
        : index === companyAt
          ? last.companyAmount(contract)
          : null
    ) as string | null
    return {
      ...line,
      ...amounts,
      previousAmount,
      changeKind: changeKind(
        { leftOn: known(line.person)?.leftOn ?? null },
        previousAmount,
        amounts.totalAmount,
        month,
      ),
    }
  })
  return { worked, records }
}

export const plannedOf = (record: RecordData): PlannedAmounts =>
  Object.fromEntries(plannedColumns.map((name) => [name, record[name] ?? null])) as PlannedAmounts

const companyLine: PlannedLine = {
  lineType: 'company',
  person: null,
  label: null,
  workCity: null,
  amounts: plannedOf({}),
}
export const companyLineOf = (amounts: PlannedAmounts): PlannedLine => ({ ...companyLine, amounts })

export const budgetMonths = (context: Context, month: string): BilledMonths & { month: string } => ({
  month,
  billMonth: month,
  wageMonth: addMonths(month, Number(context.settings.parameter.wageMonthOffset))!,
  insuranceMonth: month,
})
