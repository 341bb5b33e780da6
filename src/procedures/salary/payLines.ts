import type { ProcedureWork, Stored } from '../../../engine/server/procedure.ts'

type PayBatch = Stored<'payBatch'>
type PayLine = Stored<'payLine'>
type PayStatus = Stored<'payrollLine'>['payStatus']

/** A payment that was made, or may still be. */
export const live: readonly PayStatus[] = ['pending', 'sent', 'success']

/**
 * Finishes batches without payments that are at the bank, failed or returned; one paid by hand only once its receipt is
 * there. `reopens`: a finished one with such payments is not finished any more.
 */
export async function settleBatches(
  work: ProcedureWork,
  ids: readonly number[],
  { reopens = false } = {},
): Promise<void> {
  const locked = await work.lockAll('payBatch', ids)
  const batches = [...locked.values()].filter(
    ({ status }) => status === 'sent' || status === 'partial' || (reopens && status === 'finished'),
  )
  const open = new Set(
    (await linesIn(work, batches, ['sent', 'failed', 'returned'])).map(({ payBatch }) => payBatch as number),
  )
  const lacksReceipt = ({ payMethod, voucher }: PayBatch) => payMethod === 'manual' && (voucher ?? []).length === 0
  await work.changeAll(
    'payBatch',
    batches.map((batch) => {
      const isOpen = open.has(batch.id) || (batch.status !== 'finished' && lacksReceipt(batch))
      return { record: batch, values: { status: isOpen ? 'partial' : 'finished' } as const }
    }),
  )
}

export const linesIn = (
  work: ProcedureWork,
  batches: readonly PayBatch[],
  states: readonly PayLine['status'][],
): Promise<PayLine[]> =>
  work.read('payLine', { where: { payBatch: batches.map(({ id }) => id), status: states }, lock: true })

/** Moves lines into another state, and updates the state of their wages. */
export async function move(work: ProcedureWork, lines: readonly PayLine[], status: 'sent' | 'removed'): Promise<void> {
  await work.changeAll(
    'payLine',
    lines.map((record) => ({ record, values: { status } })),
  )
  await markWages(work, lines, status)
}

export async function markWages(
  work: ProcedureWork,
  lines: readonly PayLine[],
  payStatus: NonNullable<PayStatus>,
): Promise<void> {
  const wages = await work.read('payrollLine', {
    where: { id: lines.map(({ payrollLine }) => payrollLine) },
    lock: true,
  })
  await work.changeAll(
    'payrollLine',
    wages.map((record) => ({ record, values: { payStatus } })),
  )
}
