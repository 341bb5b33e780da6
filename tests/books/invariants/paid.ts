import { Broken } from '../world.ts'
import { idOf, money, type Books } from './Books.ts'

/** No wage is paid twice, before it is approved, or in another amount. */
export function paid({ payments, wages }: Pick<Books, 'payments' | 'wages'>): void {
  const live = new Map<number, number>()
  for (const payment of payments) {
    if (!['pending', 'sent', 'success'].includes(String(payment.status))) continue
    const wage = wages.find(({ id }) => id === idOf(payment.payrollLine))
    const who = `payment ${String(payment.id)} of ${String(payment.amount)}`
    if (!wage) throw new Broken('paid', `${who} is for no wage`)
    if (!['approved', 'paying', 'paid'].includes(String(wage.batchStatus)))
      throw new Broken('paid unapproved', `${who} is for a payroll that is ${String(wage.batchStatus)}`)
    if (!money(payment.amount).eq(money(wage.netPay)))
      throw new Broken('paid', `${who} is for a wage of ${String(wage.netPay)}`)
    if (live.has(wage.id!)) throw new Broken('paid twice', `${who} is the second for the same wage`)
    live.set(wage.id!, payment.id!)
  }
}
