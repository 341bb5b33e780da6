import { addMonths } from '../../../engine/expression/index.ts'
import type { Label } from '../../../engine/schema/model.ts'
import {
  procedure,
  type Procedure,
  type ProcedureWork,
  type Stored,
  type Values,
} from '../../../engine/server/procedure.ts'
import { decimal } from './amounts.ts'
import { compareBudgets } from './compareBudgets.ts'
import { dueDate, expectedConfirmation, type PaymentTerms } from './dueDate.ts'
import { generate } from './generate.ts'
import { followStatement } from './followCosts.ts'
import { tellOfStatement } from './journal.ts'
import { addUp, lockOpen, monthClosed, workOutAnew } from './rework.ts'
import { billCosts } from './writeBills.ts'

type Statement = Stored<'statement'>

/**
 * Answers how many statements were made, and which contracts got none.
 * @throws Refusal invalid: the month is closed, or costs of months to come.
 */
export const generateStatements = procedure<'statement'>(async (work, { values }) => {
  const [billMonth, wageMonth, insuranceMonth] = [values.billMonth!, values.wageMonth!, values.insuranceMonth!]
  const { closedMonth } = work.settings.parameter
  if (closedMonth && billMonth <= closedMonth)
    work.refuse('statement', [{ field: 'billMonth', code: 'closed', message: monthClosed }])
  const months = { wageMonth, insuranceMonth }
  const latest = addMonths(billMonth, 1)!
  const late = (['wageMonth', 'insuranceMonth'] as const).filter((field) => months[field] > latest)
  if (late.length > 0)
    work.refuse(
      'statement',
      late.map((field) => ({ field, code: 'late', message: tooLate })),
    )
  const { statements, skipped } = await generate(work, {
    months: { billMonth, ...months },
    customers: values.customers ?? undefined,
    barred: await disabledCustomers(work),
  })
  return {
    succeeded: statements.length,
    failed: skipped.map(({ id, name, reason }) => ({ id, name, message: reason[work.language] })),
  }
})

/** What they owe already stays open; nothing new is billed. */
async function disabledCustomers(work: ProcedureWork): Promise<Set<number>> {
  const disabled = await work.read('customer', {
    where: { accountStatus: 'disabled', approvalStatus: 'approved' },
    fields: ['name'],
  })
  return new Set(disabled.map(({ id }) => id))
}

const tooLate: Label = { cn: '不能晚于账单月份的下一月', en: 'It may be one month after the bill month at most' }

/** Works statements out anew; what was adjusted by hand stays. */
export const regenerate = procedure<'statement'>(async (work, { records }) => {
  for (const statement of records) {
    const old = { ...statement }
    await workOutAnew(work, statement, { action: 'regenerate' })
    await tellOfStatement(work, 'generate', { statement, old })
  }
})

/** After an adjustment was made, changed or deleted: its statement adds up again. */
export const adjustStatement = procedure<'statementItem'>(async (work, { records }) => {
  for (const id of new Set(records.map(({ statement }) => statement))) {
    const statement = await lockOpen(work, id)
    const old = { ...statement }
    await addUp(work, statement, { action: 'adjust' })
    const written = await work.byId(
      'statementItem',
      records.map((record) => record.id),
    )
    for (const record of records) Object.assign(record, written.get(record.id))
    await tellOfStatement(work, 'adjust', {
      statement,
      old,
      detail: records.map(({ reason }) => reason ?? '').join('；'),
    })
  }
})

/** Noted as sent to those whom the customer has named for settlement. */
const toContacts = (
  action: 'send' | 'remind',
  changesOf: (statement: Statement, now: string, sentTo: string) => Values<'statement'>,
): Procedure =>
  procedure<'statement'>(async (work, { records }) => {
    const contacts = await work.read('customerContact', {
      where: { customer: records.map(({ customer }) => customer) },
      fields: ['customer', 'name', 'kind', 'email'],
    })
    const failed: { id: number; message: string }[] = []
    for (const statement of records) {
      const receivers = contacts.filter(
        ({ customer, kind, email }) => customer === statement.customer && email && kind?.includes('settlement'),
      )
      if (receivers.length === 0) {
        failed.push({ id: statement.id, message: noReceiver[work.language] })
        continue
      }
      const old = { ...statement }
      const sentTo = receivers.map(({ name, email }) => `${name} <${email}>`).join('，')
      await work.change('statement', statement, changesOf(statement, work.now, sentTo), { action })
      await tellOfStatement(work, action, { statement, old, detail: sentTo })
    }
    if (failed.length > 0 && records.length === 1) work.refuseCall(noReceiver)
    return { succeeded: records.length - failed.length, failed }
  })

