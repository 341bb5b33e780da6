import { Decimal } from '../../../engine/expression/index.ts'
import { recompute } from '../../../engine/server/records/effects.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { ProcedureWork } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { nextNumbers } from '../../../engine/server/postgres/system.ts'
import { insertRecords } from '../../../engine/server/records/write.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import { entityOf } from '../stored.ts'
import { companyAccount } from '../identifiers.ts'
import { type PlannedMatch, type PlannedReceipt, type Owed, planReceipts } from './receiptPlan.ts'
import { Random } from '../random.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260311
const money = (amount: Decimal) => amount.toFixed(2)

/**
 * What came in for the confirmed statements: most paid once and whole, some in parts, some together; some late, a few
 * not at all.
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
      account: (accounts.find((one) => one.agency === agency) ?? accounts[0]).id,
    }
  })
  const plan = planReceipts(random, owed, today)
  await number(context, db, plan)
  await write(context, db, random, plan, {
    cashier: Number(resolve('user', 'cashier')),
    owed: new Map(owed.map((one) => [one.statement, one])),
    opening: new Map([...customers].map(([id, { openingBalance }]) => [id as number, openingBalance])),
  })
}

/** Numbers of their own days, in their order. */
async function number(context: Context, db: Db, plan: PlannedReceipt[]): Promise<void> {
  const { format } = entityOf(context, 'receipt').fields.receiptNo.options as { format: string }
  const refunds = plan.flatMap(({ refund }) => refund ?? [])
  plan.sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0))
  const all = [...plan, ...refunds]
  for (const date of new Set(all.map((one) => one.date))) {
    const ofDay = all.filter((one) => one.date === date)
    const numbers = await nextNumbers(db, format, ofDay.length, `${date} 09:00:00`)
    ofDay.forEach((one, index) => {
      one.no = numbers[index]
    })
  }
}

