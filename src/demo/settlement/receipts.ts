import { Decimal } from '../../../engine/expression/index.ts'
import { recompute } from '../../../engine/server/records/effects.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { nextNumbers } from '../../../engine/server/postgres/system.ts'
import { insertRecords } from '../../../engine/server/records/write.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { entityOf } from '../changeRecord.ts'
import { companyAccount } from '../identifiers.ts'
import { type PlannedMatch, type PlannedReceipt, type Owed, planReceipts } from './receiptPlan.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260311
const money = (amount: Decimal) => amount.toFixed(2)

/**
 * The payments of confirmed statements: most in full, some in parts, some combined with others; some late, a few
 * missing.
 */
export async function writeReceipts(context: Context, db: Db, resolve: Resolve): Promise<void> {
  const random = new Random(seed)
  const today = context.now.slice(0, 10)
  const work = new ProcedureWork(context, db)
  const statements = await work.read('statement', {
    where: { stage: 'confirmed', totalAmount: { between: ['0.01', null] } },
    fields: ['statementNo', 'customer', 'agency', 'totalAmount', 'dueDate', 'confirmedAt'],
  })
  const customers = await work.byId(
    'customer',
    statements.map(({ customer }) => customer),
    { fields: ['corporateName', 'payerNames', 'creditLimit', 'openingBalance'] },
  )
  const accounts = await work.read('companyAccount', {
    where: { status: 'enabled', purpose: ['receipt'] },
    fields: ['agency'],
  })
  const owed = statements.map((statement): Owed => {
    const { id, customer, agency, totalAmount, dueDate, confirmedAt } = statement
    const { payerNames, corporateName, creditLimit } = customers.get(customer)!
    return {
      statement: id,
      no: statement.statementNo,
      customer,
      amount: new Decimal(String(totalAmount)),
      dueDate: String(dueDate),
      confirmed: String(confirmedAt).slice(0, 10),
      payer: corporateName,
      alias: payerNames?.[0],
      limit: new Decimal(creditLimit ?? 0),
      account: (accounts.find((account) => account.agency === agency) ?? accounts[0]).id,
    }
  })
  const plan = planReceipts(random, owed, today)
  await number(context, db, plan)
  await write(context, db, random, plan, {
    cashier: Number(resolve('user', 'cashier')),
    owed: new Map(owed.map((each) => [each.statement, each])),
    opening: new Map([...customers].map(([id, { openingBalance }]) => [id as number, openingBalance])),
  })
}

/** Gives each receipt the next number of its day. */
async function number(context: Context, db: Db, plan: PlannedReceipt[]): Promise<void> {
  const { format } = entityOf(context, 'receipt').fields.receiptNo.options as { format: string }
  const refunds = plan.flatMap(({ refund }) => refund ?? [])
  plan.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  const all = [...plan, ...refunds]
  for (const date of new Set(all.map((each) => each.date))) {
    const ofDay = all.filter((each) => each.date === date)
    const numbers = await nextNumbers(db, format, ofDay.length, `${date} 09:00:00`)
    ofDay.forEach((each, index) => {
      each.no = numbers[index]
    })
  }
}

interface Books {
  cashier: number
  owed: ReadonlyMap<number, Owed>
  /** Customer → its opening balance. */
  opening: ReadonlyMap<number, string | null>
}

async function write(
  context: Context,
  db: Db,
  random: Random,
  plan: PlannedReceipt[],
  { cashier, owed, opening }: Books,
): Promise<void> {
  const at = (date: string, time: string) => (`${date} ${time}` < context.now ? `${date} ${time}` : context.now)
  const by = (moment: string) => ({ createdBy: cashier, createdAt: moment, updatedBy: cashier, updatedAt: moment })
  const recordOf = (receipt: PlannedReceipt, serial: number) =>
    receiptOf(random, receipt, serial, by(at(receipt.date, '10:20:00')))
  const ids = await insertMany(
    context,
    db,
    entityOf(context, 'receipt'),
    plan.map((receipt, index) => recordOf(receipt, index + 1)),
    { action: 'create' },
  )
  const debts = new Map([...owed].map(([id, { amount }]) => [id, amount]))
  const journal: RecordData[] = []
  const matches: RecordData[] = []
  const refunds: RecordData[] = []
  plan.forEach((receipt, index) => {
    const past = pastOf(receipt, { id: ids[index], cashier, owed, debts, at })
    journal.push(...past.journal)
    matches.push(...past.matches)
    if (receipt.refund)
      refunds.push({
        ...recordOf(receipt, 0),
        receivedDate: receipt.refund.date,
        direction: 'out',
        refundOf: ids[index],
        amount: money(receipt.refund.amount),
        bankSerialNo: null,
        receiptNo: receipt.refund.no!,
        remark: '多付退回',
        ...by(at(receipt.refund.date, '16:00:00')),
      })
  })
  await insertMany(context, db, entityOf(context, 'receiptMatch'), matches, { action: 'create' })
  await insertMany(context, db, entityOf(context, 'receipt'), refunds, { action: 'refund' })
  journal.sort((a, b) => (String(a.occurredAt) < String(b.occurredAt) ? -1 : 1))
  addBalances(context, journal, opening)
  await insertRecords(context, db, entityOf(context, 'settlementJournal'), journal)
}

