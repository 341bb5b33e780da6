import { addMonths } from '../../../engine/expression/index.ts'
import type { Label } from '../../../engine/model/model.ts'
import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { decimal } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { type BilledMonths, isInForce, readOwing } from './billableCosts.ts'
import { amountCarried, mayTake } from './carriedOver.ts'
import { compareBudgets } from './compareBudgets.ts'
import { dueDate, expectedConfirmation, type PaymentTerms } from './dueDate.ts'
import { makeStatements } from './makeStatements.ts'
import { partOfEachCustomer } from './partOfEachCustomer.ts'
import { followStatements } from './followCosts.ts'
import { tellOfStatements } from './journal.ts'
import { addUp, lockOpen, monthClosed, recomputeStatements } from './recomputeStatements.ts'
import { billCosts } from './writeStatements.ts'

type Statement = Stored<'statement'>

/**
 * Returns how many statements were created, and which contracts got none.
 * @throws Refusal invalid if the month is closed, or there are costs of future months.
 */
export const generateStatements = procedure<'statement'>(async (work, { values }) => {
  const months = billedMonths(work, values)
  const { statements, skipped } = await makeStatements(work, {
    months,
    customers: values.customers ?? undefined,
    barred: await disabledCustomers(work),
    begun: values.begun ?? false,
  })
  return {
    succeeded: statements.length,
    failed: skipped.map(({ id, name, reason }) => ({ id, name, message: reason[work.language] })),
  }
})

/** Each customer separately: the chosen ones, or all with a contract to bill. @throws Refusal as above. */
export const divideStatements = procedure<'statement'>(async (work, { values }) => {
  const months = billedMonths(work, values)
  return partOfEachCustomer(work, {
    chosen: values.customers,
    where: isInForce(months, values.customers?.length ? [] : await readOwing(work, months)),
  })
})

function billedMonths(work: ProcedureWork, values: Values<'statement'> & { begun?: boolean | null }): BilledMonths {
  const [billMonth, wageMonth, insuranceMonth] = [values.billMonth!, values.wageMonth!, values.insuranceMonth!]
  const { closedMonth } = work.settings.parameter
  if (closedMonth && billMonth <= closedMonth)
    work.refuse('statement', [{ field: 'billMonth', code: 'closed', message: monthClosed }])
  if (values.begun && !values.customers?.length)
    work.refuse('statement', [{ field: 'customers', code: 'required', message: whoseStatement }])
  const months = { wageMonth, insuranceMonth }
  const latest = addMonths(billMonth, 1)!
  const late = (['wageMonth', 'insuranceMonth'] as const).filter((field) => months[field] > latest)
  if (late.length > 0)
    work.refuse(
      'statement',
      late.map((field) => ({ field, code: 'late', message: tooLate })),
    )
  return { billMonth, ...months }
}

/** Their outstanding amounts stay open; nothing new is billed. */
async function disabledCustomers(work: ProcedureWork): Promise<Set<number>> {
  const disabled = await work.read('customer', {
    where: { accountStatus: 'disabled', approvalStatus: 'approved' },
    fields: ['name'],
  })
  return new Set(disabled.map(({ id }) => id))
}

const whoseStatement: Label = {
  cn: '没有费用也出账时请选择客户',
  en: 'Please choose the customers that get a statement without costs',
}
const tooLate: Label = { cn: '不能晚于账单月份的下一月', en: 'It may be at most one month after the statement month' }

/** Recomputes statements; manual adjustments stay. */
export const regenerate = procedure<'statement'>(async (work, { records }) => {
  const told = records.map((statement) => ({ statement, old: { ...statement } }))
  await recomputeStatements(work, records, { action: 'regenerate' })
  await tellOfStatements(work, 'generate', told)
})

/** After an adjustment was created, changed or deleted: recomputes the totals of its statement. */
export const adjustStatement = procedure<'statementItem'>(async (work, { records }) => {
  const adjusted = groupedBy(records, ({ statement }) => statement as number)
  const statements = await lockOpen(work, [...adjusted.keys()])
  const told = statements.map((statement) => ({
    statement,
    old: { ...statement },
    detail: adjusted
      .get(statement.id)!
      .map(({ reason }) => reason ?? '')
      .join('；'),
  }))
  await addUp(work, statements, { action: 'adjust' })
  const written = await work.byId(
    'statementItem',
    records.map((record) => record.id),
  )
  for (const record of records) Object.assign(record, written.get(record.id))
  await tellOfStatements(work, 'adjust', told)
})

/** The receivers of a customer's statements: its settlement contacts with an address. */
async function readReceivers(
  work: ProcedureWork,
  statements: readonly Statement[],
): Promise<(one: Statement) => string> {
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
 * Records the delivery of a statement: to whom, when, how, and by what proof. The period until automatic confirmation
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
  return tellCustomers(work, 'send', records, receivers, (statement, sentTo) => ({
    values: { sentAt, sentBy, sentTo, sentAmount: statement.totalAmount, deliveryEvidence, deliveryRemark },
    detail: [sentTo, deliveryRemark].filter(Boolean).join('；'),
  }))
})

export const remindStatement = procedure<'statement'>(async (work, { records }) => {
  const receiversOf = await readReceivers(work, records)
  return tellCustomers(work, 'remind', records, receiversOf, (_, detail) => ({
    values: { remindedAt: work.now },
    detail,
  }))
})

/**
 * Notifies customers of their statements. Returns how many were notified, and which have no receiver. @throws Refusal
 * notAllowed if that is the only one.
 */
