import { addDays, addMonths, Decimal } from '../../engine/expression/index.ts'
import { writeHistories } from '../../engine/server/history.ts'
import type { Context, Db } from '../../engine/server/runtime.ts'
import { insertRecords, updateRecords } from '../../engine/server/write.ts'
import type { RecordData } from '../../engine/schema/model.ts'
import { dueDate, type PaymentTerms } from '../procedures/settlement/dueDate.ts'
import { generate } from '../procedures/settlement/generate.ts'
import { appendJournal } from '../procedures/settlement/journal.ts'
import { addUp } from '../procedures/settlement/rework.ts'
import { confirmStatement, voidStatement } from '../procedures/settlement/statements.ts'
import { changeRecord, entityOf, isAnyOf, readAll } from '../procedures/settlement/stored.ts'
import type { Resolve } from './fill.ts'
import { Random } from './random.ts'
import { storeFile } from '../../engine/server/storeFile.ts'
import { blankPage } from './blankPage.ts'

const seed = 20260310

/**
 * The statements of these bill months, each made when it would have been: generated from the costs, some adjusted, sent
 * and confirmed, those of the last month in every state that a clerk finds in the middle of their work.
 */
export async function writeStatements(
  context: Context,
  db: Db,
  resolve: Resolve,
  months: readonly string[],
): Promise<void> {
  const random = new Random(seed)
  const clerk = { ...context.user, id: Number(resolve('user', 'settlementClerk')) }
  await letPartnersServe(context, db)
  const stamped = {
    ...(await storeFile(context, db, '盖章对账单.pdf', new TextEncoder().encode(blankPage))),
    status: 'success',
  }
  const at = (moment: string): Context => ({
    ...context,
    user: clerk,
    now: moment < context.now ? moment : context.now,
  })

  for (const [index, month] of months.entries()) {
    const isLast = index === months.length - 1
    const made = at(`${month}-10 09:30:00`)
    const { statements } = await generate(made, db, {
      billMonth: month,
      wageMonth: addMonths(month, -1)!,
      insuranceMonth: month,
    })
    await writeHistories(
      made,
      db,
      entityOf(context, 'statement'),
      statements.map((record) => ({ action: 'generate', record, old: null })),
    )
    await adjustSome(at(`${month}-10 14:10:00`), db, random, statements, index === months.length - 3)
    const left = isLast ? await unfinished(at, db, random, month, statements) : statements
    const sent = await send(at(`${month}-10 16:00:00`), db, left)
    const confirmed = isLast ? sent.slice(0, Math.ceil(sent.length / 2)) : sent
    await confirm(at(`${addDays(`${month}-10`, random.integer(1, 3))!} 10:20:00`), db, random, confirmed, stamped)
  }
  await dueToday(at(context.now), db, months)
}

/** Each partner serves one of the customers in our place. */
async function letPartnersServe(context: Context, db: Db): Promise<void> {
  const entity = entityOf(context, 'customer')
  const partners = (await readAll(context, db, 'agency', [])).filter(({ kind }) => kind === 'partner')
  const customers = (await readAll(context, db, 'customer', [])).filter(
    ({ accountStatus }) => accountStatus === 'enabled',
  )
  for (const [index, { id }] of partners.entries()) {
    const customer = customers[20 + index]
    if (customer) await changeRecord(context, db, entity, customer, { agency: id })
  }
}

/**
 * Of the month that is being worked on: two were void and made again, some wait to be sent, some are disputed.
 * @returns those that go on.
 */
async function unfinished(
  at: (moment: string) => Context,
  db: Db,
  random: Random,
  month: string,
  statements: RecordData[],
): Promise<RecordData[]> {
  const entity = entityOf(at(''), 'statement')
  const [wrong, waiting, rest] = [statements.slice(0, 2), statements.slice(2, 14), statements.slice(14)]
  const later = at(`${month}-11 11:05:00`)
  for (const statement of wrong) {
    const old = { ...statement, status: 'generated' }
    await changeRecord(later, db, entity, statement, { stage: 'voided', voidReason: '社保费用有误，更正后重新出账' })
    await voidStatement({ context: later, db, entity: entity.name, records: [statement], before: [old], values: {} })
    await writeHistories(later, db, entity, [{ action: 'void', record: statement, old }])
  }
  const again = await generate(
    at(`${month}-11 11:20:00`),
    db,
    { billMonth: month, wageMonth: addMonths(month, -1)!, insuranceMonth: month },
    wrong.map(({ customer }) => customer as number),
  )
  await writeHistories(
    later,
    db,
    entity,
    again.statements.map((record) => ({ action: 'generate', record, old: null })),
  )
  const disputed = await send(at(`${month}-10 16:00:00`), db, waiting.slice(0, 4))
  for (const statement of disputed) {
    const told = at(`${month}-12 15:40:00`)
    const remark = random.pick(['有一名员工上月已离职，请核对社保费用', '加班工资与考勤不符，请核对'])
    await changeRecord(told, db, entity, statement, { disputeRemark: remark })
    await appendJournal(told, db, [
      { ...journalOf(statement), action: 'edit', statusBefore: 'generated', statusAfter: 'generated', detail: remark },
    ])
  }
  return rest
}

