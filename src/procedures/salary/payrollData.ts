import { sql } from 'kysely'
import { addDays, addMonths } from '../../../engine/expression/index.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import type { Condition } from '../../../engine/server/scope.ts'
import type { RecordData } from '../../../engine/schema/model.ts'
import type { Amount } from '../settlement/amounts.ts'
import { column, isAnyOf, readAll } from '../settlement/stored.ts'
import type { TaxBracket } from './brackets.ts'
import type { Earned } from './taxLine.ts'

export const firstDay = (month: string): string => `${month}-01`
export const lastDay = (month: string): string => addDays(addMonths(firstDay(month), 1)!, -1)!
export const januaryOf = (month: string): string => `${month.slice(0, 4)}-01`

/** What is approved counts; it may be paid already. */
export const approvedStates = ['approved', 'paying', 'paid']
export const openStates = ['draft', 'calculated', 'submitted', 'rejected']
export const hasState = (states: readonly string[]): Condition =>
  sql<boolean>`${column('status')} = any(${states}::text[])`

/** Of the same withholding agent: us by our entity, or the customer itself. */
export const ofAgent = ({ taxSubject, agency, customer }: RecordData): Condition =>
  sql<boolean>`(${column('taxSubject')} = ${taxSubject} and ${taxSubject === 'customer' ? sql`${column('customer')} = ${customer}` : sql`${column('agency')} = ${agency}`})`

export const readBrackets = async (context: Context, db: Db): Promise<TaxBracket[]> =>
  (await readAll(context, db, 'taxBracket', [])) as unknown as TaxBracket[]

/** Lines of other payrolls of the same agent, in the order of approval: person → what they add up from. */
export async function readOther(
  context: Context,
  db: Db,
  payroll: RecordData,
  people: readonly number[],
  { states, incomeType, from, to }: { states: readonly string[]; incomeType: string; from: string; to: string },
): Promise<{ payrolls: Map<number, RecordData>; lines: RecordData[] }> {
  const payrolls = new Map(
    (
      await readAll(
        context,
        db,
        'payroll',
        [
          ofAgent(payroll),
          hasState(states),
          sql<boolean>`(${column('incomeType')} = ${incomeType} and ${column('taxMonth')} between ${from} and ${to} and ${column('id')} <> ${payroll.id})`,
        ],
        ['batchNo', 'taxMonth', 'welfareMonth', 'payrollMonth', 'approvedAt', 'status'],
      )
    ).map((one) => [one.id!, one]),
  )
  const lines =
    payrolls.size === 0
      ? []
      : await readAll(
          context,
          db,
          'payrollLine',
          [
            isAnyOf('payroll', [...payrolls.keys()]),
            isAnyOf('person', people),
            sql<boolean>`${column('lineStatus')} <> 'removed'`,
          ],
          [
            'payroll',
            'person',
            'grossPay',
            'exemptIncome',
            'statutory',
            'otherDeduction',
            'currentTax',
            'welfarePersonalTotal',
            'welfareCompanyTotal',
          ],
        )
  const at = ({ payroll: id }: RecordData) =>
    `${String(payrolls.get(id as number)!.taxMonth)} ${String(payrolls.get(id as number)!.approvedAt)}`
  return { payrolls, lines: lines.sort((a, b) => (at(a) < at(b) ? -1 : at(a) > at(b) ? 1 : a.id! - b.id!)) }
}

export const earnedOf = (lines: readonly RecordData[], person: number): Earned[] =>
  lines.filter((line) => line.person === person) as unknown as Earned[]

/** Person → the deductions that count in a month: its own, else the last of the year before it. */
export async function readDeductions(
  context: Context,
  db: Db,
  payroll: RecordData,
  people: readonly number[],
): Promise<Map<number, RecordData>> {
  const month = String(payroll.taxMonth)
  const rows = await readAll(
    context,
    db,
    'specialDeduction',
    [
      isAnyOf('person', people),
      ofAgent(payroll),
      sql<boolean>`${column('taxMonth')} between ${januaryOf(month)} and ${month}`,
    ],
    ['person', 'taxMonth', 'cumTotal', 'cumPersonalPension'],
  )
  return new Map(
    rows.sort((a, b) => (String(a.taxMonth) < String(b.taxMonth) ? -1 : 1)).map((row) => [row.person as number, row]),
  )
}

/** Person → the card that wages of the month go to. */
export async function readCards(
  context: Context,
  db: Db,
  people: readonly number[],
  month: string,
): Promise<Map<number, number>> {
  const cards = await readAll(
    context,
    db,
    'personBankCard',
    [
      isAnyOf('person', people),
      sql<boolean>`(${column('isDefault')} and ${column('status')} = 'enabled' and ${column('effectiveFrom')} <= ${month})`,
    ],
    ['person'],
  )
  return new Map(cards.map(({ id, person }) => [person as number, id!]))
}

/** City → the minimum wage on the last day of the month. */
export async function readMinimumWages(context: Context, db: Db, month: string): Promise<Map<string, Amount>> {
  const rows = (await readAll(context, db, 'minimumWage', [])).filter(
    ({ effectiveFrom }) => String(effectiveFrom ?? '') <= lastDay(month),
  )
  return new Map(
    rows
      .sort((a, b) => (String(a.effectiveFrom ?? '') < String(b.effectiveFrom ?? '') ? -1 : 1))
      .map(({ city, amount }) => [String(city), amount as Amount]),
  )
}
