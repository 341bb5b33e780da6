import { sql } from 'kysely'
import { addMonths } from '../../../engine/expression/index.ts'
import { recompute } from '../../../engine/server/records/effects.ts'
import { type Part, ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { tableOf } from '../../../engine/server/identity/scope.ts'
import { insertRecords } from '../../../engine/server/records/write.ts'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { appendSalaryJournal, type SalaryEntry } from '../../procedures/salary/journal.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260322

/** The states of the last month's batches, by entity; earlier ones are finished. */
const lastStates = ['sent', 'partial', 'draft', 'submitted', 'approved', 'rejected', 'finished']
/** States in which nothing was paid yet. */
const waiting = ['draft', 'submitted', 'approved', 'rejected']
type Staff = Record<'clerk' | 'manager', Context>

/**
 * One payment batch for each entity and month; in one of ten, a payment failed and was repeated. The last month has one
 * for each payroll, some of them in progress, and one waits for a customer that pays in advance.
 */
export async function writePayments(
  context: Context,
  db: Db,
  resolve: Resolve,
  months: readonly string[],
): Promise<void> {
  const random = new Random(seed)
  const work = new ProcedureWork(context, db)
  const accounts = await work.read('companyAccount', {
    where: { status: 'enabled', purpose: ['wage'] },
    fields: ['agency'],
  })
  const customers = await work.read('customer', { fields: ['name'] })
  const names = new Map<number, string>(customers.map(({ id, name }) => [id, name]))
  for (const [index, month] of months.entries()) {
    const day = `${addMonths(month, 1)!}-15`
    const as = (user: string, moment: string): Context => ({
      ...context,
      user: { ...context.user, id: Number(resolve('user', user)) },
      now: moment < context.now ? moment : context.now,
    })
    const staff: Staff = {
      clerk: as('payrollClerk', `${day} 09:10:00`),
      manager: as('financeManager', `${day} 10:00:00`),
    }
    const isLast = index === months.length - 1
    // Until the pay day, those of the last month are only approved.
    const found = await work.read('payroll', {
      where: { payrollMonth: month, status: ['paid', 'approved'] },
      fields: ['customer', 'agency', 'payrollMonth', 'incomeType', 'serviceContract', 'status'],
    })
    const isPaid = found.some(({ status }) => status === 'paid')
    const payrolls = isPaid ? found.filter(({ status }) => status === 'paid') : found
    const groups = accounts.flatMap((account) => {
      const own = payrolls.filter(({ agency }) => agency === account.agency)
      if (own.length === 0 || accounts.find(({ agency }) => agency === account.agency) !== account) return []
      return isLast ? own.map((payroll) => ({ account, own: [payroll] })) : [{ account, own }]
    })
    const contracts = await work.read('contract', { where: { paymentTerms: 'prepaid' }, fields: ['advanceAllowed'] })
    const prepaid = new Map<number, boolean>(contracts.map(({ id, advanceAllowed }) => [id, advanceAllowed === true]))
    const advance = ({ own: [{ serviceContract }] }: (typeof groups)[number]) => prepaid.get(serviceContract)
    // The last one has a contract that allows no advance.
    const blocked = isLast
      ? groups.filter((group) => advance(group) !== undefined).sort((a, b) => Number(advance(b)) - Number(advance(a)))
      : []
    const ready = groups.filter((group) => !blocked.includes(group))
    for (const [place, { account, own }] of [...ready, ...blocked].entries()) {
      const state = !isLast
        ? 'finished'
        : place < ready.length
          ? lastStates[place % lastStates.length]
          : place === groups.length - 1
            ? 'draft'
            : 'finished'
      if (!isPaid && state !== 'draft') continue
      await pay(context, db, staff, {
        account,
        own,
        state,
        day,
        hasFailed: state === 'partial' || random.chance(0.1),
        names,
      })
    }
  }
  await stampCards(context, db)
}

/** Stores on each card when wages were last paid to it. */
async function stampCards(context: Context, db: Db): Promise<void> {
  const { entities } = context.derived.catalog
  // Each stamp was a change with history, which the demo does not invent.
  await sql`update ${tableOf(context, entities.personBankCard)} as card set "lastPaidAt" = paid.at from (
    select person, "accountNo", max("paidAt") as at from ${tableOf(context, entities.payLine)} where status = 'success' group by 1, 2
  ) as paid where paid.person = card.person and paid."accountNo" = card."accountNo"`.execute(db)
}

type Paid = Part<'payroll', 'customer' | 'agency' | 'payrollMonth' | 'incomeType' | 'serviceContract' | 'status'>
type Wage = Part<'payrollLine', 'payroll' | 'person' | 'netPay' | 'wageCard'>
interface Wish {
  account: Part<'companyAccount', 'agency'>
  own: Paid[]
  state: string
  day: string
  hasFailed: boolean
  names: ReadonlyMap<number, string>
}

// oxlint-disable-next-line max-lines-per-function -- a batch and its lines need the same wages, cards and payrolls, which parts would only hand on
async function pay(
  context: Context,
  db: Db,
  staff: Staff,
  { account, own, state, day, hasFailed, names }: Wish,
): Promise<void> {
  const { entities } = context.derived.catalog
  const isSent = ['finished', 'partial', 'sent'].includes(state)
  const work = new ProcedureWork(context, db)
  const wages = await work.read('payrollLine', {
    where: {
      payroll: own.map(({ id }) => id),
      lineStatus: 'normal',
      netPay: { between: ['0.01', null] },
      wageCard: { empty: false },
    },
    fields: ['payroll', 'person', 'netPay', 'wageCard'],
  })
  const cards = await work.byId(
    'personBankCard',
    wages.map(({ wageCard }) => wageCard),
    { fields: ['accountName', 'accountNo', 'bank'] },
  )
  const batchOf = (payrolls: Paid[], status: string): RecordData => {
    const batch: RecordData = {
      payrolls: payrolls.map(({ id }) => id) as Value,
      agency: account.agency,
      customers: [...new Set(payrolls.map(({ customer }) => names.get(customer)!))].join('、').slice(0, 500),
      payerAccount: account.id,
      payMethod: 'bankFile',
      planPayDate: day,
      status,
      approver: isSent || status === 'approved' ? staff.manager.user.id : null,
      approvedAt: isSent || status === 'approved' ? staff.manager.now : null,
      rejectReason: status === 'rejected' ? '付款账户余额不足' : null,
      sentAt: isSent ? staff.manager.now : null,
      remark: null,
    }
    recompute(context, entities.payBatch, batch)
    return batch
  }
  const lineOf = (batch: RecordData, wage: Wage, index: number, status: string): RecordData => {
    const card = cards.get(wage.wageCard!)!
    const payroll = own.find(({ id }) => id === wage.payroll)!
    const line: RecordData = {
      payBatch: batch.id!,
      customer: payroll.customer,
      lineNo: index + 1,
      payrollLine: wage.id,
      person: wage.person,
      accountName: card.accountName,
      accountNo: card.accountNo,
      bank: card.bank,
      amount: wage.netPay,
      summary: `${payroll.payrollMonth.slice(5)}月${payroll.incomeType === 'annualBonus' ? '奖金' : '工资'}`,
      status,
      result: status === 'success' ? 'success' : status === 'reissued' || status === 'failed' ? 'failed' : null,
      failReason: status === 'reissued' || status === 'failed' ? '户名与账号不符' : null,
      paidAt: status === 'success' ? `${day} 16:${String(index % 60).padStart(2, '0')}:00` : null,
    }
    recompute(context, entities.payLine, line)
    return line
  }
  const lineState = waiting.includes(state) ? 'pending' : state === 'sent' ? 'sent' : 'success'
  const failing = hasFailed && isSent ? wages.length - 1 : -1
  const batch = batchOf(own, state)
  await insertRecords(staff.clerk, db, entities.payBatch, [batch])
  await insertRecords(
    staff.clerk,
    db,
    entities.payLine,
    wages.map((wage, index) =>
      lineOf(batch, wage, index, index === failing ? (state === 'partial' ? 'failed' : 'reissued') : lineState),
    ),
  )
  await appendBatchEntries(staff, db, batch, wages.length, isSent)
  if (failing >= 0 && state === 'finished') {
    const again = batchOf(
      own.filter(({ id }) => id === wages[failing].payroll),
      'finished',
    )
    await insertRecords(staff.manager, db, entities.payBatch, [again])
    await insertRecords(staff.manager, db, entities.payLine, [lineOf(again, wages[failing], 0, 'success')])
  }
  if (state !== 'finished') await keepOpen(context, db, own, wages, { state, failing, lineState })
}

/** Marks wages that are not paid yet as open. */
async function keepOpen(
  context: Context,
  db: Db,
  own: Paid[],
  wages: Wage[],
  { state, failing, lineState }: { state: string; failing: number; lineState: string },
): Promise<void> {
  const { entities } = context.derived.catalog
  // Corrects their initial state; they were never paid, so there is no history of it.
  await sql`update ${tableOf(context, entities.payroll)} set status = ${waiting.includes(state) ? 'approved' : 'paying'}, "paidAt" = null where id = any(${own.map(({ id }) => id)}::bigint[])`.execute(
    db,
  )
  // The same, for their lines.
  await sql`update ${tableOf(context, entities.payrollLine)} set "payStatus" = ${lineState} where id = any(${wages.map(({ id }) => id)}::bigint[])`.execute(
    db,
  )
  if (failing >= 0)
    // The same, for the one that failed.
    await sql`update ${tableOf(context, entities.payrollLine)} set "payStatus" = 'failed' where id = ${wages[failing].id}`.execute(
      db,
    )
}

async function appendBatchEntries(
  { clerk, manager }: Staff,
  db: Db,
  batch: RecordData,
  count: number,
  isSent: boolean,
): Promise<void> {
  const entry = (
    action: SalaryEntry['action'],
    statusBefore: SalaryEntry['statusBefore'],
    statusAfter: SalaryEntry['statusAfter'],
  ): SalaryEntry => ({
    subject: 'payBatch',
    documentNo: String(batch.batchNo),
    payBatch: batch.id!,
    action,
    statusBefore,
    statusAfter,
    reason: action === 'create' ? `${count}笔` : null,
  })
  await appendSalaryJournal(new ProcedureWork(clerk, db), [
    entry('create', null, 'draft'),
    ...(batch.status === 'draft' ? [] : [entry('submit', 'draft', 'submitted')]),
  ])
  if (isSent || batch.status === 'approved')
    await appendSalaryJournal(new ProcedureWork(manager, db), [
      entry('approve', 'submitted', 'approved'),
      ...(isSent ? [entry('send', 'approved', 'sent')] : []),
    ])
  if (batch.status === 'rejected')
    await appendSalaryJournal(new ProcedureWork(manager, db), [entry('reject', 'submitted', 'rejected')])
}
