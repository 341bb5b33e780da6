import { procedure, Refusal } from '../../../engine/server/procedure.ts'
import { decimal, money } from '../money/amounts.ts'

/** An account of the agency that receives money. */
export const prepareCredit = procedure<'statement'>(async (work, { records: [{ agency }] }) => {
  const accounts = await work.read('companyAccount', {
    where: { agency },
    fields: ['purpose'],
    order: 'id',
  })
  const account = accounts.find(({ purpose }) => purpose?.includes('receipt'))
  return { values: { creditAccount: account?.id ?? null } }
})

/**
 * Adds what a negative statement left, and no other has taken up, to the customer's balance: as an internal offset, which
 * is matched and refunded like any receipt, and frees the amount again when it is voided.
 */
export const creditBalance = procedure<'statement'>(async (work, { records, values: { creditAccount = null } }) => {
  if (records.length > 1) throw new Refusal('request', { parameters: { detail: 'id' } })
  const [{ id, statementNo, customer, openCredit }] = records
  const customers = await work.byId('customer', [customer], { fields: ['corporateName'] })
  const [receipt] = await work.insert('receipt', [
    {
      direction: 'in',
      customer,
      receivedDate: work.today,
      amount: money(decimal(openCredit).negated()),
      method: 'offset',
      companyAccount: creditAccount,
      payerName: customers.get(customer)!.corporateName,
      bankSerialNo: statementNo,
      creditOf: id,
    },
  ])
  return { receipt: receipt.id }
})
