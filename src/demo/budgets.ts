import { addMonths, Decimal } from '../../engine/expression/index.ts'
import { writeHistories } from '../../engine/server/history.ts'
import type { Context, Db } from '../../engine/server/runtime.ts'
import { updateRecords } from '../../engine/server/write.ts'
import type { RecordData } from '../../engine/schema/model.ts'
import { feeColumns } from '../procedures/settlement/bill.ts'
import { contractFields } from '../procedures/settlement/billing.ts'
import { plannedColumns, type PlannedAmounts } from '../procedures/settlement/budget.ts'
import { readEmployed, readLast, taxTermsOf, workOut, type PlannedLine } from '../procedures/settlement/budgeting.ts'
import { journalOf, makeBudgets, writeDrafts } from '../procedures/settlement/budgets.ts'
import { appendJournal } from '../procedures/settlement/journal.ts'
import { entityOf, isAnyOf, readAll } from '../procedures/settlement/stored.ts'
import type { Resolve } from './fill.ts'
import { Random } from './random.ts'

const seed = 20260320
const each = 30

/**
 * Budgets of these bill months, made before their statements came out a little more or less than was planned, and of
 * the month to come. Two of a month that is past are far off; some of the month that is being worked on are still
 * drafts.
 */
export async function writeBudgets(
  context: Context,
  db: Db,
  resolve: Resolve,
  months: readonly string[],
): Promise<void> {
  const random = new Random(seed)
  const clerk = { ...context.user, id: Number(resolve('user', 'settlementClerk')) }
  const at = (moment: string): Context => ({
    ...context,
    user: clerk,
    now: moment < context.now ? moment : context.now,
  })
  const statements = (
    await readAll(
      context,
      db,
      'statement',
      [],
      ['contract', 'customer', 'billMonth', 'stage', 'adjustAmount', 'totalAmount'],
    )
  )
    .filter(
      ({ stage, adjustAmount, totalAmount }) =>
        stage !== 'voided' && adjustAmount === '0.00' && Number(totalAmount) > 0,
    )
    .sort((a, b) => Number(a.contract) - Number(b.contract))
  const customers = [...new Set(statements.map(({ customer }) => customer as number))]
  const contracts = new Map(
    (
      await readAll(
        context,
        db,
        'contract',
        [
          isAnyOf(
            'id',
            statements.map(({ contract }) => contract as number),
          ),
        ],
        contractFields,
      )
    ).map((one) => [one.id, one]),
  )
  const employed = new Map((await readEmployed(context, db, customers)).map((one) => [one.person, one]))

  for (const month of months) {
    const billed = statements.filter(({ billMonth }) => billMonth === month).slice(0, each)
    const lines = await readAll(
      context,
      db,
      'statementLine',
      [
        isAnyOf(
          'statement',
          billed.map(({ id }) => id!),
        ),
      ],
      ['statement', 'lineType', 'person', 'workCity', ...feeColumns],
    )
    const last = await readLast(context, db, customers, month)
    const before = addMonths(month, -1)!
    const budgets = await writeDrafts(
      at(`${before}-20 10:00:00`),
      db,
      billed.map(({ id, contract: contractId, customer }, index) => {
        const contract = contracts.get(contractId as number)!
        const isFarOff = month === months.at(-2) && index < 2
        const factor = isFarOff ? [1.3, 0.74][index] : random.integer(93, 111) / 100
        const terms = taxTermsOf(contract)
        const planned = lines
          .filter(({ statement }) => statement === id)
          .map((line): PlannedLine => ({
            lineType: line.lineType as PlannedLine['lineType'],
            person: line.person as number | null,
            label: null,
            workCity: line.workCity as string | null,
            amounts: scaled(line, factor),
          }))
        const { worked, records } = workOut(contract, terms, month, planned, employed, last)
        const reserveRate = random.pick(['0', '0', '5', '10'])
        return {
          values: {
            customer,
            contract: contract.id,
            month,
            basis: random.pick(['roster', 'roster', 'lastStatement']),
            reserveRate,
            ...terms,
            headcount: worked.headcount,
            ...worked.amounts,
            stage: 'drafted',
          },
          lines: records,
        }
      }),
    )
    await confirm(at(`${before}-23 15:20:00`), db, month === months.at(-1) ? budgets.slice(0, 24) : budgets)
  }
  const now = at(`${months.at(-1)!}-28 10:30:00`)
  const { budgets } = await makeBudgets(now, db, {
    month: addMonths(months.at(-1)!, 1)!,
    basis: 'roster',
    customers: customers.slice(0, each),
  })
  await confirm(
    now,
    db,
    budgets.filter((_, index) => index % 3 === 0),
  )
}

const scaled = (line: RecordData, factor: number): PlannedAmounts =>
  Object.fromEntries(
    plannedColumns.map((column) => [
      column,
      column === 'adjustAmount' ? '0.00' : new Decimal(String(line[column])).dividedBy(factor).toFixed(2),
    ]),
  ) as PlannedAmounts

async function confirm(context: Context, db: Db, budgets: readonly RecordData[]): Promise<void> {
  const entity = entityOf(context, 'budget')
  const written = budgets.map((old) => ({
    old,
    record: { ...old, stage: 'confirmed', confirmedBy: context.user.id, confirmedAt: context.now } as RecordData,
  }))
  await updateRecords(context, db, entity, written)
  await writeHistories(
    context,
    db,
    entity,
    written.map(({ record, old }) => ({ action: 'confirm', record, old })),
  )
  await appendJournal(
    context,
    db,
    written.map(({ record }) => ({
      ...journalOf(record),
      action: 'confirm',
      amountBefore: String(record.totalAmount),
      statusBefore: 'drafted',
      statusAfter: 'confirmed',
    })),
  )
}
