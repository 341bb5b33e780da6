import { verdictContext } from '../../../engine/server/accept.ts'
import { recompute } from '../../../engine/server/effects.ts'
import { invalid } from '../../../engine/server/errors.ts'
import { writeHistory } from '../../../engine/server/history.ts'
import { keepLimits } from '../../../engine/server/limits.ts'
import type { Context, Procedure } from '../../../engine/server/runtime.ts'
import { insertRecords } from '../../../engine/server/write.ts'
import { checkRecord } from '../../../engine/schema/verdict.ts'
import type { Entity, Label, RecordData, Value } from '../../../engine/schema/model.ts'
import { decimal, money, zero } from './amounts.ts'
import { invoiceEntity, rowsOf } from './invoiced.ts'
import { appendJournal } from './journal.ts'
import { changeRecord, entityOf } from './stored.ts'
import { fresh } from './writeApplication.ts'

/** The dialog asks for the red invoice: nothing of the blue one stands in it. */
export const prepareRedFlush: Procedure = ({ context }) =>
  Promise.resolve({
    values: {
      reason: null,
      reasonRemark: null,
      invoiceCode: null,
      invoiceNo: null,
      issueDate: context.now.slice(0, 10),
      files: null,
    },
  })

const tooEarly: Label = {
  cn: '红字发票的开票日期不能早于蓝字发票',
  en: 'A red invoice is not issued before the blue one',
}

/**
 * A red invoice over the whole of a blue one takes back all that this one has of its statements.
 * @throws Refusal invalid.
 */
export const redFlush: Procedure = async ({ context, db, records, values }) => {
  const entity = entityOf(context, invoiceEntity)
  for (const blue of records) {
    const old = { ...blue }
    const red = redInvoice(context, blue, values)
    recompute(context, entity, red)
    const found = checkRecord(asGiven(entity), red, verdictContext(context, null))
    if (String(red.issueDate) < String(blue.issueDate))
      found.push({ field: 'issueDate', code: 'rule', message: tooEarly })
    if (found.length > 0) throw invalid(found)
    await insertRecords(context, db, entity, [red])
    await keepLimits(context, db, entity, red.id!)
    await writeHistory(context, db, entity, 'redFlush', red, null)
    await changeRecord(context, db, entity, blue, {
      status: 'redFlushed',
      reason: red.reason,
      reasonRemark: red.reasonRemark,
    })
    await writeHistory(context, db, entity, 'redFlush', blue, old)
    const common = { subject: 'invoice' as const, customer: blue.customer as number, action: 'redFlush' }
    await appendJournal(context, db, [
      {
        ...common,
        invoice: blue.id,
        documentNo: String(blue.applyNo),
        amountBefore: String(blue.amount),
        amountAfter: money(zero),
        statusBefore: 'issued',
        statusAfter: 'redFlushed',
        relatedNo: String(red.applyNo),
      },
      {
        ...common,
        invoice: red.id,
        documentNo: String(red.applyNo),
        amountBefore: money(zero),
        amountAfter: String(red.amount),
        statusAfter: 'issued',
        relatedNo: String(blue.applyNo),
      },
    ])
  }
}

/** What the system writes otherwise is given here, and judged like what is typed. */
const asGiven = (entity: Entity): Entity => ({
  ...entity,
  fields: Object.fromEntries(
    Object.entries(entity.fields).map(([name, field]) => [name, { ...field, readOnly: false }]),
  ),
})

/** Everything as on the blue one, all amounts below zero. It is applied for and issued at once. */
export function redInvoice(
  context: Context,
  { id: _id, revision: _revision, ...blue }: RecordData,
  values: RecordData,
): RecordData {
  const day = String(values.issueDate)
  return {
    ...blue,
    applyNo: null,
    kind: 'red',
    redOf: _id,
    status: 'issued',
    deductionAmount: against(blue.deductionAmount),
    allocations: rowsOf(blue.allocations).map((row) => ({
      ...fresh(row),
      amount: against(row.amount),
      uninvoicedBefore: null,
    })) as Value,
    items: rowsOf(blue.items).map((row) => ({
      ...fresh(row),
      amount: against(row.amount),
      taxAmount: against(row.taxAmount),
      netAmount: against(row.netAmount),
    })) as Value,
    applicant: context.user.id || null,
    issuer: context.user.id || null,
    appliedAt: day < context.now.slice(0, 10) ? `${day} 00:00:00` : context.now,
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

const against = (amount: Value | undefined): string | null =>
  amount === null || amount === undefined ? null : money(decimal(amount as string).negated())
