import type { RecordData } from '../../../engine/model/model.ts'
import type { Payroll } from '../model/tables.ts'
import { Broken, type World } from '../world.ts'
import { idOf, money, sum } from './Books.ts'

const approved = ['approved', 'paying', 'paid']

/**
 * These wages deduct the employee's share of the customer's benefits of this month and of earlier months with wages,
 * and count the taxable part as income, each once, unless other wages of such a month are unfinished. A benefit
 * withdrawn after its wages were approved is refunded in these wages, unless later wages have done so.
 */
export async function included(world: World, { customer }: Payroll, line: RecordData): Promise<void> {
  const person = { equals: idOf(line.person) }
  const whose = { person, customer: { equals: world.customers[customer].id } }
  const wages = (await world.all('/salary/payrollLine', whose)).filter(
    ({ incomeType, lineStatus, batchStatus }) =>
      incomeType === 'wage' && lineStatus !== 'removed' && batchStatus !== 'void',
  )
  const until = String(line.payrollMonth)
  const isDone = ({ batchStatus }: RecordData) => approved.includes(String(batchStatus))
  if (wages.some((wage) => !isDone(wage) && String(wage.payrollMonth) <= until)) return
  const months = new Set(wages.map(({ payrollMonth }) => payrollMonth))
  const isLast = wages.every(({ payrollMonth }) => String(payrollMonth) <= until)
  const benefits = await world.all('/welfare/otherBenefit', whose)
  const due = benefits.filter(
    ({ stage, feeMonth }) => stage === 'confirmed' && months.has(feeMonth) && String(feeMonth) <= until,
  )
  const ever = benefits.filter(({ id }) => world.model.agreed.has(id!))
  for (const [field, amount, among] of [
    ['benefitDeduct', 'personalAmount', () => true],
    ['benefitIncome', 'companyAmount', ({ taxable }: RecordData) => taxable === true],
  ] as const) {
    const is = sum(wages.filter(isDone), field)
    const subject = `${field} of person ${person.equals} comes to ${is.toFixed(2)}`
    const [least, most] = [sum(due.filter(among), amount), sum(ever.filter(among), amount)]
    if (is.lt(least)) throw new Broken('included', `${subject} and should be ${least.toFixed(2)}`)
    const allowed = isLast ? least : most
    if (is.gt(allowed) || money(line[field]).gt(least))
      throw new Broken(
        'included twice',
        `${subject}, benefits to ${least.toFixed(2)}, and all of ever to ${most.toFixed(2)}`,
      )
  }
}
