import { sql } from 'kysely'
import { declaredConditions } from '../../../engine/server/filters.ts'
import { main, readStored, visibleConditions } from '../../../engine/server/read.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import type { RecordData, Value } from '../../../engine/schema/model.ts'
import { allocate, byDueDate } from './allocation.ts'
import { type Amount, decimal, money, total } from './amounts.ts'
import { entityOf, isAnyOf } from './stored.ts'

/** So many open statements are shown to choose from. */
const mostStatements = 200

/** What the user may see of the statements of customers that still have something to pay. */
async function openStatements(context: Context, db: Db, customers: readonly (number | null)[]): Promise<RecordData[]> {
  const statement = entityOf(context, 'statement')
  return readStored(
    context,
    db,
    statement,
    [
      ...visibleConditions(context, statement),
      isAnyOf('customer', customers),
      ...declaredConditions(context, statement, main, {
        status: ['confirmed', 'invoiced'],
        outstandingAmount: { between: ['0.01', null] },
      }),
    ],
    {
      fields: ['customer', 'dueDate', 'outstandingAmount'],
      order: sql`${sql.ref(`${main}.dueDate`)} nulls last, ${sql.ref(`${main}.id`)}`,
      limit: mostStatements,
    },
  )
}

/**
 * How the customer's money that is left would pay this statement, the oldest first; every receipt is there to choose
 * from.
 */
export const proposeReceipts: Procedure = async ({ context, db, records: [statement] }) => {
  const receipt = entityOf(context, 'receipt')
  const found = await readStored(
    context,
    db,
    receipt,
    [
      ...visibleConditions(context, receipt),
      isAnyOf('customer', [statement.customer as number]),
      ...declaredConditions(context, receipt, main, { direction: 'in', unmatchedAmount: { between: ['0.01', null] } }),
    ],
    {
      fields: ['receivedDate', 'unmatchedAmount'],
      order: sql`${sql.ref(`${main}.receivedDate`)}, ${sql.ref(`${main}.id`)}`,
      limit: mostStatements,
    },
  )
  const debt = { id: statement.id!, outstanding: decimal(statement.outstandingAmount as Amount), dueDate: null }
  const allocations = allocate(
    found.map(({ id, unmatchedAmount }) => ({ id: id!, rest: decimal(unmatchedAmount as Amount) })),
    [debt],
    decimal(context.settings.parameter.matchTolerance as Amount),
  )
  const matches = found.map(({ id }) => {
    const paid = allocations.find(({ fund }) => fund === id)
    return {
      receipt: id!,
      statement: statement.id!,
      amount: paid ? money(paid.amount) : null,
      writeOffAmount: money(paid?.writeOff ?? decimal('0')),
    }
  })
  return { values: { matches: matches as Value, outstandingAmount: statement.outstandingAmount! } }
}

/**
 * How the money of these receipts would go to the open statements of their customers, the oldest due first. For one
 * receipt all open statements are there to choose from; for several, only what would be matched.
 */
export const proposeMatches: Procedure = async ({ context, db, records }) => {
  const tolerance = decimal(context.settings.parameter.matchTolerance as Amount)
  const statements = await openStatements(context, db, [...new Set(records.map(({ customer }) => customer as number))])
  const matches = [...new Set(records.map(({ customer }) => customer))].flatMap((customer) => {
    const funds = records
      .filter((record) => record.customer === customer)
      .map((record) => ({ id: record.id!, rest: decimal(record.unmatchedAmount as Amount) }))
    const debts = statements
      .filter((statement) => statement.customer === customer)
      .map((statement) => ({
        id: statement.id!,
        outstanding: decimal(statement.outstandingAmount as Amount),
        dueDate: statement.dueDate as string | null,
      }))
    const allocations = allocate(funds, debts, tolerance)
    const paid = allocations.map(({ fund, debt, before, amount, writeOff }) => ({
      receipt: fund,
      statement: debt,
      outstandingBefore: money(before),
      amount: money(amount),
      writeOffAmount: money(writeOff),
    }))
    const others =
      records.length > 1
        ? []
        : debts.filter(({ id }) => !paid.some(({ statement }) => statement === id)).toSorted(byDueDate)
    return [
      ...paid,
      ...others.map(({ id, outstanding }) => ({
        receipt: funds[0].id,
        statement: id,
        outstandingBefore: money(outstanding),
        amount: null,
        writeOffAmount: '0.00',
      })),
    ]
  })
  const unmatchedAmount = money(total(records.map((record) => decimal(record.unmatchedAmount as Amount))))
  return { values: { matches: matches as Value, unmatchedAmount } }
}
