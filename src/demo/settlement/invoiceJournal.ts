import { addDays } from '../../../engine/expression/index.ts'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { money, zero } from '../../procedures/money/amounts.ts'

export const entryOf =
  (operator: Value, at: string, action: string) =>
  ({ id, applyNo, customer }: RecordData): RecordData => ({
    subject: 'invoice',
    invoice: id,
    documentNo: applyNo,
    customer,
    action,
    operator,
    occurredAt: at,
    createdBy: operator,
    createdAt: at,
    updatedBy: operator,
    updatedAt: at,
  })

/** The journal of an invoice up to its state. */
export function journalOf(record: RecordData, clerk: number): RecordData[] {
  const { amount, status, applicant, appliedAt, issueDate, deliveredAt, invoiceNo } = record
  const apply: RecordData = {
    ...entryOf(applicant!, String(appliedAt), 'apply')(record),
    amountBefore: money(zero),
    amountAfter: amount,
    statusAfter: 'applied',
  }
  if (status === 'voided')
    return [
      apply,
      {
        ...entryOf(clerk, `${addDays(String(appliedAt).slice(0, 10), 1)!} 10:05:00`, 'void')(record),
        amountBefore: amount,
        amountAfter: money(zero),
        statusBefore: 'applied',
        statusAfter: 'voided',
      },
    ]
  if (status !== 'issued') return [apply]
  const stays = { amountBefore: amount, amountAfter: amount, relatedNo: invoiceNo, statusAfter: 'issued' }
  const day = String(issueDate)
  const issued: RecordData = {
    ...entryOf(clerk, day === String(appliedAt).slice(0, 10) ? String(appliedAt) : `${day} 09:40:00`, 'issue')(record),
    ...stays,
    statusBefore: 'applied',
  }
  return [
    apply,
    issued,
    ...(deliveredAt
      ? [{ ...entryOf(clerk, String(deliveredAt), 'deliver')(record), ...stays, statusBefore: 'issued' }]
      : []),
  ]
}
