import { procedure, Refusal } from '../../../engine/server/procedure.ts'
import { decimal, money } from '../money/amounts.ts'
import { appendJournal } from './journal.ts'

/** The full remainder, today, from the account that received it. */
export const prepareRefund = procedure<'receipt'>(async (work, { records: [receipt] }) => ({
  values: {
    amount: receipt.unmatchedAmount,
    receivedDate: work.today,
    companyAccount: receipt.companyAccount,
    voucher: null,
    remark: null,
  },
}))

/** Returns money to the payer, as a separate receipt in the other direction. @throws Refusal invalid. */
export const refundReceipt = procedure<'receipt'>(async (work, { records: [receipt, ...others], values }) => {
  if (others.length > 0) throw new Refusal('request', { parameters: { detail: 'id' } })
  const { amount: wanted = null, receivedDate = null, companyAccount = null, voucher = null, remark = null } = values
  const { record, problems } = await work.draft(
    'receipt',
    { amount: wanted, receivedDate, companyAccount, voucher, remark },
    ['amount', 'receivedDate', 'companyAccount', 'voucher', 'remark'],
  )
  const left = decimal(receipt.unmatchedAmount)
  const amount = decimal(record.amount)
  if (problems.length === 0 && amount.gt(left)) {
    problems.push({
      field: 'amount',
      code: 'max',
      message: { cn: `退款金额不能超过未核销金额${money(left)}`, en: `At most ${money(left)} can be refunded` },
    })
  }
  if (problems.length === 0 && String(record.receivedDate) < receipt.receivedDate) {
    problems.push({
      field: 'receivedDate',
      code: 'min',
      message: { cn: '退款日期不能早于到账日期', en: 'The refund cannot be before the receipt' },
    })
  }
  if (problems.length > 0) work.refuse('receipt', problems)

  const { customer, method, payerName, payerAccount, payerBank, claimedBy, claimedAt } = receipt
  const [refund] = await work.insert(
    'receipt',
    [
      {
        ...record,
        direction: 'out',
        refundOf: receipt.id,
        customer,
        method,
        payerName,
        payerAccount,
        payerBank,
        claimedBy,
        claimedAt,
      },
    ],
    { action: 'refund' },
  )
  await work.note('receipt', [receipt], 'refund')
  const rest = left.minus(amount)
  await appendJournal(work, [
    {
      subject: 'receipt',
      action: 'refund',
      documentNo: receipt.receiptNo,
      receipt: receipt.id,
      customer,
      relatedNo: refund.receiptNo,
      amountBefore: money(left),
      amountAfter: money(rest),
      statusBefore: receipt.status,
      statusAfter: !rest.isZero() ? receipt.status : decimal(receipt.matchedAmount).isZero() ? 'refunded' : 'matched',
      detail: remark,
    },
  ])
  return { refund: refund.id }
})
