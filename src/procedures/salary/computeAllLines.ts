import { addMonths } from '../../../engine/expression/index.ts'
import type { ProcedureWork, Stored } from '../../../engine/server/procedure.ts'
import { type Amount, decimal, money, total } from '../money/amounts.ts'
import { readAverageWages } from './averageWage.ts'
import { NoBracket } from './brackets.ts'
import {
  approvedStates,
  earnedOf,
  januaryOf,
  type OtherLine,
  readBasicDeduction,
  readBrackets,
  readCards,
  readDeductions,
  readMinimumWages,
  readOther,
} from './payrollData.ts'
import { benefitsFor, followingBenefits } from './proposeBenefits.ts'
import { readTaxpayers, taxpayerFields } from './taxpayerOf.ts'
import { readWelfareLeft } from './welfareLeft.ts'
import { computeLine, type About, type PayrollTerms, type WorkedLine } from './computeLine.ts'

type Payroll = Stored<'payroll'>
type Line = Stored<'payrollLine'>
type Names = ReadonlyMap<number, { name: string }>

/** Computes every line of a payroll from current data. @throws Refusal notAllowed. */
export async function computeAllLines(
  work: ProcedureWork,
  payroll: Payroll,
): Promise<(WorkedLine & { record: Line })[]> {
  const lines = await work.read('payrollLine', { where: { payroll: payroll.id, lineStatus: { not: 'removed' } } })
  const aboutOf = await readAbout(work, payroll, lines)
  const shareFor = await benefitsFor(
    work,
    lines.map(({ person }) => ({ payroll, person })),
  )
  const terms: PayrollTerms = {
    incomeType: payroll.incomeType,
    taxMonth: payroll.taxMonth,
    payrollMonth: payroll.payrollMonth,
    brackets: await readBrackets(work),
    monthly: await readBasicDeduction(work, payroll.taxMonth),
    changePercent: work.settings.parameter.payChangePercent,
  }
  try {
    return lines.map((record) => {
      const benefits = followingBenefits(record, shareFor(payroll, record.person))
      const { fields, welfare } = computeLine({ ...record, ...benefits }, aboutOf(record), terms)
      return { record, fields: { ...benefits, ...fields }, welfare }
    })
  } catch (error) {
    if (error instanceof NoBracket) refuseNoBracket(work, error)
    throw error
  }
}

/** Tables of a law that has ended no longer apply. */
function refuseNoBracket(work: ProcedureWork, { table, month }: NoBracket): never {
  const name = work.dictionary('taxTable').choices.find(({ value }) => value === table)!.label
  return work.refuseCall({
    cn: `${month}没有生效的税率表“${name.cn}”，请先维护税率表，或改用其他所得项目计税`,
    en: `No tax table "${name.en}" is in force in ${month}: enter one, or pay it as other income`,
  })
}

/** Everything known of the people in a payroll. @throws Refusal notAllowed. */
async function readAbout(
  work: ProcedureWork,
  payroll: Payroll,
  lines: readonly Line[],
): Promise<(line: Line) => About> {
  const { taxMonth: month, payrollMonth, incomeType } = payroll
  const ids = lines.map(({ person }) => person)
  const people = await work.byId('person', ids, {
    fields: ['name', 'workCity', 'leaveDate', ...taxpayerFields],
  })
  const january = januaryOf(month)
  const others = (from: string, to: string, kind: Payroll['incomeType'] = 'wage') =>
    readOther(work, payroll, ids, { states: approvedStates, incomeType: kind, from, to })
  const earlier = await others(january, month)
  // (say of what) The bonus method may be used once a year, in whichever month is approved first.
  if (incomeType === 'annualBonus')
    refuseSecondBonus(work, people, (await others(january, `${month.slice(0, 4)}-12`, 'annualBonus')).lines)
  const averages =
    incomeType === 'severance'
      ? await readAverageWages(work, [...new Set([...people.values()].map(({ workCity }) => workCity))], month)
      : new Map<string, Amount>()
  const averageOf = ({ averageWage, person }: Line): Amount =>
    averageWage ?? averages.get(people.get(person)!.workCity) ?? null
  if (incomeType === 'severance')
    refuseUnknownAverage(
      work,
      people,
      lines.filter((line) => averageOf(line) === null),
    )
  const taxpayerOf = await readTaxpayers(work, payroll, [...people.values()], { taxMonth: month, earlier })
  const welfareOf = await readWelfareLeft(work, payroll, ids)
  const deductions = await readDeductions(work, payroll, ids)
  const cards = await readCards(work, ids, payrollMonth)
  const left = await readLeft(work, payroll, ids)
  const minimums = await readMinimumWages(work, payrollMonth)
  const last = (await others(addMonths(month, -1)!, addMonths(month, -1)!)).lines

  return (line) => {
    const id = line.person
    const person = people.get(id)!
    const row = deductions.get(id)
    return {
      ...taxpayerOf(person),
      earlier: earnedOf(earlier.lines, id),
      cumSpecial: row?.cumTotal ?? null,
      cumPension: row?.cumPersonalPension ?? null,
      hasDeduction: row?.taxMonth === month,
      welfare: welfareOf(id),
      wageCard: cards.get(id) ?? null,
      leaveDate: person.customer === payroll.customer ? person.leaveDate : (left.get(id) ?? person.leaveDate),
      minimumWage: minimums.get(person.workCity) ?? null,
      averageWage: incomeType === 'severance' ? averageOf(line) : null,
      previousGross: last.some((each) => each.person === id)
        ? money(total(earnedOf(last, id).map(({ grossPay }) => decimal(grossPay))))
        : null,
    }
  }
}

/** Person → when they last left the customer, wherever they are now. */
async function readLeft(
  work: ProcedureWork,
  { customer }: Payroll,
  people: readonly number[],
): Promise<Map<number, string | null>> {
  const stints = await work.read('employmentRecord', {
    where: { customer, person: people, leaveDate: { empty: false } },
    fields: ['person', 'leaveDate'],
    order: 'entryDate',
  })
  return new Map(stints.map(({ person, leaveDate }) => [person, leaveDate]))
}

function refuseSecondBonus(work: ProcedureWork, people: Names, taxed: readonly OtherLine[]): void {
  const names = [...new Set(taxed.map(({ person }) => people.get(person)?.name))]
  if (names.length === 0) return
  work.refuseCall({
    cn: `${names.join('、')}本年度已使用全年一次性奖金计税，请剔除或并入工资`,
    en: `The annual bonus method was already used this year for ${names.join(', ')}: remove them, or pay it with the wages`,
  })
}

/**
 * The exempt part of a severance depends on the average wage: without a policy that states it, it has to be entered by
 * hand.
 */
function refuseUnknownAverage(work: ProcedureWork, people: Names, unknown: readonly Line[]): void {
  const names = unknown.map(({ person }) => people.get(person)?.name)
  if (names.length === 0) return
  work.refuseCall({
    cn: `${names.join('、')}的工作城市没有生效的政策，请在明细中填写当地月平均工资`,
    en: `No policy is in force where ${names.join(', ')} work${names.length > 1 ? '' : 's'}: enter the local average wage in the lines`,
  })
}
