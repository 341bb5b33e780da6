import type { ProcedureWork, Stored, Values } from '../../../engine/server/procedure.ts'

/** The payrolls of these payments. */
export async function settlePaid(
  work: ProcedureWork,
  lines: readonly Pick<Stored<'payLine'>, 'payrollLine'>[],
): Promise<void> {
  const wages = await work.read('payrollLine', {
    where: { id: lines.map(({ payrollLine }) => payrollLine) },
    fields: ['payroll'],
  })
  await settlePayrolls(
    work,
    wages.map(({ payroll }) => payroll),
  )
}

/**
 * A payroll is paid when everybody in it who should be paid is, and is no longer once one of them is not. If no payment
 * is left at all, it is approved as before.
 */
export async function settlePayrolls(work: ProcedureWork, payrolls: readonly number[]): Promise<void> {
  const begun = await work.read('payroll', { where: { id: [...new Set(payrolls)], status: begunStates }, lock: true })
  const payroll = begun.map(({ id }) => id)
  const open = await work.groups('payrollLine', {
    where: {
      payroll,
      lineStatus: 'normal',
      netPay: { between: ['0.01', null] },
      payStatus: { not: 'success' },
    },
    by: ['payroll'],
  })
  const payments = await work.groups('payrollLine', {
    where: { payroll, payStatus: ['pending', 'sent', 'success', 'failed', 'returned'] },
    by: ['payroll'],
  })
  const [waiting, going] = [open, payments].map((found) => new Set(found.map(({ by }) => by.payroll)))
  const stateOf = (id: number): Stored<'payroll'>['status'] =>
    !waiting.has(id) ? 'paid' : going.has(id) ? 'paying' : 'approved'
  await work.changeAll(
    'payroll',
    begun.flatMap((record) => {
      const status = stateOf(record.id)
      if (status === record.status) return []
      const values: Values<'payroll'> = { status, paidAt: status === 'paid' ? work.now : null }
      return [{ record, values }]
    }),
  )
}
const begunStates = ['paying', 'paid'] as const
