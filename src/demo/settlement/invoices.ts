import { addDays } from '../../../engine/expression/index.ts'
import { recompute } from '../../../engine/server/records/effects.ts'
import { insertMany } from '../../../engine/server/records/insertMany.ts'
import { ProcedureWork, type Stored, type StoredFile } from '../../../engine/server/procedure.ts'
import type { Context, Db } from '../../../engine/server/runtime.ts'
import { lockRecord } from '../../../engine/server/records/save.ts'
import { insertRecords } from '../../../engine/server/records/write.ts'
import type { RecordData, Value } from '../../../engine/model/model.ts'
import { decimal, money, round2, zero } from '../../procedures/money/amounts.ts'
import { billingDetailFields, typeOf } from '../../procedures/settlement/invoiceBuyer.ts'
import { readContracts } from '../../procedures/settlement/invoiced.ts'
import { redInvoice } from '../../procedures/settlement/redFlush.ts'
import { changeRecord, entityOf } from '../changeRecord.ts'
import { blankPage } from '../pictures/blankPage.ts'
import { entryOf, journalOf } from './invoiceJournal.ts'
import { InvoiceNumbers } from './InvoiceNumbers.ts'
import { applications, type Invoicing } from './invoiceRecords.ts'
import { Random } from '../random.ts'
import { storeFile } from '../../../engine/server/files/storeFile.ts'
import type { Resolve } from '../Resolve.ts'

const seed = 20260317
const [applied, undelivered, redFlushed, voided] = [8, 6, 4, 3]
const statementFields = [
  'customer',
  'agency',
  'contract',
  'billMonth',
  'stage',
  'confirmedAt',
  'taxMethod',
  'taxRate',
  'totalAmount',
  'passThroughAmount',
] as const

/**
 * The invoices of the confirmed statements: most are issued and delivered some days after the confirmation, the latest
 * are still to be issued, a few were voided or reversed. The rest is open to invoicing.
 */
export async function writeInvoices(context: Context, db: Db, resolve: Resolve): Promise<void> {
  const random = new Random(seed)
  const clerk = Number(resolve('user', 'invoiceClerk'))
  const made = (await invoicings(context, db, random, Number(resolve('user', 'support')))).map((invoicing) => ({
    appliedAt: invoicing.appliedAt,
    records: applications(invoicing),
  }))
  const single = made.filter(({ records }) => records.length === 1 && String(records[0].invoiceType).startsWith('e'))
  const [waiting, refused] = [new Set(single.slice(0, applied)), new Set(single.slice(-voided))]
  const file = {
    ...(await storeFile(context, db, '数电发票.pdf', new TextEncoder().encode(blankPage))),
    status: 'success',
  }
  const numbers = new InvoiceNumbers(context.now.slice(0, 10))
  const all = made
    .toSorted((a, b) => (a.appliedAt < b.appliedAt ? -1 : 1))
    .flatMap((each) =>
      each.records.map((record) => {
        if (refused.has(each))
          Object.assign(record, { status: 'voided', reason: random.pick(['wrongAmount', 'rejected', 'withdrawn']) })
        else if (!waiting.has(each)) Object.assign(record, issue(context, record, { numbers, random, clerk, file }))
        return record
      }),
    )
  // Whatever the day of the month, the last issued invoices await delivery.
  const last = all
    .filter(({ status }) => status === 'issued')
    .sort((a, b) => String(b.issueDate).localeCompare(String(a.issueDate)))
    .slice(0, undelivered)
  for (const record of last) Object.assign(record, { deliveredAt: null, expressCompany: null, expressNo: null })
  await writeAll(context, db, all, numbers)
  const entries = all.flatMap((record) => journalOf(record, clerk))
  const issued = all.filter(({ status }) => status === 'issued')
  const taken = issued
    .filter(({ invoiceType, amount }) => String(invoiceType).startsWith('e') && decimal(amount as string).gt(0))
    .slice(3)
    .filter((_, index) => index % 7 === 0)
    .slice(0, redFlushed)
  for (const blue of taken) entries.push(...(await takeBack(context, db, blue, { numbers, random, clerk, file })))
  const journal = entityOf(context, 'settlementJournal')
  for (const entry of entries) recompute(context, journal, entry)
  await insertRecords(context, db, journal, entries, { keepStamps: true })
}

async function writeAll(context: Context, db: Db, records: RecordData[], numbers: InvoiceNumbers): Promise<void> {
  const ids = await insertMany(
    context,
    db,
    entityOf(context, 'invoice'),
    records.map(({ applicant, appliedAt, ...record }): RecordData => ({
      ...record,
      applicant,
      appliedAt,
      applyNo: numbers.application(String(appliedAt)),
      createdBy: applicant,
      createdAt: appliedAt,
      updatedBy: applicant,
      updatedAt: appliedAt,
    })),
    { action: 'create' },
  )
  const fields = ['applyNo', 'amount', 'taxAmount', 'netAmount'] as const
  const written = await new ProcedureWork(context, db).byId('invoice', ids, { fields })
  records.forEach((record, index) => Object.assign(record, written.get(ids[index])))
}

