import { Decimal } from '../../../engine/expression/index.ts'
import { recompute } from '../../../engine/server/records/effects.ts'
import { textIn, type Stored } from '../../../engine/server/procedure.ts'
import type { Context } from '../../../engine/server/runtime.ts'
import type { RecordData } from '../../../engine/model/model.ts'
import type { Amount } from '../../procedures/money/amounts.ts'
import { absence, wageItemNames, type WageItems } from '../../procedures/salary/grossToNet.ts'
import type { PersonWelfare } from '../../procedures/salary/readWelfare.ts'
import type { Earned } from '../../procedures/salary/taxLine.ts'
import { computeLine, type PayrollTerms } from '../../procedures/salary/computeLine.ts'
import { deductionTotal, monthsOfYear, type MonthlyDeductions } from './deductions.ts'
import type { Employed } from '../staff/employed.ts'
import { Random } from '../random.ts'
import type { Stage } from './insertPayrolls.ts'

/** What the lines are calculated from, and the results of those of earlier months. */
export interface Known {
  deductions: ReadonlyMap<number, MonthlyDeductions>
  /** The last tax month with deductions. */
  declaredUntil: string
  minimums: ReadonlyMap<string, string | null>
  brackets: PayrollTerms['brackets']
  /** Year and person → their wages in it so far. */
  years: Map<string, Earned[]>
  last: Map<number, string>
  sample: number | undefined
  random: Random
  /** Customer → name. */
  customers: ReadonlyMap<number, string>
  /** Of the current month. */
  welfare: ReadonlyMap<number, PersonWelfare>
}

export function wageLine(
  context: Context,
  known: Known,
  person: Employed,
  payroll: RecordData,
  { stage, spoilt }: { stage: Stage; spoilt: boolean },
): RecordData {
  const { random } = known
  const month = String(payroll.payrollMonth)
  const base = new Decimal(person.baseSalary)
  // No benefit of the demo belongs to a person yet.
  const benefits = { benefitDeduct: '0.00', benefitIncome: '0.00' }
  if (person.id === known.sample)
    return calculatedLine(context, known, { person, payroll, items: { baseSalary: person.baseSalary, ...benefits } })
  const isPart = person.entryDate > `${month}-15` || (person.leaveDate !== null && person.leaveDate <= `${month}-15`)
  const missed = isPart ? '11' : random.chance(0.06) ? String(random.integer(1, 2)) : undefined
  const items: RecordData = {
    ...benefits,
    baseSalary: person.baseSalary,
    performancePay: base
      .times(
        random.weighted([
          ['0', 60],
          ['0.05', 25],
          ['0.1', 15],
        ] as const),
      )
      .toFixed(2),
    mealAllowance: random.chance(0.5) ? '300.00' : null,
    transportAllowance: random.chance(0.3) ? '200.00' : null,
    overtimePay: random.chance(0.12) ? `${random.integer(2, 16) * 50}.00` : null,
    ...(missed !== undefined && {
      workDays: '22.0',
      actualDays: new Decimal(22).minus(missed).toFixed(1),
      absenceDeduction: absence(person.baseSalary, '21.75', '22', new Decimal(22).minus(missed).toFixed()).toFixed(2),
    }),
    ...(spoilt && { afterTaxDeduct: base.times(2).toFixed(2), remark: '扣回借支' }),
  }
  return calculatedLine(context, known, { person, payroll, items, bare: stage === 'draft' && !spoilt })
}

/** The inputs of a line. */
const wageItemsIn = (line: RecordData): WageItems & { exemptIncome: Amount } => ({
  ...Object.fromEntries(wageItemNames.map((name) => [name, textIn(line, name)])),
  exemptIncome: textIn(line, 'exemptIncome'),
})

/** What it adds to the year. */
const earnedIn = (line: RecordData): Earned => ({
  grossPay: textIn(line, 'grossPay'),
  exemptIncome: textIn(line, 'exemptIncome'),
  statutory: textIn(line, 'statutory'),
  otherDeduction: textIn(line, 'otherDeduction'),
  currentTax: textIn(line, 'currentTax'),
})

interface Unfinished {
  person: Employed
  payroll: RecordData
  items: RecordData
  /** Not calculated yet. */
  bare?: boolean
}

/** Calculates the line, as the action does, and records what it adds to the year. */
export function calculatedLine(
  context: Context,
  known: Known,
  { person, payroll, items, bare = false }: Unfinished,
): RecordData {
  const entity = context.derived.catalog.entities.payrollLine
  const [taxMonth, payrollMonth, incomeType] = [
    String(payroll.taxMonth),
    String(payroll.payrollMonth),
    payroll.incomeType as Stored<'payroll'>['incomeType'],
  ]
  const year = `${taxMonth.slice(0, 4)} ${person.id}`
  const monthly = known.deductions.get(person.id)
  // A month without imported deductions uses those of the last month.
  const declared = taxMonth < known.declaredUntil ? taxMonth : known.declaredUntil
  const isDeclared = monthly !== undefined && declared.slice(0, 4) === taxMonth.slice(0, 4)
  const months = isDeclared ? monthsOfYear(declared, person) : 0
  const line: RecordData = {
    person: person.id,
    personName: person.name,
    exemptIncome: null,
    lineStatus: 'normal',
    welfarePersonalTotal: '0.00',
    welfareCompanyTotal: '0.00',
    statutory: '0.00',
    otherDeduction: '0.00',
    currentTax: '0.00',
    ...items,
  }
  if (!bare) {
    const { fields, welfare } = computeLine(
      wageItemsIn(line),
      {
        taxStartMonth: person.taxStartMonth,
        firstJobThisYear: person.firstJobThisYear === true,
        fullSixty: person.fullSixty === true,
        reliefRate: person.taxRelief === 'none' ? null : person.reliefRate,
        earlier: known.years.get(year) ?? [],
        cumSpecial: isDeclared ? `${deductionTotal(monthly, months)}.00` : null,
        cumPension: monthly?.cumPersonalPension ? `${Math.min(12_000, monthly.cumPersonalPension * months)}.00` : null,
        hasDeduction: isDeclared && declared === taxMonth,
        welfare: known.welfare.get(person.id),
        wageCard: person.card,
        leaveDate: person.leaveDate,
        minimumWage: known.minimums.get(person.workCity) ?? null,
        averageWage: null,
        previousGross: incomeType === 'wage' ? (known.last.get(person.id) ?? null) : null,
      },
      { incomeType, taxMonth, payrollMonth, brackets: known.brackets, monthly: '5000', changePercent: '30' },
    )
    Object.assign(line, fields, { welfareItems: welfare })
  }
  recompute(context, entity, line)
  if (incomeType === 'wage') {
    known.years.set(year, [...(known.years.get(year) ?? []), earnedIn(line)])
    known.last.set(person.id, String(line.grossPay))
  }
  return line
}
