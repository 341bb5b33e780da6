import { addMonths, Decimal } from '../../../engine/expression/index.ts'
import { ProcedureWork, type Stored } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { feeColumns } from '../../procedures/settlement/computeStatement.ts'
import { contractFields } from '../../procedures/settlement/billableCosts.ts'
import { plannedColumns, type PlannedAmounts } from '../../procedures/settlement/computeBudget.ts'
import {
  readEmployed,
  readLast,
  computeBudgetLines,
  type PlannedLine,
} from '../../procedures/settlement/budgetInputs.ts'
import { journalOf, makeBudgets, writeDrafts } from '../../procedures/settlement/generateBudgets.ts'
import { appendJournal } from '../../procedures/settlement/journal.ts'
import { taxTermsOf } from '../../procedures/settlement/recomputeStatements.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260320
const each = 30

/**
 * Budgets of these bill months, created before their statements came out slightly above or below plan, and of the
 * coming month. Two of a past month are far off; some of the current month are still drafts.
 */
export async function writeBudgets(
  context: Context,
  db: Db,
  resolve: Resolve,
  months: readonly string[],
): Promise<void> {
  const random = new Random(seed)
  const clerk = { ...context.user, id: Number(resolve('user', 'settlementClerk')) }
  const at = (moment: string) =>
    new ProcedureWork({ ...context, user: clerk, now: moment < context.now ? moment : context.now }, db)
  const work = new ProcedureWork(context, db)
  const standing = await work.read('statement', {
    where: { stage: { not: 'voided' }, adjustAmount: '0.00' },
    fields: ['contract', 'customer', 'billMonth', 'totalAmount'],
  })
  const statements = standing
    .filter(({ totalAmount }) => Number(totalAmount) > 0)
    .sort((a, b) => a.contract - b.contract)
  const customers = [...new Set(statements.map(({ customer }) => customer))]
  const contracts = await work.byId(
    'contract',
    statements.map(({ contract }) => contract),
    { fields: contractFields },
  )
  const people = new Map((await readEmployed(work, customers, months[0])).map((staff) => [staff.person, staff]))

  for (const month of months) {
    const billed = statements.filter(({ billMonth }) => billMonth === month).slice(0, each)
    const billedLines = await work.read('statementLine', {
      where: { statement: billed.map(({ id }) => id) },
      fields: ['statement', 'lineType', 'person', 'workCity', ...feeColumns],
    })
    const last = await readLast(work, customers, month)
    const before = addMonths(month, -1)!
    const budgets = await writeDrafts(
      at(`${before}-20 10:00:00`),
      billed.map(({ id, contract: contractId, customer }, index) => {
        const contract = contracts.get(contractId)!
        const isFarOff = month === months.at(-2) && index < 2
        const factor = isFarOff ? [1.3, 0.74][index] : random.integer(93, 111) / 100
        const lines = billedLines
          .filter(({ statement }) => statement === id)
          .map((line): PlannedLine => ({
            lineType: line.lineType === 'person' ? 'person' : 'company',
            person: line.person,
            label: null,
            workCity: line.workCity,
            amounts: scaled(line, factor),
          }))
        const { worked, records } = computeBudgetLines({ contract, terms: contract, month, lines, people, last })
        const reserveRate = random.pick(['0', '0', '5', '10'])
        return {
          values: {
            customer,
            contract: contract.id,
            month,
            basis: random.pick(['roster', 'roster', 'lastStatement'] as const),
            reserveRate,
            ...taxTermsOf(contract),
            headcount: worked.headcount,
            ...worked.amounts,
            stage: 'drafted',
          },
          lines: records,
        }
      }),
    )
    await confirm(at(`${before}-23 15:20:00`), month === months.at(-1) ? budgets.slice(0, 24) : budgets)
  }
  const now = at(`${months.at(-1)!}-28 10:30:00`)
  const { budgets } = await makeBudgets(now, {
    month: addMonths(months.at(-1)!, 1)!,
    basis: 'roster',
    customers: customers.slice(0, each),
  })
  await confirm(
    now,
    budgets.filter((_, index) => index % 3 === 0),
  )
}

const scaled = (line: Pick<Stored<'statementLine'>, keyof PlannedAmounts>, factor: number): PlannedAmounts =>
  Object.fromEntries(
    plannedColumns.map((column) => [
      column,
      column === 'adjustAmount' ? '0.00' : new Decimal(String(line[column])).dividedBy(factor).toFixed(2),
    ]),
  ) as PlannedAmounts

async function confirm(work: ProcedureWork, budgets: readonly Stored<'budget'>[]): Promise<void> {
  await work.changeAll(
    'budget',
    budgets.map((record) => ({
      record,
      values: { stage: 'confirmed', confirmedBy: work.user, confirmedAt: work.now } as const,
    })),
    { action: 'confirm' },
  )
  await appendJournal(
    work,
    budgets.map((record) => ({
      ...journalOf(record),
      action: 'confirm',
      amountBefore: record.totalAmount,
      statusBefore: 'drafted',
      statusAfter: 'confirmed',
    })),
  )
}