/** Latest first, but that of the user who signs in as support before all others. */
async function invoicings(context: Context, db: Db, random: Random, support: number): Promise<Invoicing[]> {
  const work = new ProcedureWork(context, db)
  const confirmed = await work.read('statement', { where: { stage: 'confirmed' }, fields: statementFields })
  const statements = confirmed.filter(({ totalAmount }) => decimal(totalAmount).gt(0))
  const contracts = await readContracts(work, statements)
  const customers = await work.byId(
    'customer',
    statements.map(({ customer }) => customer),
    { fields: [...billingDetailFields, 'supportStaff'] },
  )
  const held = new Map<number, (typeof statements)[number]>()
  const open = twoOpen(statements, ({ customer }) => customers.get(customer)!.supportStaff === support)
  const found = statements
    .filter((statement) => !open.has(statement))
    .sort((a, b) => (String(a.confirmedAt) < String(b.confirmedAt) ? -1 : 1))
    .flatMap((statement): Invoicing[] => {
      const [contract, customer] = [contracts.get(statement.contract)!, customers.get(statement.customer)!]
      // Some are invoiced together with the following month.
      const before = held.get(statement.contract)
      held.delete(statement.contract)
      if (!before && random.chance(0.06)) {
        held.set(statement.contract, statement)
        return []
      }
      if (random.chance(0.05)) return []
      const share = random.chance(0.05) ? '0.6' : '1'
      const rows = [...(before ? [before] : []), statement].map((each) => ({
        statement: each,
        amount: money(round2(decimal(each.totalAmount).times(share))),
      }))
      const day = addDays(String(statement.confirmedAt).slice(0, 10), random.integer(0, 2))!
      const time = `${String(random.integer(11, 17)).padStart(2, '0')}:${String(random.integer(10, 59))}:00`
      const appliedAt = [`${day} ${time}`, context.now].sort()[0]
      return [
        {
          rows,
          contract,
          customer,
          invoiceType: typeOf(contract, customer),
          applicant: customer.supportStaff,
          appliedAt,
          serviceType: work.dictionary('serviceType'),
        },
      ]
    })
  const latest = found.reverse()
  const first = latest.findIndex(({ applicant }) => applicant === support)
  return first < 0 ? latest : [latest[first], ...latest.slice(0, first), ...latest.slice(first + 1)]
}

/** A customer's last two that are not invoiced yet: one application takes both. */
function twoOpen<S extends Pick<Stored<'statement'>, 'contract' | 'customer'>>(
  statements: readonly S[],
  isOwn: (statement: S) => boolean,
): Set<S> {
  const last = (contract: number) => statements.filter((statement) => statement.contract === contract).slice(-2)
  const pair = statements
    .filter(isOwn)
    .map(({ contract }) => last(contract))
    .find((two) => two.length === 2)
  return new Set(pair)
}

interface Issuing {
  numbers: InvoiceNumbers
  random: Random
  clerk: number
  file: RecordData
}

function issue(context: Context, record: RecordData, { numbers, random, clerk, file }: Issuing): RecordData {
  const today = context.now.slice(0, 10)
  const applied = String(record.appliedAt).slice(0, 10)
  const issueDate = [addDays(applied, random.integer(0, 8))!, today].sort()[0]
  // Invoices issued in the last days await delivery.
  const isDelivered = issueDate < addDays(today, -2)!
  const isExpress = record.deliverMethod === 'express' && isDelivered
  return {
    status: 'issued',
    issueDate,
    issuer: clerk,
    ...numbers.next(String(record.invoiceType), issueDate.slice(0, 7)),
    files: (String(record.invoiceType).startsWith('e') ? [file] : null) as Value,
    deliveredAt: isDelivered ? `${addDays(issueDate, 1)!} 16:20:00` : null,
    ...(isExpress && { expressCompany: '演示速运', expressNo: `DEMO${random.digits(10)}` }),
  }
}

async function takeBack(
  context: Context,
  db: Db,
  blue: RecordData,
  { numbers, random, clerk, file }: Issuing,
): Promise<RecordData[]> {
  const entity = entityOf(context, 'invoice')
  const issueDate = [addDays(String(blue.issueDate), random.integer(3, 12))!, context.now.slice(0, 10)].sort()[0]
  const at: Context = {
    ...context,
    user: { ...context.user, id: clerk },
    now: `${issueDate} 15:30:00` < context.now ? `${issueDate} 15:30:00` : context.now,
  }
  const reason = random.pick(['wrongInfo', 'wrongAmount', 'returned'] as const)
  const red = redInvoice(new ProcedureWork(at, db), blue as Stored<'invoice'>, {
    reason,
    reasonRemark: null,
    issueDate,
    files: [file as StoredFile],
    ...numbers.next(String(blue.invoiceType), issueDate.slice(0, 7)),
  })
  const [id] = await insertMany(
    at,
    db,
    entity,
    [
      {
        // oxlint-disable-next-line formwork/record-casts -- its rows are lists that are only read, which records have not
        ...(red as RecordData),
        applyNo: numbers.application(at.now),
        createdBy: clerk,
        createdAt: at.now,
        updatedBy: clerk,
        updatedAt: at.now,
      },
    ],
    { action: 'redFlush' },
  )
  const work = new ProcedureWork(context, db)
  const [made] = await work.read('invoice', { where: { id }, fields: ['applyNo', 'amount'] })
  const stored = await lockRecord(context, db, entity, blue.id!)
  await changeRecord(at, db, entity, stored, { status: 'redFlushed', reason })
  const entry = entryOf(clerk, at.now, 'redFlush')
  return [
    {
      ...entry(blue),
      amountBefore: blue.amount!,
      amountAfter: money(zero),
      statusBefore: 'issued',
      statusAfter: 'redFlushed',
      relatedNo: made.applyNo!,
    },
    {
      ...entry({ ...blue, ...made }),
      amountBefore: money(zero),
      amountAfter: made.amount!,
      statusAfter: 'issued',
      relatedNo: blue.applyNo!,
    },
  ]
}
