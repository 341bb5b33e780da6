import type { Label } from '../../../engine/model/model.ts'
import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { appendStatementEntries } from './journal.ts'

type Statement = Stored<'statement'>

/** The receivers of a customer's statements: its settlement contacts with an address. */
async function readReceivers(
  work: ProcedureWork,
  statements: readonly Statement[],
): Promise<(statement: Statement) => string> {
  const contacts = await work.read('customerContact', {
    where: { customer: statements.map(({ customer }) => customer) },
    fields: ['customer', 'name', 'kind', 'email'],
  })
  return (statement) =>
    contacts
      .filter(({ customer, kind, email }) => customer === statement.customer && email && kind?.includes('settlement'))
      .map(({ name, email }) => `${name} <${email}>`)
      .join('，')
}

/** For one statement the customer's contacts; for several, each has its own. */
export const prepareDelivery = procedure<'statement'>(async (work, { records }) => {
  const receiversOf = await readReceivers(work, records)
  const [first] = records
  return {
    values: {
      ...(records.length === 1 && { sentTo: receiversOf(first) || null }),
      sentAt: work.now,
      sentBy: null,
      deliveryEvidence: null,
      deliveryRemark: null,
    },
  }
})

/**
 * Records the delivery of a statement: to whom, when, how, and with what evidence. The period until automatic confirmation
 * starts then.
 * @throws Refusal invalid, notAllowed.
 */
export const sendStatement = procedure<'statement'>(async (work, { records, values }) => {
  const { sentBy, deliveryEvidence = null, deliveryRemark = null, sentAt = work.now } = values
  if (deliveryEvidence === null && deliveryRemark === null)
    work.refuse('statement', [{ field: 'deliveryEvidence', code: 'required', message: noEvidence }])
  if (sentAt === null || sentAt > work.now || records.some(({ createdAt }) => sentAt < createdAt))
    work.refuse('statement', [{ field: 'sentAt', code: 'range', message: notThen }])
  const receiversOf = await readReceivers(work, records)
  const receivers = (statement: Statement) => (records.length === 1 && values.sentTo) || receiversOf(statement)
  return notifyCustomers(work, 'send', records, receivers, (statement, sentTo) => ({
    values: { sentAt, sentBy, sentTo, sentAmount: statement.totalAmount, deliveryEvidence, deliveryRemark },
    detail: [sentTo, deliveryRemark].filter(Boolean).join('；'),
  }))
})

export const remindStatement = procedure<'statement'>(async (work, { records }) => {
  const receiversOf = await readReceivers(work, records)
  return notifyCustomers(work, 'remind', records, receiversOf, (_, detail) => ({
    values: { remindedAt: work.now },
    detail,
  }))
})

/**
 * Notifies customers of their statements. Returns how many were notified, and which have no receiver. @throws Refusal
 * notAllowed if that is the only one.
 */
async function notifyCustomers(
  work: ProcedureWork,
  action: 'send' | 'remind',
  records: readonly Statement[],
  receiversOf: (statement: Statement) => string,
  kept: (statement: Statement, receivers: string) => { values: Values<'statement'>; detail: string },
): Promise<{ succeeded: number; failed: { id: number; message: string }[] }> {
  const known = records.filter((statement) => receiversOf(statement) !== '')
  if (known.length === 0 && records.length === 1) work.refuseCall(noReceiver)
  const notified = known.map((statement) => ({
    statement,
    old: { ...statement },
    ...kept(statement, receiversOf(statement)),
  }))
  await work.changeAll(
    'statement',
    notified.map(({ statement, values }) => ({ record: statement, values })),
    { action },
  )
  await appendStatementEntries(work, action, notified)
  const notices = work.noticesOf('statement', action)
  await work.notifyAll(
    'statement',
    known.map((record) => ({ record, notices })),
  )
  const failed = records
    .filter((statement) => !known.includes(statement))
    .map(({ id }) => ({ id, message: noReceiver[work.language] }))
  return { succeeded: notified.length, failed }
}

const noEvidence: Label = {
  cn: '请上传送达凭证，或填写送达说明',
  en: 'Upload evidence of the delivery, or fill in the delivery details',
}
const notThen: Label = {
  cn: '送达时间应在账单生成之后、现在之前',
  en: 'The delivery must be after the statement was generated and not in the future',
}
const noReceiver: Label = {
  cn: '客户没有负责结算且有邮箱的联系人',
  en: 'The customer has no contact for settlement with an email address',
}
