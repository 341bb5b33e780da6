import type { Decimal } from '../../../engine/expression/index.ts'
import type { ProcedureWork, Stored } from '../../../engine/server/procedure.ts'
import { decimal, total } from '../money/amounts.ts'
import { readSettled } from './settledWages.ts'

type PayBatch = Stored<'payBatch'>
type PayLine = Stored<'payLine'>

/** Wages of a customer that pays in advance wait for its statement, unless its contract allows an advance. */
export async function refuseUnpaid(work: ProcedureWork, batch: PayBatch, lines: readonly PayLine[]): Promise<void> {
  const payrolls = await work.read('payroll', {
    where: { id: batch.payrolls },
    fields: ['batchNo', 'serviceContract', 'payrollMonth'],
  })
  const contracts = await work.byId(
    'contract',
    payrolls.map(({ serviceContract }) => serviceContract),
    { fields: ['paymentTerms', 'advanceAllowed', 'advanceLimit'], lock: true },
  )
  const wages = await work.read('payrollLine', {
    where: { id: lines.map(({ payrollLine }) => payrollLine) },
    fields: ['payroll', 'netPay'],
  })
  const settled = await readSettled(work, payrolls)
  const waiting = payrolls.filter(
    ({ id, serviceContract }) => contracts.get(serviceContract)!.paymentTerms === 'prepaid' && !settled.has(id),
  )
  const before = await readAdvanced(
    work,
    batch,
    waiting.map(({ serviceContract }) => serviceContract),
  )
  const blocked = waiting.filter(({ serviceContract }) => {
    const { advanceAllowed, advanceLimit } = contracts.get(serviceContract)!
    const own = new Set(waiting.filter((each) => each.serviceContract === serviceContract).map(({ id }) => id))
    const now = total(wages.filter(({ payroll }) => own.has(payroll)).map(({ netPay }) => decimal(netPay)))
    const advanced = now.plus(before.get(serviceContract) ?? 0)
    return advanceAllowed !== true || (advanceLimit !== null && advanced.gt(decimal(advanceLimit)))
  })
  if (blocked.length > 0)
    work.refuseCall({
      cn: `先款后付的客户尚未结清对账单，不能代发：${blocked.map(({ batchNo }) => batchNo).join('、')}`,
      en: `The customer is on prepayment terms and its statement is not settled: ${blocked.map(({ batchNo }) => batchNo).join(', ')}`,
    })
}

/** Contract → what other batches pay, or have paid, of wages whose statement is not settled. */
async function readAdvanced(
  work: ProcedureWork,
  batch: PayBatch,
  contracts: readonly number[],
): Promise<Map<number, Decimal>> {
  if (contracts.length === 0) return new Map()
  const payrolls = await work.read('payroll', {
    where: { serviceContract: contracts, status: ['approved', 'paying', 'paid'] },
    fields: ['batchNo', 'serviceContract', 'payrollMonth'],
  })
  const settled = await readSettled(work, payrolls)
  const open = new Map(
    payrolls.filter(({ id }) => !settled.has(id)).map((payroll) => [payroll.id, payroll.serviceContract]),
  )
  const lines = await work.read('payrollLine', { where: { payroll: [...open.keys()] }, fields: ['payroll'] })
  const wages = new Map(lines.map((line) => [line.id, line.payroll]))
  const paid = await work.read('payLine', {
    where: { payrollLine: [...wages.keys()], status: ['pending', 'sent', 'success'], payBatch: { not: batch.id } },
    fields: ['payrollLine', 'payBatch', 'amount'],
  })
  const batches = await work.byId(
    'payBatch',
    paid.map(({ payBatch }) => payBatch),
    { fields: ['status'] },
  )
  const advanced = new Map<number, Decimal>()
  for (const { payrollLine, payBatch, amount } of paid) {
    if (['draft', 'rejected', 'cancelled'].includes(batches.get(payBatch)!.status)) continue
    const contract = open.get(wages.get(payrollLine!)!)!
    advanced.set(contract, decimal(amount).plus(advanced.get(contract) ?? 0))
  }
  return advanced
}
