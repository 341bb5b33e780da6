import { Decimal } from '../../../engine/expression/index.ts'
import { demand } from '../../../engine/server/access.ts'
import { Refusal, invalid } from '../../../engine/server/errors.ts'
import { writeHistories } from '../../../engine/server/history.ts'
import { idsOf } from '../../../engine/server/references.ts'
import type { Context, Procedure } from '../../../engine/server/runtime.ts'
import { lockRecord } from '../../../engine/server/save.ts'
import { insertRecords } from '../../../engine/server/write.ts'
import type { FieldProblem, Label, RecordData, Value } from '../../../engine/schema/model.ts'
import { type Allocation, refusedMatch } from './allocation.ts'
import { type Amount, decimal, money } from './amounts.ts'
import { appendJournal, type JournalEntry } from './journal.ts'
import { entityOf } from './stored.ts'

/** One line of the dialog: so much of this receipt for that statement. */
interface Line {
  index: number
  receipt: number
  statement: number
  amount: Decimal
  writeOff: Decimal
}

/**
 * Matches receipts to statements as the lines of `matches` say. Receipts are locked by the caller, statements here,
 * each in the order of their ids: what two do at once to one of them happens one after the other. Nothing is matched
 * where any line is refused.
 * @throws Refusal invalid, unknownRecord, outOfScope.
 */
export const matchReceipts: Procedure = async ({ context, db, records, values }) => {
  const lines = linesOf(context, records, values.matches)
  const statement = entityOf(context, 'statement')
  const statements = new Map<number, RecordData>()
  for (const id of [...new Set(lines.map((line) => line.statement))].sort((a, b) => a - b))
    statements.set(id, await lockRecord(context, db, statement, id))

  const rests = new Map(records.map((record) => [record.id!, decimal(record.unmatchedAmount as Amount)]))
  const debts = new Map([...statements].map(([id, record]) => [id, decimal(record.outstandingAmount as Amount)]))
  const tolerance = decimal(context.settings.parameter.matchTolerance as Amount)
  const problems: FieldProblem[] = []
  const matched: Allocation[] = []
  for (const { index, receipt, statement: id, amount, writeOff } of lines) {
    const [rest, outstanding] = [rests.get(receipt)!, debts.get(id)!]
    const refused =
      notMatching(
        records.find((record) => record.id === receipt)!,
        statements.get(id)!,
      ) ?? refusedMatch({ amount, writeOff, rest, outstanding, tolerance })
    if (refused)
      problems.push({
        field: `matches.${index}.${refused.field}`,
        code: 'match',
        message: atRow(index, refused.message),
      })
    else {
      matched.push({ fund: receipt, debt: id, before: outstanding, amount, writeOff })
      rests.set(receipt, rest.minus(amount))
      debts.set(id, outstanding.minus(amount).minus(writeOff))
    }
  }
  if (problems.length > 0) throw invalid(problems)

  await insertRecords(
    context,
    db,
    entityOf(context, 'receiptMatch'),
    matched.map(({ fund, debt, before, amount, writeOff }) => ({
      receipt: fund,
      statement: debt,
      customer: statements.get(debt)!.customer,
      outstandingBefore: money(before),
      amount: money(amount),
      writeOffAmount: money(writeOff),
      matchedBy: context.user.id || null,
      matchedAt: context.now,
      cancelled: false,
    })),
  )
  await appendJournal(context, db, journalOf(records, statements, matched))
  await writeHistories(
    context,
    db,
    entityOf(context, 'receipt'),
    records.map((record) => ({ action: 'match', record, old: record })),
  )
  return { matches: matched.length }
}

/**
 * The same from the other side: what the lines say of receipts goes to this statement.
 * @throws Refusal as `matchReceipts`, permission.
 */
export const matchStatement: Procedure = async (call) => {
  const {
    context,
    db,
    records: [statement],
    values,
  } = call
  const lines = (Array.isArray(values.matches) ? (values.matches as RecordData[]) : []).filter(
    ({ receipt }) => idsOf(receipt ?? null).length > 0,
  )
  const receipt = entityOf(context, 'receipt')
  demand(context.user, receipt.permissions.view)
  const records: RecordData[] = []
  for (const id of [...new Set(lines.flatMap((line) => idsOf(line.receipt ?? null)))].sort((a, b) => a - b))
    records.push(await lockRecord(context, db, receipt, id))
  if (records.length === 0) throw nothingMatched()
  const result = await matchReceipts({
    ...call,
    entity: receipt.name,
    records,
    values: { matches: lines.map((line) => ({ ...line, statement: statement.id! })) as Value },
  })
  await writeHistories(context, db, entityOf(context, 'statement'), [
    { action: 'match', record: statement, old: statement },
  ])
  return result
}