function receiptOf(
  random: Random,
  receipt: PlannedReceipt,
  serial: number,
  stamp: Record<'createdBy' | 'updatedBy', number> & Record<'createdAt' | 'updatedAt', string>,
): RecordData {
  const { date, method, customer } = receipt
  return {
    receiptNo: receipt.no!,
    direction: 'in',
    entryMode: 'manual',
    customer,
    receivedDate: date,
    amount: money(receipt.amount),
    method,
    companyAccount: receipt.account,
    payerName: receipt.payer,
    payerAccount: companyAccount(random),
    payerBank: random.pick(['北辰示范银行演示支行', '南屏示范银行示范支行', '东澜示范银行样例支行']),
    bankSerialNo: method === 'cash' ? null : `DEMO${date.replaceAll('-', '')}${String(serial).padStart(6, '0')}`,
    summary: receipt.summary,
    matchedAmount: '0',
    refundedAmount: '0',
    voidReason: receipt.voidReason ?? null,
    ...(customer !== null && { claimedBy: stamp.createdBy, claimedAt: stamp.createdAt }),
    ...stamp,
  }
}

interface Surroundings extends Pick<Books, 'cashier' | 'owed'> {
  id: number
  /** Statement → the outstanding amount; matches reduce it. */
  debts: Map<number, Decimal>
  at(date: string, time: string): string
}

/** The history of one receipt: its journal entries, and its matches with statements. */
function pastOf(receipt: PlannedReceipt, { id, cashier, owed, debts, at }: Surroundings) {
  const journal: RecordData[] = []
  const matches: RecordData[] = []
  const { date, customer } = receipt
  const common = { subject: 'receipt', documentNo: receipt.no!, receipt: id, customer, operator: cashier }
  const enter = (
    occurredAt: string,
    action: string,
    [before, after]: [Decimal | null, Decimal],
    [statusBefore, statusAfter]: [string | null, string],
    more: RecordData = {},
  ) =>
    journal.push({
      ...common,
      occurredAt,
      action,
      amountBefore: before && money(before),
      amountAfter: money(after),
      statusBefore,
      statusAfter,
      ...more,
    })
  enter(at(date, '10:20:00'), 'register', [null, receipt.amount], [null, 'registered'], { detail: receipt.payer })
  let rest = receipt.amount
  const status = () => (rest.isZero() ? 'matched' : rest.equals(receipt.amount) ? 'registered' : 'partMatched')
  for (const match of receipt.matches) {
    const matchedAt = at(date, '15:10:00')
    const [restBefore, statusBefore, debt] = [rest, status(), debts.get(match.statement)!]
    rest = rest.minus(match.amount)
    const left = debt.minus(match.amount).minus(match.writeOff)
    debts.set(match.statement, left)
    matches.push(
      matchOf(match, { receipt: id, customer, outstandingBefore: money(debt), matchedBy: cashier, matchedAt }),
    )
    const { no } = owed.get(match.statement)!
    const writeOffAmount = match.writeOff.isZero() ? null : money(match.writeOff)
    enter(matchedAt, 'match', [restBefore, rest], [statusBefore, status()], { relatedNo: no, writeOffAmount })
    journal.push({
      subject: 'statement',
      documentNo: no,
      statement: match.statement,
      customer,
      operator: cashier,
      occurredAt: matchedAt,
      action: 'match',
      relatedNo: receipt.no!,
      writeOffAmount,
      amountBefore: money(debt),
      amountAfter: money(left),
      statusBefore: 'confirmed',
      statusAfter: left.isZero() ? 'settled' : 'confirmed',
    })
  }
  if (receipt.refund) {
    const { date: day, amount, no } = receipt.refund
    enter(at(day, '16:00:00'), 'refund', [rest, rest.minus(amount)], [status(), 'matched'], {
      relatedNo: no!,
      detail: '多付退回',
    })
  }
  if (receipt.voidReason)
    enter(at(date, '11:00:00'), 'void', [receipt.amount, new Decimal(0)], ['registered', 'voided'], {
      detail: receipt.voidReason,
    })
  return { journal, matches }
}

/** Each entry of the journal shows the customer's balance after it. */
function addBalances(context: Context, journal: readonly RecordData[], opening: Books['opening']): void {
  const balances = new Map([...opening].map(([id, amount]) => [id, new Decimal(amount ?? 0)]))
  for (const record of journal) {
    recompute(context, entityOf(context, 'settlementJournal'), record)
    const change = new Decimal(String(record.balanceChange))
    if (change.isZero()) continue
    const balance = balances.get(record.customer as number)!.plus(change)
    balances.set(record.customer as number, balance)
    record.balanceAfter = money(balance)
  }
}

const matchOf = ({ statement, amount, writeOff }: PlannedMatch, rest: RecordData): RecordData => ({
  statement,
  amount: money(amount),
  writeOffAmount: money(writeOff),
  cancelled: false,
  ...rest,
})
