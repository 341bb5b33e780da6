import { procedure, type ProcedureWork } from '../../../engine/server/procedure.ts'
import { decimal, money, total } from '../money/amounts.ts'

/** The movement that was told last of each receipt says what it left in the customer's account. */
export const tellBalances = procedure<'receipt'>((work, { records }) =>
  keepBalances(
    work,
    records.map(({ customer }) => customer),
  ),
)

/** Money that never came leaves the account. */
export const voidReceipt = procedure<'receipt'>(async (work, { records, values: { voidReason = null } }) => {
  await work.act(
    'receipt',
    'void',
    records.map((record) => ({ record, values: { voidReason } })),
  )
  await keepBalances(
    work,
    records.map(({ customer }) => customer),
  )
})

/** Every movement of these customers' accounts that does not say yet what it left, says it now. */
export async function keepBalances(work: ProcedureWork, ids: readonly (number | null)[]): Promise<void> {
  // Locked, so that of two movements at once the later counts the earlier.
  const customers = await work.byId('customer', [...new Set(ids.filter((id) => id !== null))], {
    lock: true,
    fields: ['openingBalance'],
  })
  for (const [id, { openingBalance }] of customers) {
    const where = { customer: id, subject: 'receipt' } as const
    const [last] = await work.read('settlementJournal', {
      where: { ...where, balanceAfter: { empty: false } },
      fields: ['balanceAfter'],
      order: '-id',
      limit: 1,
    })
    const untold = await work.read('settlementJournal', {
      where: { ...where, balanceAfter: { empty: true } },
      order: 'id',
      lock: true,
    })
    let balance = last ? decimal(last.balanceAfter) : decimal(openingBalance)
    const changes = untold.flatMap((record) => {
      const change = decimal(record.balanceChange)
      balance = total([balance, change])
      return change.isZero() ? [] : [{ record, values: { balanceAfter: money(balance) } }]
    })
    await work.changeAll('settlementJournal', changes)
  }
}