const nothingMatched = () =>
  invalid([
    { field: 'matches', code: 'required', message: { cn: '请填写核销金额', en: 'Please enter what is matched' } },
  ])

/** The lines that say an amount. @throws Refusal invalid where none does, or one is about no chosen receipt. */
function linesOf(context: Context, records: readonly RecordData[], given: Value): Line[] {
  const { amount, writeOffAmount } = entityOf(context, 'receiptMatch').fields
  const amountOf = (field: typeof amount, value: Value) =>
    context.derived.widget(field).normalize(value, field.options) as Amount
  const lines = (Array.isArray(given) ? (given as RecordData[]) : []).flatMap((row, index): Line[] => {
    const found = {
      amount: amountOf(amount, row.amount ?? null),
      writeOff: amountOf(writeOffAmount, row.writeOffAmount ?? null),
    }
    if (found.amount === null || isZero(found.amount)) return []
    for (const [name, field, value] of [
      ['amount', amount, found.amount],
      ['writeOffAmount', writeOffAmount, found.writeOff],
    ] as const) {
      const problem =
        value === null
          ? undefined
          : context.derived.widget(field).check(value, field.options, {
              label: field.label,
              dictionary: (one) => context.derived.catalog.dictionaries[one],
              now: () => context.now,
            })
      if (problem)
        throw invalid([
          { field: `matches.${index}.${name}`, code: problem.code, message: atRow(index, problem.message) },
        ])
    }
    const [receipt = records[0].id!] = idsOf(row.receipt ?? null)
    const [statement] = idsOf(row.statement ?? null)
    if (statement === undefined || !records.some(({ id }) => id === receipt))
      throw new Refusal('request', { parameters: { detail: `matches.${index}` } })
    return [{ index, receipt, statement, amount: new Decimal(found.amount), writeOff: decimal(found.writeOff) }]
  })
  if (lines.length === 0) throw nothingMatched()
  return lines
}

/** What is no number at all is the widget's to refuse. */
const isZero = (amount: string) => /^-?0*(\.0*)?$/.test(amount)

const atRow = (index: number, message: Label): Label => ({
  cn: `第${index + 1}行：${message.cn}`,
  en: `Row ${index + 1}: ${message.en}`,
})

/** Only what its customer has confirmed and not paid yet is paid. */
function notMatching(receipt: RecordData, statement: RecordData): { field: 'statement'; message: Label } | undefined {
  if (receipt.customer !== statement.customer)
    return { field: 'statement', message: { cn: '对账单不属于该客户', en: "The statement is another customer's" } }
  return ['confirmed', 'invoiced'].includes(String(statement.status))
    ? undefined
    : {
        field: 'statement',
        message: {
          cn: '只能核销已确认、未结清的对账单',
          en: 'Only statements that are confirmed and not settled can be matched',
        },
      }
}

/** Each match twice: in the receipt's log what is left of it, in the statement's what is outstanding. */
function journalOf(
  receipts: readonly RecordData[],
  statements: ReadonlyMap<number, RecordData>,
  matched: readonly Allocation[],
): JournalEntry[] {
  const rests = new Map(receipts.map((record) => [record.id!, decimal(record.unmatchedAmount as Amount)]))
  const stati = new Map(receipts.map((record) => [record.id!, String(record.status)]))
  return matched.flatMap(({ fund, debt, before, amount, writeOff }): JournalEntry[] => {
    const [receipt, statement] = [receipts.find(({ id }) => id === fund)!, statements.get(debt)!]
    const [rest, status] = [rests.get(fund)!, stati.get(fund)!]
    const [left, outstanding] = [rest.minus(amount), before.minus(amount).minus(writeOff)]
    rests.set(fund, left)
    stati.set(fund, left.isZero() ? 'matched' : 'partMatched')
    const common = {
      action: 'match',
      customer: statement.customer as number,
      ...(writeOff.gt(0) && { detail: `尾差 ${money(writeOff)}` }),
    }
    return [
      {
        ...common,
        subject: 'receipt',
        documentNo: String(receipt.receiptNo),
        receipt: fund,
        relatedNo: String(statement.statementNo),
        amountBefore: money(rest),
        amountAfter: money(left),
        statusBefore: status,
        statusAfter: stati.get(fund)!,
      },
      {
        ...common,
        subject: 'statement',
        documentNo: String(statement.statementNo),
        statement: debt,
        relatedNo: String(receipt.receiptNo),
        amountBefore: money(before),
        amountAfter: money(outstanding),
        statusBefore: String(statement.status),
        statusAfter: outstanding.isZero() ? 'settled' : String(statement.status),
      },
    ]
  })
}
