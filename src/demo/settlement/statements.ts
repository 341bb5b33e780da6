import { addDays, addMonths, Decimal } from '../../../engine/expression/index.ts'
import { ProcedureWork, type Stored, type StoredFile } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { dueDate } from '../../procedures/settlement/dueDate.ts'
import { makeStatements } from '../../procedures/settlement/makeStatements.ts'
import { appendJournal } from '../../procedures/settlement/journal.ts'
import { addUp } from '../../procedures/settlement/recomputeStatements.ts'
import { confirmStatement, voidStatement } from '../../procedures/settlement/statements.ts'
import { Random } from '../random.ts'
import { blankPage } from '../pictures/blankPage.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260310
type Statement = Stored<'statement'>
/** The clerk's work at that moment. */
type At = (moment: string) => ProcedureWork

/**
 * The statements of these bill months, each created at its usual time: generated from the costs, some adjusted, sent
 * and confirmed; those of the last month are in every state that occurs in a clerk's work.
 */
export async function writeStatements(
  context: Context,
  db: Db,
  resolve: Resolve,
  months: readonly string[],
): Promise<void> {
  const random = new Random(seed)
  const clerk = { ...context.user, id: Number(resolve('user', 'settlementClerk')) }
  const itself = new ProcedureWork(context, db)
  await letPartnersServe(itself)
  const stamped = await itself.storeFile('盖章对账单.pdf', new TextEncoder().encode(blankPage))
  const at: At = (moment) =>
    new ProcedureWork({ ...context, user: clerk, now: moment < context.now ? moment : context.now }, db)

  for (const [index, month] of months.entries()) {
    const isLast = index === months.length - 1
    const { statements } = await makeStatements(at(`${month}-10 09:30:00`), { months: monthsOf(month) })
    await adjustSome(at(`${month}-10 14:10:00`), random, statements, index === months.length - 3)
    const left = isLast ? await unfinished(at, random, month, statements) : statements
    const sent = await send(at(`${month}-10 16:00:00`), left)
    const confirmed = isLast ? sent.slice(0, Math.ceil(sent.length / 2)) : sent
    await confirm(at(`${addDays(`${month}-10`, random.integer(1, 3))!} 10:20:00`), random, confirmed, stamped)
  }
  await dueToday(at(context.now), months)
}

const monthsOf = (month: string) => ({ billMonth: month, wageMonth: addMonths(month, -1)!, insuranceMonth: month })

/** Each partner serves one of the customers in our place. */
async function letPartnersServe(work: ProcedureWork): Promise<void> {
  const partners = await work.read('agency', { where: { kind: 'partner' }, fields: ['kind'] })
  const customers = await work.read('customer', { where: { accountStatus: 'enabled' } })
  await work.changeAll(
    'customer',
    partners.flatMap(({ id }, index) => {
      const record = customers.at(20 + index)
      return record ? [{ record, values: { agency: id } }] : []
    }),
  )
}

/**
 * Of the current month: two were voided and one of them regenerated, some are still to be sent, some are disputed. The
 * costs of the other are unbilled until it is regenerated.
 * @returns those that continue.
 */
async function unfinished(
  at: At,
  random: Random,
  month: string,
  statements: readonly Statement[],
): Promise<Statement[]> {
  const [wrong, waiting, rest] = [statements.slice(0, 2), statements.slice(2, 14), statements.slice(14)]
  const later = at(`${month}-11 11:05:00`)
  for (const statement of wrong) {
    const old: Statement = { ...statement, status: 'generated' }
    await later.change(
      'statement',
      statement,
      { stage: 'voided', voidReason: '社保费用有误，更正后重新出账' },
      { action: 'void' },
    )
    await voidStatement({ ...later.raw, entity: 'statement', records: [statement], before: [old], values: {} })
  }
  await makeStatements(at(`${month}-11 11:20:00`), {
    months: monthsOf(month),
    customers: wrong.slice(0, 1).map(({ customer }) => customer),
  })
  const disputed = await send(at(`${month}-10 16:00:00`), waiting.slice(0, 4))
  for (const statement of disputed) {
    const dispute = at(`${month}-12 15:40:00`)
    const remark = random.pick(['有一名员工上月已离职，请核对社保费用', '加班工资与考勤不符，请核对'])
    await dispute.change('statement', statement, { disputeRemark: remark })
    await appendJournal(dispute, [
      { ...journalOf(statement), action: 'edit', statusBefore: 'generated', statusAfter: 'generated', detail: remark },
    ])
  }
  return rest
}

