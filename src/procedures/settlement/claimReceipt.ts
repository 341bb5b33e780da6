import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { fillBalances } from './balances.ts'
import { groupedBy } from '../welfare/groupedBy.ts'

/**
 * The probable customer of a receipt, among those that the user may choose: the one known by the payer's name, else the
 * only one that owes exactly this amount.
 */
export const suggestCustomer = procedure<'receipt'>(async (work, { records: [receipt] }) => {
  if (receipt.payerCustomer !== null) {
    const isChoice = await work.isOffered('receipt', 'customer', receipt.payerCustomer)
    return { values: { customer: isChoice ? receipt.payerCustomer : null } }
  }
  const owing = await work.read('statement', {
    where: {
      status: ['confirmed', 'invoiced'],
      outstandingAmount: { between: [receipt.amount, receipt.amount] },
    },
    fields: ['customer'],
    limit: 50,
    seen: true,
  })
  const customers = new Set(owing.map(({ customer }) => customer))
  return { values: { customer: customers.size === 1 ? [...customers][0] : null } }
})

/** Assigns a receipt to a customer, and stores the payer's name for this customer. @throws Refusal invalid. */
export const claimReceipt = procedure<'receipt'>(async (work, { records, values: { customer = null } }) => {
  if (!(await work.isOffered('receipt', 'customer', customer)))
    work.refuse('receipt', [
      {
        field: 'customer',
        code: 'reference',
        message: { cn: '客户不存在或未通过审核', en: 'The customer does not exist or is not approved' },
      },
    ])
  await rememberPayers(work, customer!, records)
  const values: Values<'receipt'> = { customer, claimedBy: work.user, claimedAt: work.now }
  await work.act(
    'receipt',
    'claim',
    records.map((record) => ({ record, values: { ...values, taughtPayer: record.payerCustomer === null } })),
  )
  await fillBalances(work, [customer])
})

/** A name that is already known, for this customer or another, is left as it is. */
async function rememberPayers(work: ProcedureWork, id: number, receipts: readonly Stored<'receipt'>[]): Promise<void> {
  const unknown = receipts.filter(({ payerCustomer }) => payerCustomer === null).map(({ payerName }) => payerName)
  if (unknown.length === 0) return
  const customer = await work.lock('customer', id)
  const payerNames = [...new Set([...(customer.payerNames ?? []), ...unknown])]
  await work.change('customer', customer, { payerNames })
}

/**
 * Undoes a wrong assignment together with what it taught: the payer's name no longer identifies this customer. Names
 * that were known before stay.
 */
export const unclaimReceipt = procedure<'receipt'>(async (work, { records }) => {
  const ofCustomers = groupedBy(records, ({ customer }) => customer)
  const names = new Map(
    [...ofCustomers].map(([id, own]) => [
      id,
      new Set(own.flatMap(({ taughtPayer, payerName }) => (taughtPayer ? payerName : []))),
    ]),
  )
  const customers = await work.byId('customer', [...names.keys()], { lock: true })
  const values: Values<'receipt'> = { customer: null, claimedBy: null, claimedAt: null, taughtPayer: false }
  await work.act(
    'receipt',
    'unclaim',
    records.map((record) => ({ record, values })),
  )
  await fillBalances(work, [...names.keys()])
  await work.changeAll(
    'customer',
    [...customers.values()]
      .filter(({ id }) => names.get(id)!.size > 0)
      .map((record) => ({
        record,
        values: { payerNames: (record.payerNames ?? []).filter((name) => !names.get(record.id)!.has(name)) },
      })),
  )
})
