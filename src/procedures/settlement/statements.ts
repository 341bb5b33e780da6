import { sql } from 'kysely'
import { addMonths } from '../../../engine/expression/index.ts'
import { invalid, Refusal } from '../../../engine/server/errors.ts'
import { writeHistory } from '../../../engine/server/history.ts'
import type { Context, Db, Procedure } from '../../../engine/server/runtime.ts'
import type { Label, RecordData } from '../../../engine/schema/model.ts'
import { decimal } from './amounts.ts'
import type { BilledMonths } from './billing.ts'
import { compareBudgets } from './compareBudgets.ts'
import { dueDate, expectedConfirmation, type PaymentTerms } from './dueDate.ts'
import { generate } from './generate.ts'
import { appendJournal } from './journal.ts'
import { addUp, lockOpen, workOutAnew } from './rework.ts'
import { changeRecord, column, entityOf, isAnyOf, readAll } from './stored.ts'
import { billCosts } from './writeBills.ts'

const statementEntity = 'statement'

/**
 * Answers how many statements were made, and which contracts got none.
 * @throws Refusal invalid: the month is closed, or costs of months to come.
 */
export const generateStatements: Procedure = async ({ context, db, values }) => {
  const months = values as unknown as BilledMonths
  const { closedMonth } = context.settings.parameter
  if (closedMonth && months.billMonth <= String(closedMonth))
    throw invalid([{ field: 'billMonth', code: 'closed', message: monthClosed }])
  const latest = addMonths(months.billMonth, 1)!
  const late = (['wageMonth', 'insuranceMonth'] as const).filter((field) => months[field] > latest)
  if (late.length > 0) throw invalid(late.map((field) => ({ field, code: 'late', message: tooLate })))
  const { customers, billMonth, wageMonth, insuranceMonth } = values
  const { statements, skipped } = await generate(
    context,
    db,
    { billMonth, wageMonth, insuranceMonth } as unknown as BilledMonths,
    customers as number[] | undefined,
    await disabledCustomers(context, db),
  )
  for (const statement of statements)
    await writeHistory(context, db, entityOf(context, statementEntity), 'generate', statement, null)
  return {
    succeeded: statements.length,
    failed: skipped.map(({ id, name, reason }) => ({ id, name, message: reason[context.language] })),
  }
}

/** What they owe already stays open; nothing new is billed. */
async function disabledCustomers(context: Context, db: Db): Promise<Set<number>> {
  const disabled = await readAll(
    context,
    db,
    'customer',
    [sql<boolean>`(${column('accountStatus')} = 'disabled' and ${column('approvalStatus')} = 'approved')`],
    ['name'],
  )
  return new Set(disabled.map(({ id }) => id!))
}

const monthClosed: Label = { cn: '该月已关账', en: 'The month is closed' }
const tooLate: Label = { cn: '不能晚于账单月份的下一月', en: 'It may be one month after the bill month at most' }

/** Works statements out anew; what was adjusted by hand stays. */
export const regenerate: Procedure = async ({ context, db, records }) => {
  for (const statement of records) {
    const old = { ...statement }
    await workOutAnew(context, db, statement)
    await tell(context, db, 'generate', statement, old)
    await writeHistory(context, db, entityOf(context, statementEntity), 'regenerate', statement, old)
  }
}

/** After an adjustment was made, changed or deleted: its statement adds up again. */
export const adjustStatement: Procedure = async ({ context, db, records }) => {
  for (const id of new Set(records.map(({ statement }) => statement as number))) {
    const statement = await lockOpen(context, db, id)
    const old = { ...statement }
    await addUp(context, db, statement)
    const written = new Map(
      (
        await readAll(context, db, 'statementItem', [
          isAnyOf(
            'id',
            records.map((record) => record.id!),
          ),
        ])
      ).map((item) => [item.id, item]),
    )
    for (const record of records) Object.assign(record, written.get(record.id))
    await tell(context, db, 'adjust', statement, old, { detail: records.map(({ reason }) => reason ?? '').join('；') })
    await writeHistory(context, db, entityOf(context, statementEntity), 'adjust', statement, old)
  }
}

