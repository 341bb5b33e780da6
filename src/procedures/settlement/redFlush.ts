import type { Label } from '../../../engine/model/model.ts'
import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { decimal, money, zero } from '../money/amounts.ts'
import { appendJournal } from './journal.ts'
import { fresh } from './writeApplication.ts'

/** The dialog prompts for the red invoice, so nothing is prefilled from the blue one. */
export const prepareRedFlush = procedure<'invoice'>((work) =>
  Promise.resolve({
    values: {
      reason: null,
      reasonRemark: null,
      invoiceCode: null,
      invoiceNo: null,
      issueDate: work.today,
      files: null,
    } satisfies Values<'invoice'>,
  }),
)

const tooEarly: Label = {
  cn: '红字发票的开票日期不能早于蓝字发票',
  en: 'A red invoice cannot be issued before the original invoice',
}

/**
 * A red invoice for the full amount of a blue one releases everything that it has taken of its statements.
 * @throws Refusal invalid.
 */
export const redFlush = procedure<'invoice'>(async (work, { records, values }) => {
  for (const blue of records) {
    const wanted = redInvoice(work, blue, values)
    const found = work.problemsOf('invoice', wanted)
    if (String(wanted.issueDate) < String(blue.issueDate))
      found.push({ field: 'issueDate', code: 'rule', message: tooEarly })
    if (found.length > 0) work.refuse('invoice', found)
    const [red] = await work.insert('invoice', [wanted], { action: 'redFlush' })
    await work.change(
      'invoice',
      blue,
      { status: 'redFlushed', reason: red.reason, reasonRemark: red.reasonRemark },
      { action: 'redFlush' },
    )
    const common = { subject: 'invoice', customer: blue.customer, action: 'redFlush' } as const
    await appendJournal(work, [
      {
        ...common,
        invoice: blue.id,
        documentNo: blue.applyNo,
        amountBefore: blue.amount,
        amountAfter: money(zero),
        statusBefore: 'issued',
        statusAfter: 'redFlushed',
        relatedNo: red.applyNo,
      },
      {
        ...common,
        invoice: red.id,
        documentNo: red.applyNo,
        amountBefore: money(zero),
        amountAfter: red.amount,
        statusAfter: 'issued',
        relatedNo: blue.applyNo,
      },
    ])
  }
})

/** Everything as on the blue invoice, with negative amounts. It is applied for and issued at once. */
export function redInvoice(
  work: Pick<ProcedureWork, 'user' | 'now' | 'today'>,
  { id: blue, revision: _revision, ...record }: Stored<'invoice'>,
  values: Values<'invoice'>,
): Values<'invoice'> {
  const day = String(values.issueDate)
  return {
    ...record,
    applyNo: null,
    kind: 'red',
    redOf: blue,
    status: 'issued',
    deductionAmount: against(record.deductionAmount),
    allocations: record.allocations.map((row) => ({
      ...fresh(row),
      amount: against(row.amount),
      uninvoicedBefore: null,
    })),
    items: record.items.map((row) => ({
      ...fresh(row),
      amount: against(row.amount),
      taxAmount: against(row.taxAmount),
      netAmount: against(row.netAmount),
    })),
    applicant: work.user,
    issuer: work.user,
    appliedAt: day < work.today ? `${day} 00:00:00` : work.now,
    deliveredAt: null,
    expressCompany: null,
    expressNo: null,
    invoiceCode: values.invoiceCode ?? null,
    invoiceNo: values.invoiceNo,
    issueDate: values.issueDate,
    files: values.files ?? null,
    reason: values.reason,
    reasonRemark: values.reasonRemark ?? null,
  }
}

const against = (amount: string | null): string | null => (amount === null ? null : money(decimal(amount).negated()))
