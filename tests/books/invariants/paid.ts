import { Broken } from '../world.ts'
import { idOf, money, type Books } from './Books.ts'

const approved = ['approved', 'paying', 'paid']

/** No wage is paid twice, before it is approved, while it is held, or in another amount. */
export function paid({ payments, wages }: Pick<Books, 'payments' | 'wages'>): void {
  const live = new Map<number, number>()
  for (const payment of payments) {
    if (!['pending', 'sent', 'success'].includes(String(payment.status))) continue
    const wage = wages.find(({ id }) => id === idOf(payment.payrollLine))
    const who = `payment ${String(payment.id)} of ${String(payment.amount)}`
    if (!wage) throw new Broken('paid', `${who} is for no wage`)
    if (!approved.includes(String(wage.batchStatus)))
      throw new Broken('paid unapproved', `${who} is for a payroll that is ${String(wage.batchStatus)}`)
    if (wage.lineStatus !== 'normal')
      throw new Broken('paid held', `${who} is for a wage that is ${String(wage.lineStatus)}`)
    if (!money(payment.amount).eq(money(wage.netPay)))
      throw new Broken('paid', `${who} is for a wage of ${String(wage.netPay)}`)
    if (live.has(wage.id!)) throw new Broken('paid twice', `${who} is the second for the same wage`)
    live.set(wage.id!, payment.id!)
  }
}

/** The states of a batch in which somebody still has to deal with a payment in this state. */
const owners: Record<string, string[]> = {
  pending: ['draft', 'submitted', 'rejected', 'approved'],
  sent: ['sent', 'partial'],
  failed: ['partial'],
  returned: ['partial'],
}

/**
 * Each wage is paid, waits in a batch that somebody still has to deal with, or may be put into one; and says so itself.
 */
export function waiting({ payments, wages, payrolls }: Pick<Books, 'payments' | 'wages' | 'payrolls'>): void {
  for (const wage of wages) {
    if (!approved.includes(String(wage.batchStatus)) || wage.lineStatus !== 'normal' || money(wage.netPay).lte(0))
      continue
    const own = payments.filter(({ payrollLine, status }) => idOf(payrollLine) === wage.id && status !== 'removed')
    const last = own.toSorted((a, b) => a.id! - b.id!).findLast(({ status }) => status !== 'reissued')
    const says = wage.payStatus === 'removed' ? null : wage.payStatus
    const who = `wage ${wage.id} of ${String(wage.netPay)}, ${String(says)},`
    if ((last?.status ?? null) !== says)
      throw new Broken('waiting', `${who} has a payment that is ${String(last?.status)}`)
    if (says !== null && says !== 'success' && !owners[String(says)].includes(String(last!.batchStatus)))
      throw new Broken('waiting', `${who} is in a batch that is ${String(last!.batchStatus)}`)
    const payroll = payrolls.find(({ id }) => id === idOf(wage.payroll))
    if (says !== 'success' && payroll?.status === 'paid')
      throw new Broken('waiting', `${who} is of a payroll that is paid`)
  }
}
