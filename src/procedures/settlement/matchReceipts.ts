import { Decimal } from '../../../engine/expression/index.ts'
import type { Label } from '../../../engine/model/model.ts'
import { procedure, type ProcedureWork, Refusal, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { type Allocation, refusedMatch } from './allocation.ts'
import { decimal, money } from '../money/amounts.ts'
import { appendJournal, type JournalEntry } from './journal.ts'

/** One line of the dialog: an amount of this receipt for that statement. */
interface Line {
  index: number
  receipt: number
  statement: number
  amount: Decimal
  writeOff: Decimal
}
type Receipt = Stored<'receipt'>
type Statement = Stored<'statement'>
/** The rows of the dialog, as submitted. */
type Rows = readonly Values<'receiptMatch'>[]

/**
 * Matches receipts to statements as the lines of `matches` state. The caller locks receipts, this function statements,
 * each in id order, so that simultaneous matches of one record run in sequence. If any line is refused, nothing is
 * matched.
 * @throws Refusal invalid, unknownRecord, outOfScope.
 */
export const matchReceipts = procedure<'receipt'>((work, { records, values: { matches } }) =>
  match(work, records, matches ?? []),
)

async function match(work: ProcedureWork, records: readonly Receipt[], given: Rows): Promise<{ matches: number }> {
  const lines = linesOf(work, records, given)
  const statements = await work.lockAll(
    'statement',
    lines.map(({ statement }) => statement),
    { seen: true },
  )
  const rests = new Map<number, Decimal>(records.map(({ id, unmatchedAmount }) => [id, decimal(unmatchedAmount)]))
  const debts = new Map([...statements].map(([id, { outstandingAmount }]) => [id, decimal(outstandingAmount)]))
  const tolerance = decimal(work.settings.parameter.matchTolerance)
  const problems: Parameters<typeof work.refuse<'receipt'>>[1][number][] = []
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
  if (problems.length > 0) work.refuse('receipt', problems)

  await work.insert(
    'receiptMatch',
    matched.map(({ fund, debt, before, amount, writeOff }) => ({
      receipt: fund,
      statement: debt,
      customer: statements.get(debt)!.customer,
      outstandingBefore: money(before),
      amount: money(amount),
      writeOffAmount: money(writeOff),
      matchedBy: work.user,
      matchedAt: work.now,
      cancelled: false,
    })),
  )
  await appendJournal(work, journalOf(records, statements, matched))
  await work.note('receipt', records, 'match')
  return { matches: matched.length }
}

/**
 * The same from the other side: the lines assign amounts of receipts to this statement.
 * @throws Refusal as `matchReceipts`, permission.
 */
export const matchStatement = procedure<'statement'>(async (work, { records: [statement], values: { matches } }) => {
  const lines = (matches ?? []).flatMap((row) => {
    const { receipt } = work.canonical('receiptMatch', { receipt: row.receipt })
    return receipt ? [{ ...row, receipt, statement: statement.id }] : []
  })
  work.demandView('receipt')
  const records = await work.lockAll(
    'receipt',
    lines.map(({ receipt }) => receipt),
    { seen: true },
  )
  if (records.size === 0) refuseNothing(work)
  const result = await match(work, [...records.values()], lines)
  await work.note('statement', [statement], 'match')
  return result
})

const refuseNothing = (work: ProcedureWork): never =>
  work.refuse('receipt', [
    { field: 'matches', code: 'required', message: { cn: '请填写核销金额', en: 'Please enter the amount to match' } },
  ])

/**
 * The lines with an amount. @throws Refusal invalid if there are none, or one concerns a receipt that was not chosen.
 */
function linesOf(work: ProcedureWork, records: readonly Receipt[], given: Rows): Line[] {
  const lines = given.flatMap((row, index): Line[] => {
    const { receipt, statement, amount, writeOffAmount } = work.canonical('receiptMatch', {
      receipt: row.receipt ?? null,
      statement: row.statement ?? null,
      amount: row.amount ?? null,
      writeOffAmount: row.writeOffAmount ?? null,
    })
    if (!amount || isZero(amount)) return []
    for (const [name, value] of [
      ['amount', amount],
      ['writeOffAmount', writeOffAmount],
    ] as const) {
      const problem = value ? work.problemIn('receiptMatch', name, value) : undefined
      if (problem)
        work.refuse('receipt', [
          { field: `matches.${index}.${name}`, code: problem.code, message: atRow(index, problem.message) },
        ])
    }
    const receiptId = receipt ?? records[0].id
    if (!statement || !records.some(({ id }) => id === receiptId))
      throw new Refusal('request', { parameters: { detail: `matches.${index}` } })
    return [{ index, receipt: receiptId, statement, amount: new Decimal(amount), writeOff: decimal(writeOffAmount) }]
  })
  if (lines.length === 0) refuseNothing(work)
  return lines
}

/** If it is not a number, the widget refuses it. */
const isZero = (amount: string) => /^-?0*(\.0*)?$/.test(amount)

const atRow = (index: number, message: Label): Label => ({
  cn: `第${index + 1}行：${message.cn}`,
  en: `Row ${index + 1}: ${message.en}`,
})

/** Only statements that the customer has confirmed and not fully paid can be matched. */
function notMatching(receipt: Receipt, statement: Statement): { field: 'statement'; message: Label } | undefined {
  if (receipt.customer !== statement.customer)
    return {
      field: 'statement',
      message: { cn: '对账单不属于该客户', en: 'The statement belongs to another customer' },
    }
  return statement.status === 'confirmed' || statement.status === 'invoiced'
    ? undefined
    : {
        field: 'statement',
        message: {
          cn: '只能核销已确认、未结清的对账单',
          en: 'Only statements that are confirmed and not settled can be matched',
        },
      }
}

/**
 * Each match twice: with the receipt's remainder in its journal, and with the outstanding amount in the statement's.
 */
function journalOf(
  receipts: readonly Receipt[],
  statements: ReadonlyMap<number, Statement>,
  matched: readonly Allocation[],
): JournalEntry[] {
  const rests = new Map<number, Decimal>(receipts.map(({ id, unmatchedAmount }) => [id, decimal(unmatchedAmount)]))
  const stati = new Map<number, Receipt['status']>(receipts.map(({ id, status }) => [id, status]))
  return matched.flatMap(({ fund, debt, before, amount, writeOff }): JournalEntry[] => {
    const [receipt, statement] = [receipts.find(({ id }) => id === fund)!, statements.get(debt)!]
    const [rest, status] = [rests.get(fund)!, stati.get(fund)!]
    const [left, outstanding] = [rest.minus(amount), before.minus(amount).minus(writeOff)]
    rests.set(fund, left)
    stati.set(fund, left.isZero() ? 'matched' : 'partMatched')
    const common = {
      action: 'match' as const,
      customer: statement.customer,
      ...(writeOff.gt(0) && { writeOffAmount: money(writeOff) }),
    }
    return [
      {
        ...common,
        subject: 'receipt',
        documentNo: receipt.receiptNo,
        receipt: fund,
        relatedNo: statement.statementNo,
        amountBefore: money(rest),
        amountAfter: money(left),
        statusBefore: status,
        statusAfter: stati.get(fund)!,
      },
      {
        ...common,
        subject: 'statement',
        documentNo: statement.statementNo,
        statement: debt,
        relatedNo: receipt.receiptNo,
        amountBefore: money(before),
        amountAfter: money(outstanding),
        statusBefore: statement.status,
        statusAfter: outstanding.isZero() ? 'settled' : statement.status,
      },
    ]
  })
}
