import { Decimal } from 'decimal.js'
import type { RecordData } from '../../../engine/model/model.ts'
import type { Approved, Payroll } from '../model/tables.ts'
import { bonusTax, taxDue } from '../model/tax.ts'
import { Broken, type World } from '../world.ts'
import { idOf, money } from './Books.ts'
import { capped } from './capped.ts'
import { caughtUp } from './deducted.ts'
import { included } from './included.ts'

/**
 * Checks lines that were just approved: gross and net follow from the inputs, the tax equals that of the whole year
 * recomputed from scratch, and no contributions of earlier months remain undeducted.
 */
export async function taxed(world: World, payroll: Payroll, lines: readonly RecordData[]): Promise<void> {
  const { model } = world
  for (const line of lines) {
    if (line.lineStatus === 'removed') continue
    const person = model.people.findIndex(({ id }) => id === idOf(line.person))
    const who = `P${person} in payroll ${model.payrolls.indexOf(payroll)}`
    const gross = grossOf(line)
    same('gross pay', who, money(line.grossPay), gross)
    const contributions = money(line.welfarePersonalTotal)
    if (payroll.incomeType === 'wage') {
      await caughtUp(world, payroll, line)
      await included(world, payroll, line)
    }
    const withheld = money(line.currentTax)
    const beyondCap = await capped(
      world,
      line,
      model.wages.filter((wage) => wage.person === person),
    )
    const statutory = [...beyondCap.values()].reduce((left, beyond) => left.minus(beyond), contributions)
    const paid = { ...payroll, beyondCap, person, payroll: payroll.id, gross, statutory, withheld }
    const before = earlier(world, person, payroll)
    const wage = { ...paid, ...termsOf(world, person, before, paid) }
    const due = () => taxDue([...before, wage], wage.taxFrom, wage.special)
    same('taxed', who, withheld, payroll.incomeType === 'annualBonus' ? bonusTax(gross) : due())
    const net = gross
      .minus(contributions)
      .minus(withheld)
      .plus(money(line.afterTaxAdd))
      .minus(money(line.afterTaxDeduct))
    same('net pay', who, money(line.netPay), net)
    model.wages.push(wage)
  }
}

const earlier = (world: World, person: number, { taxMonth, ...payroll }: Payroll) =>
  world.model.wages.filter(
    (wage) =>
      wage.person === person &&
      wage.agency === payroll.agency &&
      wage.incomeType === 'wage' &&
      wage.taxMonth.slice(0, 4) === taxMonth.slice(0, 4) &&
      wage.taxMonth <= taxMonth,
  )

/** Each agent has its own tax year: its wages, its months and the deductions declared to it. */
function termsOf(
  { model }: World,
  person: number,
  before: World['model']['wages'],
  { taxMonth, agency: agent }: Payroll,
): Pick<Approved, 'taxFrom' | 'special'> {
  const stints = model.people[person].stints.filter((stint) => stint.agency === agent)
  const latest = stints.at(-1)!
  // Where income continues within the year, so does the count of months.
  const isGoingOn = before.some((wage) => wage.taxMonth <= latest.taxFrom)
  const taxFrom = isGoingOn ? stints[0].taxFrom : latest.taxFrom
  const special = model.deductions
    .filter((row) => row.person === person && row.agency === agent && row.taxMonth <= taxMonth)
    .toSorted((a, b) => (a.taxMonth < b.taxMonth ? -1 : 1))
    .at(-1)
  return { taxFrom, special: new Decimal(special?.cumTotal ?? 0) }
}

function grossOf(line: RecordData): Decimal {
  const added = [
    'baseSalary',
    'positionPay',
    'performancePay',
    'overtimePay',
    'bonus',
    'mealAllowance',
    'transportAllowance',
    'otherAllowance',
    'otherPreTax',
  ]
  return added.reduce((sum, field) => sum.plus(money(line[field])), new Decimal(0)).minus(money(line.absenceDeduction))
}

function same(rule: string, who: string, is: Decimal, due: Decimal): void {
  if (!is.eq(due)) throw new Broken(rule, `${who} is ${is.toFixed(2)} and should be ${due.toFixed(2)}`)
}
