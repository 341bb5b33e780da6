import { Decimal } from 'decimal.js'
import type { RecordData } from '../../../engine/model/model.ts'
import { families } from '../model/amounts.ts'
import type { Payroll } from '../model/tables.ts'
import { Broken, type World } from '../world.ts'
import { idOf, money, sum, type Books } from './Books.ts'

const approved = ['approved', 'paying', 'paid']
const isContribution = ({ kind }: RecordData) => kind !== 'benefit'
const isWage = ({ incomeType, lineStatus }: RecordData) => incomeType === 'wage' && lineStatus !== 'removed'

/**
 * For every month with wages, the employee's share of the contributions is deducted from those wages or later ones, or
 * is in the list of undeducted contributions.
 */
export function deducted({
  wages,
  expenses,
  undeducted: listed,
}: Pick<Books, 'wages' | 'expenses' | 'undeducted'>): void {
  const undeducted = listed.filter(isContribution)
  const paid = wages.filter((line) => isWage(line) && approved.includes(String(line.batchStatus)))
  const charges = families.flatMap((family) => expenses[family]).filter(({ lineStatus }) => lineStatus !== 'void')
  for (const person of new Set([...paid, ...undeducted].map((line) => idOf(line.person)))) {
    const own = <T extends RecordData>(among: readonly T[]) => among.filter((line) => idOf(line.person) === person)
    const months = new Set(own(paid).map(({ welfareMonth }) => welfareMonth))
    const due = own(charges)
      .filter(({ feeMonth }) => months.has(feeMonth))
      .reduce((all, line) => all.plus(borne(line)), new Decimal(0))
    const is = sum(own(paid), 'welfarePersonalTotal').plus(sum(own(undeducted), 'amount'))
    if (!is.eq(due))
      throw new Broken(
        'deducted',
        `of person ${person} ${is.toFixed(2)} is deducted or listed, and ${due.toFixed(2)} due`,
      )
  }
}

const borne = ({ personalTotal, lateFee, lateFeeBearer }: RecordData): Decimal =>
  money(personalTotal).plus(lateFeeBearer === 'person' ? money(lateFee) : 0)

/**
 * These wages deduct the late contributions of every earlier month for which the same agent paid wages, but for what
 * unfinished wages hold, and unless other wages of that month are still unfinished.
 */
export async function caughtUp(world: World, { agency, welfareMonth }: Payroll, line: RecordData): Promise<void> {
  const person = { equals: idOf(line.person) }
  const ofAgency = new Set(world.model.payrolls.filter((payroll) => payroll.agency === agency).map(({ id }) => id))
  const wages = (await world.all('/salary/payrollLine', { person })).filter(
    (each) => isWage(each) && each.batchStatus !== 'void',
  )
  const rows = (await world.all('/salary/undeducted', { person })).filter(isContribution)
  if (rows.length === 0) return
  const held = await heldBy(
    world,
    wages.filter(({ batchStatus }) => !approved.includes(String(batchStatus))),
  )
  for (const { feeMonth, amount } of rows) {
    if (money(amount).eq(held.get(String(feeMonth)) ?? 0)) continue
    const same = wages.filter((wage) => wage.welfareMonth === feeMonth)
    const isOver = same.every(({ batchStatus }) => approved.includes(String(batchStatus)))
    const isOurs = same.some(({ payroll }) => ofAgency.has(idOf(payroll)))
    if (isOver && isOurs && String(feeMonth) <= welfareMonth)
      throw new Broken('caught up', `${String(amount)} of ${String(feeMonth)} of person ${person.equals} is left`)
  }
}

/** Fee month → the contributions that these lines of wages deduct. */
async function heldBy(world: World, lines: readonly RecordData[]): Promise<Map<string, Decimal>> {
  const held = new Map<string, Decimal>()
  for (const { id, welfareMonth } of lines) {
    const { welfare } = await world.get('/salary/payrollLine/detail', { id })
    for (const { feeMonth, personal } of welfare as RecordData[]) {
      const month = String(feeMonth ?? welfareMonth)
      held.set(month, money(personal).plus(held.get(month) ?? 0))
    }
  }
  return held
}
