import { procedure, type ProcedureWork } from '../../../engine/server/procedure.ts'
import { allocate, byDueDate } from './allocation.ts'
import { decimal, money, total, zero } from '../money/amounts.ts'

/** The number of open statements to choose from. */
const mostStatements = 200

/** The outstanding statements of these customers that the user may see. */
const openStatements = (work: ProcedureWork, customers: readonly (number | null)[]) =>
  work.read('statement', {
    where: {
      customer: customers,
      status: ['confirmed', 'invoiced'],
      outstandingAmount: { between: ['0.01', null] },
    },
    fields: ['customer', 'dueDate', 'outstandingAmount'],
    order: 'dueDate',
    limit: mostStatements,
    seen: true,
  })

/** How the customer's remaining money would pay this statement, oldest receipt first; every receipt is offered. */
export const proposeReceipts = procedure<'statement'>(async (work, { records: [statement] }) => {
  const found = await work.read('receipt', {
    where: { customer: statement.customer, direction: 'in', unmatchedAmount: { between: ['0.01', null] } },
    fields: ['receivedDate', 'unmatchedAmount'],
    order: 'receivedDate',
    limit: mostStatements,
    seen: true,
  })
  const debt = { id: statement.id, outstanding: decimal(statement.outstandingAmount), dueDate: null }
  const allocations = allocate(
    found.map(({ id, unmatchedAmount }) => ({ id, rest: decimal(unmatchedAmount) })),
    [debt],
    decimal(work.settings.parameter.matchTolerance),
  )
  const matches = found.map(({ id }) => {
    const paid = allocations.find(({ fund }) => fund === id)
    return {
      receipt: id,
      statement: statement.id,
      amount: paid ? money(paid.amount) : null,
      writeOffAmount: money(paid?.writeOff ?? zero),
    }
  })
  return { values: { matches, outstandingAmount: statement.outstandingAmount } }
})

/**
 * How the money of these receipts would be allocated to the open statements of their customers, oldest due date first.
 * For one receipt all open statements are offered; for several, only those that would be matched.
 */
export const proposeMatches = procedure<'receipt'>(async (work, { records }) => {
  const tolerance = decimal(work.settings.parameter.matchTolerance)
  const customers = [...new Set(records.map(({ customer }) => customer))]
  const statements = await openStatements(work, customers)
  const matches = customers.flatMap((customer) => {
    const funds = records
      .filter((record) => record.customer === customer)
      .map(({ id, unmatchedAmount }) => ({ id, rest: decimal(unmatchedAmount) }))
    const debts = statements
      .filter((statement) => statement.customer === customer)
      .map(({ id, outstandingAmount, dueDate }) => ({ id, outstanding: decimal(outstandingAmount), dueDate }))
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
  const unmatchedAmount = money(total(records.map((record) => decimal(record.unmatchedAmount))))
  return { values: { matches, unmatchedAmount } }
})