/** One in twelve; one month has a negative statement. */
async function adjustSome(
  work: ProcedureWork,
  random: Random,
  statements: readonly Statement[],
  withNegative: boolean,
): Promise<void> {
  for (const [index, statement] of statements.entries()) {
    const isNegative = withNegative && index < 2
    if (!isNegative && !random.chance(0.08)) continue
    const amount = isNegative
      ? new Decimal(statement.totalAmount!).plus(random.integer(100, 900)).negated().toFixed(2)
      : `${random.pick([-1, 1]) * random.integer(10, 2000)}.00`
    await work.insert('statementItem', [
      {
        statement: statement.id,
        feeItem: 'grossWage',
        party: 'company',
        costMonth: statement.wageMonth,
        amount,
        billable: true,
        passThrough: true,
        sourceType: 'manual',
        reason: isNegative
          ? '客户已直接支付工资，冲回代发金额'
          : random.pick(['补发上月绩效', '扣回多收社保', '考勤更正', '工伤待遇代付']),
      },
    ])
    const { totalAmount } = statement
    await addUp(work, [statement], { action: 'adjust' })
    await appendJournal(work, [
      {
        ...journalOf(statement),
        action: 'adjust',
        amountBefore: totalAmount,
        statusBefore: 'generated',
        statusAfter: 'generated',
      },
    ])
  }
}

async function send(work: ProcedureWork, statements: readonly Statement[]): Promise<Statement[]> {
  const contacts = await work.read('customerContact', {
    where: { customer: statements.map(({ customer }) => customer) },
    fields: ['customer', 'name', 'kind', 'email'],
  })
  await work.changeAll(
    'statement',
    statements.map((record) => {
      const receivers = contacts.filter(
        ({ customer, kind, email }) => customer === record.customer && email && kind.includes('settlement'),
      )
      return {
        record,
        values: {
          sentAt: work.now,
          sentBy: 'email',
          deliveryRemark: '账单已发送至结算联系人邮箱',
          sentAmount: record.totalAmount,
          sentTo: receivers.map(({ name, email }) => `${name} <${email}>`).join('，') || null,
        },
      }
    }),
    { action: 'send' },
  )
  await appendEntries(work, 'send', statements, 'generated')
  return [...statements]
}

async function confirm(
  work: ProcedureWork,
  random: Random,
  statements: readonly Statement[],
  evidence: StoredFile,
): Promise<void> {
  const terms = await work.byId(
    'contract',
    statements.map(({ contract }) => contract),
    { fields: ['paymentTerms', 'paymentDay'] },
  )
  const changes = statements.map((record) => {
    const confirmMode = random.weighted([
      ['portal', 60],
      ['staff', 30],
      ['auto', 10],
    ] as const)
    const { paymentTerms, paymentDay } = terms.get(record.contract)!
    return {
      record,
      values: {
        stage: 'confirmed',
        confirmedAt: work.now,
        confirmMode,
        confirmEvidence: confirmMode === 'staff' ? [evidence] : null,
        dueDate: dueDate({ paymentTerms: paymentTerms!, paymentDay }, record.billMonth, work.today),
      } as const,
    }
  })
  const isNegative = ({ record }: { record: Statement }) => String(record.totalAmount).startsWith('-')
  const [negative, owed] = [changes.filter(isNegative), changes.filter((change) => !isNegative(change))]
  await work.changeAll('statement', owed, { action: 'confirm' })
  await appendEntries(
    work,
    'confirm',
    owed.map(({ record }) => record),
    'confirmed',
  )
  for (const { record, values } of negative) {
    const old: Statement = { ...record, status: 'generated' }
    await work.change('statement', record, values, { action: 'confirm' })
    await confirmStatement({ ...work.raw, entity: 'statement', records: [record], before: [old], values: {} })
  }
}

const appendEntries = (
  work: ProcedureWork,
  action: 'send' | 'confirm',
  statements: readonly Statement[],
  status: 'generated' | 'confirmed',
): Promise<void> =>
  appendJournal(
    work,
    statements.map((record) => ({ ...journalOf(record), action, statusBefore: 'generated', statusAfter: status })),
  )

const journalOf = ({ id, statementNo, customer, totalAmount }: Statement) => ({
  subject: 'statement' as const,
  documentNo: statementNo,
  customer,
  statement: id,
  amountBefore: totalAmount,
  amountAfter: totalAmount,
})

/** A customer got an extension until today, and requests an adjustment. */
async function dueToday(work: ProcedureWork, months: readonly string[]): Promise<void> {
  const confirmed = await work.read('statement', { where: { stage: 'confirmed', billMonth: months.at(-2) ?? null } })
  const statement = confirmed.findLast(({ totalAmount }) => !String(totalAmount).startsWith('-'))
  if (!statement) return
  await work.change(
    'statement',
    statement,
    {
      dueDate: work.today,
      dueDateReason: '客户申请延期付款',
      adjustmentRequest: '上月一名员工的加班费少计，请在下月账单中调整',
    },
    { action: 'changeDueDate' },
  )
  await appendJournal(work, [
    {
      ...journalOf(statement),
      action: 'edit',
      statusBefore: 'confirmed',
      statusAfter: 'confirmed',
      detail: '客户申请延期付款',
    },
  ])
}
