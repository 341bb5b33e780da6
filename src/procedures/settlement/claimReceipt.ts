import { procedure, type ProcedureWork, type Stored } from '../../../engine/server/procedure.ts'

/**
 * Whose money it may be, of those that the user may choose: the customer that the payer's name is known of, else the
 * only one that owes just this amount.
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

/** Says whose money it is, and remembers under which name this customer pays. @throws Refusal invalid. */
export const claimReceipt = procedure<'receipt'>(async (work, { records, values: { customer = null } }) => {
  if (!(await work.isOffered('receipt', 'customer', customer)))
    work.refuse('receipt', [
      {
        field: 'customer',
        code: 'reference',
        message: { cn: '客户不存在或未通过审核', en: 'The customer does not exist or is not approved' },
      },
    ])
  for (const record of records) {
    await rememberPayer(work, customer!, record)
    await work.act('receipt', 'claim', record, { customer, claimedBy: work.user, claimedAt: work.now })
  }
})

/** A name that is known already, of this customer or of another, is left as it is. */
async function rememberPayer(
  work: ProcedureWork,
  id: number,
  { payerName, payerCustomer }: Stored<'receipt'>,
): Promise<void> {
  if (payerCustomer !== null) return
  const customer = await work.lock('customer', id)
  await work.change('customer', customer, { payerNames: [...(customer.payerNames ?? []), payerName] })
}

/** The claim was wrong, and so is what it taught: the payer's name claims for this customer no more. */
export const unclaimReceipt = procedure<'receipt'>(async (work, { records }) => {
  for (const record of records) {
    const { payerName } = record
    const customer = await work.lock('customer', record.customer!)
    await work.act('receipt', 'unclaim', record, { customer: null, claimedBy: null, claimedAt: null })
    const names = customer.payerNames ?? []
    if (names.includes(payerName))
      await work.change('customer', customer, { payerNames: names.filter((name) => name !== payerName) })
  }
})