/** Noted as sent to those whom the customer has named for settlement. */
const toContacts =
  (
    action: 'send' | 'remind',
    changesOf: (statement: RecordData, now: string, sentTo: string) => RecordData,
  ): Procedure =>
  async ({ context, db, records }) => {
    const contacts = await readAll(
      context,
      db,
      'customerContact',
      [
        isAnyOf(
          'customer',
          records.map(({ customer }) => customer as number),
        ),
      ],
      ['customer', 'name', 'kind', 'email'],
    )
    const failed: { id: number; message: string }[] = []
    for (const statement of records) {
      const receivers = contacts.filter(
        ({ customer, kind, email }) =>
          customer === statement.customer && email && (kind as string[] | null)?.includes('settlement'),
      )
      if (receivers.length === 0) {
        failed.push({ id: statement.id!, message: noReceiver[context.language] })
        continue
      }
      const old = { ...statement }
      const sentTo = receivers.map(({ name, email }) => `${String(name)} <${String(email)}>`).join('，')
      await changeRecord(
        context,
        db,
        entityOf(context, statementEntity),
        statement,
        changesOf(statement, context.now, sentTo),
      )
      await tell(context, db, action, statement, old, { detail: sentTo })
      await writeHistory(context, db, entityOf(context, statementEntity), action, statement, old)
    }
    if (failed.length > 0 && records.length === 1) throw new Refusal('notAllowed', { text: noReceiver })
    return { succeeded: records.length - failed.length, failed }
  }

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
export const confirmStatement: Procedure = async ({ context, db, records, before }) => {
  for (const [index, statement] of records.entries()) {
    const terms = await termsOf(context, db, statement)
    const isNegative = decimal(statement.totalAmount as string).isNegative()
    await changeRecord(context, db, entityOf(context, statementEntity), statement, {
      dueDate: dueDate(terms, String(statement.billMonth), String(statement.confirmedAt).slice(0, 10)),
      ...(isNegative && { carriedAmount: statement.totalAmount }),
    })
    if (isNegative) await carryOver(context, db, statement)
    await tell(context, db, 'confirm', statement, before![index]!)
  }
  await compareBudgets(
    context,
    db,
    records.map(({ contract }) => contract as number),
  )
}

/** What was carried over comes back, unless the statement that has taken it is confirmed. */
export const unconfirmStatement: Procedure = async ({ context, db, records, before }) => {
  for (const [index, statement] of records.entries()) {
    const terms = await termsOf(context, db, statement)
    const wasCarried = statement.carriedAmount !== null
    const dates = {
      dueDate: dueDate(terms, String(statement.billMonth), expectedConfirmation(String(statement.createdAt))),
      dueDateReason: null,
    }
    await changeRecord(context, db, entityOf(context, statementEntity), statement, { ...dates, carriedAmount: null })
    if (wasCarried) await takeBack(context, db, statement)
    await tell(context, db, 'unconfirm', statement, before![index]!)
  }
  await compareBudgets(
    context,
    db,
    records.map(({ contract }) => contract as number),
  )
}

/** The costs of a voided statement are free for another. */
export const voidStatement: Procedure = async ({ context, db, records, before }) => {
  for (const [index, statement] of records.entries()) {
    const costs = await readAll(context, db, 'costLine', [isAnyOf('statement', [statement.id!])], ['statement'])
    await billCosts(context, db, [{ statement: null, costs: costs.map(({ id }) => id!) }])
    await tell(context, db, 'void', statement, before![index]!, { detail: String(statement.voidReason) })
  }
  await compareBudgets(
    context,
    db,
    records.map(({ contract }) => contract as number),
  )
}

/** An open statement of a later month takes the amount at once; one that is made later finds it by itself. */
async function carryOver(context: Context, db: Db, { contract, billMonth }: RecordData): Promise<void> {
  const [next] = (
    await readAll(
      context,
      db,
      statementEntity,
      [
        isAnyOf('contract', [contract as number]),
        sql<boolean>`(${column('stage')} = 'generated' and ${column('billMonth')} > ${billMonth})`,
      ],
      ['billMonth'],
    )
  ).sort((a, b) => (String(a.billMonth) < String(b.billMonth) ? -1 : 1))
  if (next) await workOutOther(context, db, next.id!)
}

async function takeBack(context: Context, db: Db, { statementNo }: RecordData): Promise<void> {
  const taken = await readAll(
    context,
    db,
    'statementItem',
    [sql<boolean>`(${column('sourceType')} = 'carryOver' and ${column('sourceId')} = ${statementNo})`],
    ['statement', 'stage'],
  )
  for (const { statement, stage } of taken) {
    if (stage === 'confirmed') {
      throw new Refusal('notAllowed', {
        text: {
          cn: '结转金额已计入已确认的对账单，不能取消确认',
          en: 'What it carried over stands in a confirmed statement, so its confirmation cannot be undone',
        },
      })
    }
    if (stage === 'generated') await workOutOther(context, db, statement as number)
  }
}

async function workOutOther(context: Context, db: Db, id: number): Promise<void> {
  const statement = await lockOpen(context, db, id)
  const old = { ...statement }
  await workOutAnew(context, db, statement)
  await tell(context, db, 'generate', statement, old)
  await writeHistory(context, db, entityOf(context, statementEntity), 'regenerate', statement, old)
}

async function termsOf(context: Context, db: Db, { contract }: RecordData): Promise<PaymentTerms> {
  const [terms] = await readAll(
    context,
    db,
    'contract',
    [isAnyOf('id', [contract as number])],
    ['paymentTerms', 'paymentDay'],
  )
  return terms as unknown as PaymentTerms
}

async function tell(
  context: Context,
  db: Db,
  action: string,
  statement: RecordData,
  old: RecordData,
  more: { detail?: string | null } = {},
): Promise<void> {
  const [{ status }] = await readAll(context, db, statementEntity, [isAnyOf('id', [statement.id!])], ['status'])
  await appendJournal(context, db, [
    {
      subject: 'statement',
      documentNo: String(statement.statementNo),
      customer: statement.customer as number,
      statement: statement.id,
      action,
      amountBefore: String(old.totalAmount),
      amountAfter: String(statement.totalAmount),
      statusBefore: old.status as string,
      statusAfter: status as string,
      ...more,
    },
  ])
}