async function tellCustomers(
  work: ProcedureWork,
  action: 'send' | 'remind',
  records: readonly Statement[],
  receiversOf: (statement: Statement) => string,
  kept: (statement: Statement, receivers: string) => { values: Values<'statement'>; detail: string },
): Promise<{ succeeded: number; failed: { id: number; message: string }[] }> {
  const known = records.filter((statement) => receiversOf(statement) !== '')
  if (known.length === 0 && records.length === 1) work.refuseCall(noReceiver)
  const told = known.map((statement) => ({
    statement,
    old: { ...statement },
    ...kept(statement, receiversOf(statement)),
  }))
  await work.changeAll(
    'statement',
    told.map(({ statement, values }) => ({ record: statement, values })),
    { action },
  )
  await tellOfStatements(work, action, told)
  const failed = records
    .filter((statement) => !known.includes(statement))
    .map(({ id }) => ({ id, message: noReceiver[work.language] }))
  return { succeeded: told.length, failed }
}

const noEvidence: Label = {
  cn: '请上传送达凭证，或填写送达说明',
  en: 'Upload evidence of the delivery, or explain it in the remark',
}
const notThen: Label = {
  cn: '送达时间应在账单生成之后、现在之前',
  en: 'The delivery must be after the statement was generated and not in the future',
}
const noReceiver: Label = {
  cn: '客户没有负责结算且有邮箱的联系人',
  en: 'The customer has no contact for settlement with an email address',
}

/** After a confirmation: the due date is fixed, and a negative amount is carried over to the next statement. */
export const confirmStatement = procedure<'statement'>(async (work, { records, before }) => {
  const termsOf = await readTerms(work, records)
  const negative = records.filter(({ totalAmount }) => decimal(totalAmount).isNegative())
  await work.changeAll(
    'statement',
    records.map((statement) => ({
      record: statement,
      values: {
        dueDate: dueDate(termsOf(statement), statement.billMonth, String(statement.confirmedAt).slice(0, 10)),
        ...(negative.includes(statement) && amountCarried(statement)),
      },
    })),
  )
  await carryOver(work, negative)
  await tellOfStatements(work, 'confirm', toldOf(records, before))
  await compareAll(work, records)
})

/** Reverses the carry-over, unless the statement that has taken it is confirmed. */
export const unconfirmStatement = procedure<'statement'>(async (work, { records, before }) => {
  const termsOf = await readTerms(work, records)
  const carried = records.filter(({ carriedAmount }) => carriedAmount !== null)
  await work.changeAll(
    'statement',
    records.map((statement) => ({
      record: statement,
      values: {
        dueDate: dueDate(termsOf(statement), statement.billMonth, expectedConfirmation(statement.createdAt)),
        dueDateReason: null,
        carriedAmount: null,
        carriedOwnAmount: null,
      },
    })),
  )
  await takeBack(work, carried)
  await tellOfStatements(work, 'unconfirm', toldOf(records, before))
  await compareAll(work, records)
})

/** The costs of voided statements become unbilled. */
export const voidStatement = procedure<'statement'>(async (work, { records, before }) => {
  const costs = await work.read('costLine', {
    where: { statement: records.map(({ id }) => id) },
    fields: ['statement'],
  })
  await billCosts(work, [{ statement: null, costs }])
  await tellOfStatements(
    work,
    'void',
    toldOf(records, before).map((told) => ({ ...told, detail: told.statement.voidReason })),
  )
  await compareAll(work, records)
})

const toldOf = (records: readonly Statement[], before: readonly (Statement | null)[]) =>
  records.map((statement, index) => ({ statement, old: before[index]! }))

const compareAll = (work: ProcedureWork, statements: readonly Statement[]): Promise<void> =>
  compareBudgets(
    work,
    statements.map(({ contract }) => contract),
  )

/** The next open statement takes the amount at once; one that is created later looks it up itself. */
async function carryOver(work: ProcedureWork, statements: readonly Statement[]): Promise<void> {
  const open = await work.read('statement', {
    where: { customer: statements.map(({ customer }) => customer), stage: 'generated' },
    fields: ['customer', 'contract', 'agency', 'billMonth'],
    order: 'billMonth',
  })
  const next = statements.flatMap((statement) => {
    const takers = open.filter((one) => mayTake(statement, one))
    return (takers.find(({ contract }) => contract === statement.contract) ?? takers[0])?.id ?? []
  })
  await followStatements(work, next)
}

async function takeBack(work: ProcedureWork, statements: readonly Statement[]): Promise<void> {
  const taken = await work.read('statementItem', {
    where: { sourceType: 'carryOver', sourceId: statements.map(({ statementNo }) => statementNo) },
    fields: ['statement', 'stage'],
  })
  if (taken.some(({ stage }) => stage === 'confirmed'))
    work.refuseCall({
      cn: '结转金额已计入已确认的对账单，不能取消确认',
      en: 'The amount carried over is in a confirmed statement, so this confirmation cannot be undone',
    })
  await followStatements(
    work,
    taken.flatMap(({ statement, stage }) => (stage === 'generated' ? statement : [])),
  )
}

async function readTerms(
  work: ProcedureWork,
  statements: readonly Statement[],
): Promise<(of: Statement) => PaymentTerms> {
  const contracts = await work.byId(
    'contract',
    statements.map(({ contract }) => contract),
    { fields: ['paymentTerms', 'paymentDay'] },
  )
  return ({ contract }) => {
    const { paymentTerms, paymentDay } = contracts.get(contract)!
    return { paymentTerms: paymentTerms!, paymentDay }
  }
}
