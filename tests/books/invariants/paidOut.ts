import type { RecordData } from '../../../engine/model/model.ts'
import type { Payroll } from '../model/tables.ts'
import { Broken, type World } from '../world.ts'
import { idOf, money } from './Books.ts'

/** Whether the customer of a payroll has paid for all its wages, or need not do so before they are paid. */
async function isCovered(world: World, payroll: Payroll): Promise<boolean> {
  const { id, fee } = world.customers[payroll.customer]
  if (!fee.prepaid) return true
  const { batchNo } = await world.get('/salary/payroll/detail', { id: payroll.id })
  const costs = (await world.all('/settlement/costLine', { customer: { equals: id } })).filter(
    ({ sourceType, sourceId, party, amount }) =>
      sourceType === 'payroll' &&
      party === 'company' &&
      String(sourceId).startsWith(`${String(batchNo)}-`) &&
      !money(amount).isZero(),
  )
  const statements = await world.all('/settlement/statement', { customer: { equals: id } })
  return costs.every(({ statement }) => {
    const paid = statements.find((each) => each.id === idOf(statement))
    return paid !== undefined && paid.stage === 'confirmed' && money(paid.outstandingAmount).isZero()
  })
}

/** What was just sent to the bank was paid for by its customers. */
export async function covered(world: World, batch: RecordData): Promise<void> {
  for (const { id } of batch.payrolls as { id: number }[]) {
    const payroll = world.model.payrolls.find((each) => each.id === id)!
    if (!(await isCovered(world, payroll)))
      throw new Broken(
        'covered',
        `${String(batch.batchNo)} pays payroll ${world.model.payrolls.indexOf(payroll)} first`,
      )
  }
}

/** Once all was done to pay them, these wages are paid, unless the customer has to pay first. */
export async function paidOut(world: World, payroll: Payroll, wages: readonly RecordData[]): Promise<void> {
  if (!(await isCovered(world, payroll))) return
  const due = wages.filter(({ lineStatus, netPay }) => lineStatus === 'normal' && money(netPay).gt(0))
  const left = due.filter(({ payStatus }) => payStatus !== 'success')
  const subject = `payroll ${world.model.payrolls.indexOf(payroll)}`
  if (left.length > 0)
    throw new Broken('paid out', `${subject} is not: ${left.map(({ payStatus }) => String(payStatus)).join(', ')}`)
  const { status } = await world.get('/salary/payroll/detail', { id: payroll.id })
  if (due.length > 0 && status !== 'paid') throw new Broken('paid out', `${subject} is ${String(status)}`)
}