async function write(
  context: Context,
  db: Db,
  random: Random,
  plan: PlannedReceipt[],
  {
    cashier,
    owed,
    opening,
  }: { cashier: number; owed: ReadonlyMap<number, Owed>; opening: ReadonlyMap<number, string | null> },
): Promise<void> {
  const at = (date: string, time: string) => (`${date} ${time}` < context.now ? `${date} ${time}` : context.now)
  const recordOf = (one: PlannedReceipt, serial: number): RecordData => {
    const stamp = {
      createdBy: cashier,
      createdAt: at(one.date, '10:20:00'),
      updatedBy: cashier,
      updatedAt: at(one.date, '10:20:00'),
    }
    return {
      receiptNo: one.no!,
      direction: 'in',
      entryMode: 'manual',
      customer: one.customer,
      receivedDate: one.date,
      amount: money(one.amount),
      method: one.method,
      companyAccount: one.account,
      payerName: one.payer,
      payerAccount: companyAccount(random),
      payerBank: random.pick(['北辰示范银行演示支行', '南屏示范银行示范支行', '东澜示范银行样例支行']),
      bankSerialNo:
        one.method === 'cash' ? null : `DEMO${one.date.replaceAll('-', '')}${String(serial).padStart(6, '0')}`,
      summary: one.summary,
      matchedAmount: '0',
      refundedAmount: '0',
      voidReason: one.voidReason ?? null,
      ...(one.customer !== null && { claimedBy: cashier, claimedAt: stamp.createdAt }),
      ...stamp,
    }
  }
  const ids = await insertMany(
    context,
    db,
    entityOf(context, 'receipt'),
    plan.map((one, index) => recordOf(one, index + 1)),
    { action: 'create' },
  )
  const journal: RecordData[] = []
  const matches: RecordData[] = []
  const refunds: RecordData[] = []
  const debts = new Map([...owed].map(([id, { amount }]) => [id, amount]))
  plan.forEach((one, index) => {
    const common = {
      subject: 'receipt',
      documentNo: one.no!,
      receipt: ids[index],
      customer: one.customer,
      operator: cashier,
    }
    const told = (
      occurredAt: string,
      action: string,
      before: Decimal | null,
      after: Decimal,
      stati: [string | null, string],
      more: RecordData = {},
    ) =>
      journal.push({
        ...common,
        occurredAt,
        action,
        amountBefore: before && money(before),
        amountAfter: money(after),
        statusBefore: stati[0],
        statusAfter: stati[1],
        ...more,
      })
    told(at(one.date, '10:20:00'), 'register', null, one.amount, [null, 'registered'], { detail: one.payer })
    let rest = one.amount
    const status = () => (rest.isZero() ? 'matched' : rest.equals(one.amount) ? 'registered' : 'partMatched')
    for (const match of one.matches) {
      const matchedAt = at(one.date, '15:10:00')
      const before: [Decimal, string, Decimal] = [rest, status(), debts.get(match.statement)!]
      rest = rest.minus(match.amount)
      const left = before[2].minus(match.amount).minus(match.writeOff)
      debts.set(match.statement, left)
      matches.push(
        matchOf(match, {
          receipt: ids[index],
          customer: one.customer,
          outstandingBefore: money(before[2]),
          matchedBy: cashier,
          matchedAt,
        }),
      )
      const { no } = owed.get(match.statement)!
      const writeOffAmount = match.writeOff.isZero() ? null : money(match.writeOff)
      told(matchedAt, 'match', before[0], rest, [before[1], status()], { relatedNo: no, writeOffAmount })
      journal.push({
        subject: 'statement',
        documentNo: no,
        statement: match.statement,
        customer: one.customer,
        operator: cashier,
        occurredAt: matchedAt,
        action: 'match',
        relatedNo: one.no!,
        writeOffAmount,
        amountBefore: money(before[2]),
        amountAfter: money(left),
        statusBefore: 'confirmed',
        statusAfter: left.isZero() ? 'settled' : 'confirmed',
      })
    }
    if (one.refund) {
      const { amount } = one.refund
      told(at(one.refund.date, '16:00:00'), 'refund', rest, rest.minus(amount), [status(), 'matched'], {
        relatedNo: one.refund.no!,
        detail: '多付退回',
      })
      const stamp = {
        createdBy: cashier,
        createdAt: at(one.refund.date, '16:00:00'),
        updatedBy: cashier,
        updatedAt: at(one.refund.date, '16:00:00'),
      }
      refunds.push({
        ...recordOf(one, 0),
        receivedDate: one.refund.date,
        direction: 'out',
        refundOf: ids[index],
        amount: money(amount),
        bankSerialNo: null,
        receiptNo: one.refund.no!,
        remark: '多付退回',
        ...stamp,
      })
    }
    if (one.voidReason)
      told(at(one.date, '11:00:00'), 'void', one.amount, new Decimal(0), ['registered', 'voided'], {
        detail: one.voidReason,
      })
  })
  await insertMany(context, db, entityOf(context, 'receiptMatch'), matches, { action: 'create' })
  await insertMany(context, db, entityOf(context, 'receipt'), refunds, { action: 'refund' })
  journal.sort((one, other) => (String(one.occurredAt) < String(other.occurredAt) ? -1 : 1))
  const balances = new Map([...opening].map(([id, amount]) => [id, new Decimal(amount ?? 0)]))
  for (const record of journal) {
    recompute(context, entityOf(context, 'settlementJournal'), record)
    const change = new Decimal(String(record.balanceChange))
    if (change.isZero()) continue
    const balance = balances.get(record.customer as number)!.plus(change)
    balances.set(record.customer as number, balance)
    record.balanceAfter = money(balance)
  }
  await insertRecords(context, db, entityOf(context, 'settlementJournal'), journal)
}

const matchOf = ({ statement, amount, writeOff }: PlannedMatch, rest: RecordData): RecordData => ({
  statement,
  amount: money(amount),
  writeOffAmount: money(writeOff),
  cancelled: false,
  ...rest,
})