/** One in twelve; in one month one that comes out below zero. */
async function adjustSome(
  context: Context,
  db: Db,
  random: Random,
  statements: RecordData[],
  withNegative: boolean,
): Promise<void> {
  const items = entityOf(context, 'statementItem')
  for (const [index, statement] of statements.entries()) {
    const isNegative = withNegative && index < 2
    if (!isNegative && !random.chance(0.08)) continue
    const amount = isNegative
      ? new Decimal(String(statement.totalAmount)).plus(random.integer(100, 900)).negated().toFixed(2)
      : `${random.pick([-1, 1]) * random.integer(10, 2000)}.00`
    await insertRecords(context, db, items, [
      {
        statement: statement.id,
        person: null,
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
    const old = { ...statement }
    await addUp(context, db, statement)
    await appendJournal(context, db, [
      {
        ...journalOf(statement),
        action: 'adjust',
        amountBefore: String(old.totalAmount),
        statusBefore: 'generated',
        statusAfter: 'generated',
      },
    ])
    await writeHistories(context, db, entityOf(context, 'statement'), [{ action: 'adjust', record: statement, old }])
  }
}

async function send(context: Context, db: Db, statements: RecordData[]): Promise<RecordData[]> {
  const contacts = await readAll(
    context,
    db,
    'customerContact',
    [
      isAnyOf(
        'customer',
        statements.map(({ customer }) => customer as number),
      ),
    ],
    ['customer', 'name', 'kind', 'email'],
  )
  const written = statements.map((old) => {
    const receivers = contacts.filter(
      ({ customer, kind, email }) => customer === old.customer && email && (kind as string[]).includes('settlement'),
    )
    return {
      old,
      record: {
        ...old,
        sentAt: context.now,
        sentAmount: old.totalAmount,
        sentTo: receivers.map(({ name, email }) => `${String(name)} <${String(email)}>`).join('，') || null,
      } as RecordData,
    }
  })
  await write(context, db, 'send', written, { status: 'generated' })
  return written.map(({ record }) => record)
}

async function confirm(
  context: Context,
  db: Db,
  random: Random,
  statements: RecordData[],
  evidence: RecordData,
): Promise<void> {
  const terms = new Map(
    (
      await readAll(
        context,
        db,
        'contract',
        [
          isAnyOf(
            'id',
            statements.map(({ contract }) => contract as number),
          ),
        ],
        ['paymentTerms', 'paymentDay'],
      )
    ).map((one) => [one.id, one]),
  )
  const written = statements.map((old) => {
    const confirmMode = random.weighted([
      ['portal', 60],
      ['staff', 30],
      ['auto', 10],
    ] as const)
    const due = dueDate(
      terms.get(old.contract as number) as unknown as PaymentTerms,
      String(old.billMonth),
      context.now.slice(0, 10),
    )
    const record = {
      ...old,
      stage: 'confirmed',
      confirmedAt: context.now,
      confirmMode,
      confirmEvidence: confirmMode === 'staff' ? [evidence] : null,
      dueDate: due,
    } as RecordData
    return { old: { ...old, status: 'generated' } as RecordData, record }
  })
  const isNegative = ({ record }: (typeof written)[number]) => String(record.totalAmount).startsWith('-')
  await write(
    context,
    db,
    'confirm',
    written.filter((one) => !isNegative(one)),
    { status: 'confirmed' },
  )
  for (const { record, old } of written.filter(isNegative)) {
    const statement = { ...old }
    await changeRecord(context, db, entityOf(context, 'statement'), statement, record)
    await confirmStatement({ context, db, entity: 'statement', records: [statement], before: [old], values: {} })
    await writeHistories(context, db, entityOf(context, 'statement'), [{ action: 'confirm', record: statement, old }])
  }
}

async function write(
  context: Context,
  db: Db,
  action: string,
  written: { record: RecordData; old: RecordData }[],
  { status }: { status: string },
): Promise<void> {
  const entity = entityOf(context, 'statement')
  await updateRecords(context, db, entity, written)
  await writeHistories(
    context,
    db,
    entity,
    written.map(({ record, old }) => ({ action, record, old })),
  )
  await appendJournal(
    context,
    db,
    written.map(({ record }) => ({ ...journalOf(record), action, statusBefore: 'generated', statusAfter: status })),
  )
}

const journalOf = ({ id, statementNo, customer, totalAmount }: RecordData) => ({
  subject: 'statement' as const,
  documentNo: String(statementNo),
  customer: customer as number,
  statement: id,
  amountBefore: String(totalAmount),
  amountAfter: String(totalAmount),
})

/** A customer got more time, until today, and asks for an adjustment. */
async function dueToday(context: Context, db: Db, months: readonly string[]): Promise<void> {
  const entity = entityOf(context, 'statement')
  const confirmed = await readAll(context, db, 'statement', [])
  const statement = confirmed.findLast(
    ({ stage, billMonth, totalAmount }) =>
      stage === 'confirmed' && billMonth === months.at(-2) && !String(totalAmount).startsWith('-'),
  )
  if (!statement) return
  const old = { ...statement }
  await changeRecord(context, db, entity, statement, {
    dueDate: context.now.slice(0, 10),
    dueDateReason: '客户申请延期付款',
    adjustmentRequest: '上月一名员工的加班费少计，请在下月账单中调整',
  })
  await writeHistories(context, db, entity, [{ action: 'changeDueDate', record: statement, old }])
  await appendJournal(context, db, [
    {
      ...journalOf(statement),
      action: 'edit',
      statusBefore: 'confirmed',
      statusAfter: 'confirmed',
      detail: '客户申请延期付款',
    },
  ])
}