export const sendStatement = toContacts('send', ({ totalAmount }, sentAt, sentTo) => ({
  sentAt,
  sentTo,
  sentAmount: totalAmount,
}))
export const remindStatement = toContacts('remind', (_, remindedAt) => ({ remindedAt }))

const noReceiver: Label = {
  cn: '客户没有负责结算且有邮箱的联系人',
  en: 'The customer has no contact for settlement with an email address',
}

/** After a confirmation: the due date is fixed, and what is below zero goes to the next statement. */
export const confirmStatement = procedure<'statement'>(async (work, { records, before }) => {
  for (const [index, statement] of records.entries()) {
    const terms = await termsOf(work, statement)
    const isNegative = decimal(statement.totalAmount).isNegative()
    await work.change('statement', statement, {
      dueDate: dueDate(terms, statement.billMonth, String(statement.confirmedAt).slice(0, 10)),
      ...(isNegative && { carriedAmount: statement.totalAmount }),
    })
    if (isNegative) await carryOver(work, statement)
    await tellOfStatement(work, 'confirm', { statement, old: before[index]! })
  }
  await compareAll(work, records)
})

/** What was carried over comes back, unless the statement that has taken it is confirmed. */
export const unconfirmStatement = procedure<'statement'>(async (work, { records, before }) => {
  for (const [index, statement] of records.entries()) {
    const terms = await termsOf(work, statement)
    const wasCarried = statement.carriedAmount !== null
    await work.change('statement', statement, {
      dueDate: dueDate(terms, statement.billMonth, expectedConfirmation(statement.createdAt)),
      dueDateReason: null,
      carriedAmount: null,
    })
    if (wasCarried) await takeBack(work, statement)
    await tellOfStatement(work, 'unconfirm', { statement, old: before[index]! })
  }
  await compareAll(work, records)
})

/** The costs of a voided statement are free for another. */
export const voidStatement = procedure<'statement'>(async (work, { records, before }) => {
  for (const [index, statement] of records.entries()) {
    const costs = await work.read('costLine', { where: { statement: statement.id }, fields: ['statement'] })
    await billCosts(work, [{ statement: null, costs }])
    await tellOfStatement(work, 'void', { statement, old: before[index]!, detail: statement.voidReason })
  }
  await compareAll(work, records)
})

const compareAll = (work: ProcedureWork, statements: readonly Statement[]): Promise<void> =>
  compareBudgets(
    work,
    statements.map(({ contract }) => contract),
  )

/** An open statement of a later month takes the amount at once; one that is made later finds it by itself. */
async function carryOver(work: ProcedureWork, { contract, billMonth }: Statement): Promise<void> {
  const next = await work.first('statement', {
    where: { contract, stage: 'generated', billMonth: { between: [addMonths(billMonth, 1), null] } },
    fields: ['billMonth'],
    order: 'billMonth',
  })
  if (next) await followStatement(work, next.id)
}

async function takeBack(work: ProcedureWork, { statementNo }: Statement): Promise<void> {
  const taken = await work.read('statementItem', {
    where: { sourceType: 'carryOver', sourceId: statementNo },
    fields: ['statement', 'stage'],
  })
  for (const { statement, stage } of taken) {
    if (stage === 'confirmed') {
      work.refuseCall({
        cn: '结转金额已计入已确认的对账单，不能取消确认',
        en: 'What it carried over stands in a confirmed statement, so its confirmation cannot be undone',
      })
    }
    if (stage === 'generated') await followStatement(work, statement)
  }
}

async function termsOf(work: ProcedureWork, { contract }: Statement): Promise<PaymentTerms> {
  const [terms] = await work.read('contract', { where: { id: contract }, fields: ['paymentTerms', 'paymentDay'] })
  return { paymentTerms: terms.paymentTerms!, paymentDay: terms.paymentDay }
}
