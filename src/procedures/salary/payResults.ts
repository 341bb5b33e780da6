import { procedure, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { keepOneDefault } from '../bank/cards.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { appendSalaryJournal, type SalaryEntry } from './journal.ts'
import { markWages, settleBatches } from './payLines.ts'
import { settlePaid, settlePayrolls } from './settlePayrolls.ts'

type PayLine = Stored<'payLine'>

/** Records the bank's results of payments by hand. @throws Refusal invalid if a failure has no reason. */
export const markResult = procedure<'payLine'>(async (work, { records, values }) => {
  const { result = null, failReason = null, paidAt } = values
  if (result !== 'success' && !failReason)
    work.refuse('payLine', [
      {
        field: 'failReason',
        code: 'required',
        message: { cn: '失败或退票必须填写失败原因', en: 'A failed or returned payment needs a reason' },
      },
    ])
  const isPaid = result === 'success'
  await work.recordOnce('payLine', records, { action: 'markResult' }, async () => {
    await work.changeAll(
      'payLine',
      records.map((line) => ({
        record: line,
        values: { result, failReason: isPaid ? null : failReason, paidAt: isPaid ? (paidAt ?? work.now) : null },
      })),
    )
    await keepResults(work, records)
  })
})

/** The bank returned payments that it had made: the wages are open again, and may be paid again. */
export const recordReturn = procedure<'payLine'>((work, { records, values: { failReason = null } }) =>
  work.recordOnce('payLine', records, { action: 'recordReturn' }, async () => {
    await work.changeAll(
      'payLine',
      records.map((record) => ({ record, values: { result: 'returned', failReason } as const })),
    )
    await keepResults(work, records, 'success')
  }),
)

/** Records the bank's results of payments from its file. */
export const recordResult = procedure<'payLine'>((work, { records }) => keepResults(work, records))

async function keepResults(
  work: ProcedureWork,
  lines: readonly PayLine[],
  statusBefore: 'sent' | 'success' = 'sent',
): Promise<void> {
  await work.changeAll(
    'payLine',
    lines.map((line) => ({
      record: line,
      values: {
        ...(line.result && { status: line.result }),
        paidAt: line.result === 'success' ? (line.paidAt ?? work.now) : null,
      },
    })),
  )
  for (const [result, own] of groupedBy(lines, (line) => line.result))
    if (result !== null) await markWages(work, own, result)
  const failed = lines.filter(({ result }) => result !== null && result !== 'success')
  await failCards(work, failed)
  const notices = work.noticesOf('payLine', 'markResult')
  await work.notifyAll(
    'payLine',
    failed.map((line) => ({ record: line, notices })),
  )
  await stampCards(work, lines)
  await appendPaymentEntries(work, lines, ({ status, amount, failReason }) => ({
    action: 'result',
    statusBefore,
    statusAfter: status,
    amountBefore: amount,
    amountAfter: amount,
    reason: failReason,
  }))
  const batches = [...new Set(lines.map(({ payBatch }) => payBatch))]
  await settleBatches(work, batches, { reopens: statusBefore === 'success' })
  await settlePaid(work, lines)
}

/** Writes into the salary journal what happened to each payment, and in which batch. */
async function appendPaymentEntries(
  work: ProcedureWork,
  lines: readonly PayLine[],
  entryOf: (line: PayLine) => Partial<SalaryEntry> & Pick<SalaryEntry, 'action'>,
): Promise<void> {
  const batches = await work.byId(
    'payBatch',
    lines.map(({ payBatch }) => payBatch),
    { fields: ['batchNo'] },
  )
  await appendSalaryJournal(
    work,
    lines.map((line) => ({
      subject: 'payLine',
      documentNo: batches.get(line.payBatch)!.batchNo,
      customer: line.customer,
      payBatch: line.payBatch,
      payLine: line.id,
      person: line.person,
      ...entryOf(line),
    })),
  )
}

/** Stores on the cards of these payments when they were last paid to; what the bank returned was not. */
async function stampCards(work: ProcedureWork, lines: readonly PayLine[]): Promise<void> {
  const person = lines.map((line) => line.person)
  const own = new Set(lines.map(cardOf))
  const cards = (await work.read('personBankCard', { where: { person }, lock: true })).filter((card) =>
    own.has(cardOf(card)),
  )
  const paid = await work.groups('payLine', {
    where: { person, status: 'success' },
    by: ['person', 'accountNo'],
    max: ['paidAt'],
  })
  const lastOf = new Map(paid.map(({ by, max }) => [cardOf(by), max.paidAt]))
  await work.changeAll(
    'personBankCard',
    cards.map((record) => ({ record, values: { lastPaidAt: lastOf.get(cardOf(record)) ?? null } })),
  )
}

const cardOf = ({ person, accountNo }: { person: number | null; accountNo: string | null }): string =>
  `${person} ${accountNo}`

/** Marks the cards of these payments as failed. */
async function failCards(work: ProcedureWork, failed: readonly PayLine[]): Promise<void> {
  const reasons = new Map(failed.map((line) => [cardOf(line), line.failReason]))
  const cards = await work.read('personBankCard', {
    where: { person: failed.map(({ person }) => person), status: 'enabled' },
    lock: true,
  })
  await work.changeAll(
    'personBankCard',
    cards
      .filter((card) => reasons.has(cardOf(card)))
      .map((record) => ({
        record,
        values: { verifyStatus: 'failed', verifyRemark: reasons.get(cardOf(record)) } as const,
      })),
    { action: 'fail' },
  )
}

/** The payroll does not wait for people whose pay is held. */
export const settleHeld = procedure<'payrollLine'>((work, { records }) =>
  settlePayrolls(
    work,
    records.map(({ payroll }) => payroll),
  ),
)

/**
 * Sets the payee's new card, which becomes their default, in the payments. Nobody has approved a payment to it, so a
 * batch that is to be approved, or is, goes back to its draft; who changed it may not approve it.
 */
export const changeCard = procedure<'payLine'>(async (work, { records, values }) => {
  const { accountName, accountNo, bank } = values
  const people = await work.byId(
    'person',
    records.map(({ person }) => person),
    { fields: ['name'] },
  )
  const cards = await work.insert(
    'personBankCard',
    [...people.values()].map(({ id, name }): Values<'personBankCard'> => ({
      person: id,
      accountName,
      accountNo,
      bank,
      isDefault: true,
      effectiveFrom: work.now.slice(0, 7),
      verifyStatus: 'unverified',
      status: 'enabled',
      nameDiffReason: accountName === name ? null : '代发时更换',
    })),
    { action: 'create' },
  )
  await keepOneDefault(work, cards)
  await work.changeAll(
    'payLine',
    records.map((record) => ({ record, values: { accountName, accountNo, bank } })),
    { action: 'changeCard' },
  )
  await appendPaymentEntries(work, records, ({ status }) => ({
    action: 'changeCard',
    statusBefore: status,
    statusAfter: status,
  }))
  await noteChanger(
    work,
    records.map(({ payBatch }) => payBatch),
  )
})

/** Stores who changed payees of these batches, and takes those that have been or are to be judged back to drafts. */
async function noteChanger(work: ProcedureWork, ids: readonly number[]): Promise<void> {
  const batches = [...(await work.lockAll('payBatch', [...new Set(ids)])).values()]
  const judged = batches.filter(isJudged)
  await appendSalaryJournal(
    work,
    judged.map(({ id, batchNo, status, totalAmount }) => ({
      subject: 'payBatch',
      documentNo: batchNo,
      payBatch: id,
      action: 'changeCard',
      statusBefore: status,
      statusAfter: 'draft',
      amountBefore: totalAmount,
      amountAfter: totalAmount,
    })),
  )
  const draft: Values<'payBatch'> = { status: 'draft', approver: null, approvedAt: null }
  await work.changeAll(
    'payBatch',
    batches.map((record) => ({
      record,
      values: {
        payeeChangers: [...new Set([...(record.payeeChangers ?? []), ...(work.user ? [work.user] : [])])],
        ...(isJudged(record) && draft),
      },
    })),
    { action: 'changeCard' },
  )
}

const isJudged = ({ status }: Stored<'payBatch'>): boolean => status === 'submitted' || status === 'approved'
