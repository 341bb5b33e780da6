import { accept } from '../../../engine/server/accept.ts'
import { recompute } from '../../../engine/server/effects.ts'
import { Refusal, invalid } from '../../../engine/server/errors.ts'
import { writeHistory } from '../../../engine/server/history.ts'
import type { Procedure } from '../../../engine/server/runtime.ts'
import { problemsOf } from '../../../engine/server/save.ts'
import { insertRecords } from '../../../engine/server/write.ts'
import { type Amount, decimal, money } from './amounts.ts'
import { appendJournal } from './journal.ts'
import { entityOf } from './stored.ts'

const asked = ['amount', 'receivedDate', 'companyAccount', 'voucher', 'remark'] as const

/** All that is left, today, from the account that it came to. */
export const prepareRefund: Procedure = async ({ context, records: [receipt] }) => ({
  values: {
    amount: receipt.unmatchedAmount,
    receivedDate: context.now.slice(0, 10),
    companyAccount: receipt.companyAccount,
    voucher: null,
    remark: null,
  },
})

/** Money goes back to the payer: a receipt of its own, in the other direction. @throws Refusal invalid. */
export const refundReceipt: Procedure = async ({ context, db, records: [receipt, ...others], values }) => {
  if (others.length > 0) throw new Refusal('request', { parameters: { detail: 'id' } })
  const entity = entityOf(context, 'receipt')
  const given = Object.fromEntries(asked.map((name) => [name, values[name] ?? null]))
  const { record, problems } = accept(context, entity, given, null)
  const found = [...problems, ...(await problemsOf(context, db, entity, record, null, problems, asked))]
  const left = decimal(receipt.unmatchedAmount as Amount)
  const amount = decimal(record.amount as Amount)
  if (found.length === 0 && amount.gt(left)) {
    found.push({
      field: 'amount',
      code: 'max',
      message: { cn: `退款金额不能超过未核销金额${money(left)}`, en: `No more than ${money(left)} can be refunded` },
    })
  }
  if (found.length === 0 && String(record.receivedDate) < String(receipt.receivedDate)) {
    found.push({
      field: 'receivedDate',
      code: 'min',
      message: { cn: '退款日期不能早于到账日期', en: 'It cannot be refunded before it was received' },
    })
  }
  if (found.length > 0) throw invalid(found)

  const { customer, method, payerName, payerAccount, payerBank } = receipt
  Object.assign(record, {
    direction: 'out',
    refundOf: receipt.id,
    customer,
    method,
    payerName,
    payerAccount,
    payerBank,
    claimedBy: receipt.claimedBy,
    claimedAt: receipt.claimedAt,
  })
  recompute(context, entity, record)
  await insertRecords(context, db, entity, [record])
  await writeHistory(context, db, entity, 'refund', record, null)
  await writeHistory(context, db, entity, 'refund', receipt, receipt)
  const rest = left.minus(amount)
  const statusAfter = !rest.isZero()
    ? String(receipt.status)
    : decimal(receipt.matchedAmount as Amount).isZero()
      ? 'refunded'
      : 'matched'
  await appendJournal(context, db, [
    {
      subject: 'receipt',
      action: 'refund',
      documentNo: String(receipt.receiptNo),
      receipt: receipt.id,
      customer: customer as number,
      relatedNo: String(record.receiptNo),
      amountBefore: money(left),
      amountAfter: money(rest),
      statusBefore: String(receipt.status),
      statusAfter,
      detail: String(values.remark),
    },
  ])
  return { refund: record.id }
}
