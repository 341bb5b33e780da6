import { procedure, type ProcedureWork } from '../../../engine/server/procedure.ts'
import { decimal, money, total, zero } from '../money/amounts.ts'

/** Records the balances of the customers' accounts after the latest movements of these receipts. */
export const recordBalances = procedure<'receipt'>((work, { records }) =>
  fillBalances(
    work,
    records.map(({ customer }) => customer),
  ),
)

/** Takes the money of a void receipt off the customer's account. */
export const voidReceipt = procedure<'receipt'>(async (work, { records, values: { voidReason = null } }) => {
  await work.act(
    'receipt',
    'void',
    records.map((record) => ({ record, values: { voidReason } })),
  )
  await fillBalances(
    work,
    records.map(({ customer }) => customer),
  )
})

/** Fills in the balance after each movement of these customers' accounts that has none yet. */
export async function fillBalances(work: ProcedureWork, ids: readonly (number | null)[]): Promise<void> {
  // Locked, so that of two simultaneous movements the later one counts the earlier.
  const customers = await work.byId('customer', [...new Set(ids.filter((id) => id !== null))], {
    lock: true,
    fields: ['openingBalance'],
  })
  const where = { customer: [...customers.keys()], subject: 'receipt', balanceChange: { not: '0.00' } } as const
  // Summed up, because the entry with the highest number need not be the one counted last.
  const counted = await work.groups('settlementJournal', {
    where: { ...where, balanceAfter: { empty: false } },
    by: ['customer'],
    sum: ['balanceChange'],
  })
  const open = await work.read('settlementJournal', {
    where: { ...where, balanceAfter: { empty: true } },
    order: 'id',
    lock: true,
  })
  const sums = new Map(counted.map(({ by, sum }) => [by.customer as number, decimal(sum.balanceChange)]))
  const balances = new Map(
    [...customers].map(([id, { openingBalance }]) => [id, total([decimal(openingBalance), sums.get(id) ?? zero])]),
  )
  await work.changeAll(
    'settlementJournal',
    open.map((record) => {
      const customer = record.customer!
      const balance = total([balances.get(customer)!, decimal(record.balanceChange)])
      balances.set(customer, balance)
      return { record, values: { balanceAfter: money(balance) } }
    }),
  )
}
