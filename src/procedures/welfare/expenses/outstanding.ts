import { Decimal } from '../../../../engine/expression/index.ts'
import { homeCurrency } from '../../../../engine/widgets/money/currencies.ts'
import {
  textIn,
  type FieldName,
  type Part,
  type ProcedureWork,
  type Stored,
} from '../../../../engine/server/procedure.ts'
import { decimal, zero } from '../../money/amounts.ts'
import { groupedBy } from '../groupedBy.ts'
import { expenseLineOf, familiesOf, type Family, type Line } from '../handling/family.ts'
import { inYuan } from './inYuan.ts'
import { contributionsIn } from './lineAmounts.ts'

const wageFields = [
  'person',
  'payroll',
  'welfareMonth',
  'batchStatus',
  'batchTaxSubject',
  'batchAgency',
  'customer',
] as const satisfies readonly FieldName<'payrollLine'>[]
export type WageLine = Part<'payrollLine', (typeof wageFields)[number]>

/** The wage lines that deduct contributions for this month or later ones. */
export const readWageLines = (
  work: ProcedureWork,
  people: readonly number[],
  { from, states }: { from: string; states: readonly Stored<'payroll'>['status'][] },
): Promise<WageLine[]> =>
  work.read('payrollLine', {
    where: {
      person: people,
      incomeType: 'wage',
      batchStatus: states,
      welfareMonth: { between: [from, null] },
      lineStatus: { not: 'removed' },
    },
    fields: wageFields,
    order: 'id',
  })

export const monthKey = (person: number, month: string): string => `${person} ${month}`

interface Outstanding {
  /** The person's own part, in yuan. */
  personal: Decimal
  /** Some family's contributions were not deducted exactly. */
  isOff: boolean
}

/** By `monthKey`: people's contributions for these months, minus what these wages have deducted. */
export async function readOutstanding(
  work: ProcedureWork,
  people: readonly number[],
  { from, to, lines }: { from: string; to: string; lines: readonly WageLine[] },
): Promise<Map<string, Outstanding>> {
  const sums = new Map<string, { month: string; personal: Decimal; company: Decimal }>()
  const add = (month: string, family: string, { personal, company }: Charge) => {
    const before = sums.get(`${month} ${family}`) ?? { month, personal: zero, company: zero }
    const sum = { month, personal: before.personal.plus(personal), company: before.company.plus(company) }
    sums.set(`${month} ${family}`, sum)
  }
  const where = { person: people, feeMonth: { between: [from, to] }, stage: ['open', 'locked'] } as const
  for (const family of familiesOf(work)) {
    const read = family.currency === homeCurrency ? chargedInYuan : chargedAtRates
    for (const charge of await read(work, family, where))
      add(monthKey(charge.person!, charge.feeMonth), family.key, charge)
  }
  const lineOf = new Map(lines.map((line) => [line.id, line]))
  const taken = await work.groups('payrollWelfare', {
    where: { line: [...lineOf.keys()] },
    by: ['line', 'feeMonth', 'family'],
    sum: ['personal', 'company'],
  })
  for (const { by, sum } of taken) {
    const { person, welfareMonth } = lineOf.get(by.line)!
    const month = by.feeMonth ?? welfareMonth!
    if (month < from || month > to) continue
    add(monthKey(person, month), by.family, {
      personal: decimal(sum.personal).negated(),
      company: decimal(sum.company).negated(),
    })
  }
  return new Map(
    [...groupedBy([...sums.values()], ({ month }) => month)].map(([month, own]) => [
      month,
      {
        personal: own.reduce((sum, { personal }) => sum.plus(personal), zero),
        isOff: own.some(({ personal, company }) => !personal.isZero() || !company.isZero()),
      },
    ]),
  )
}

interface Charge {
  personal: Decimal
  company: Decimal
}
type ChargeOf = Charge & Pick<Line, 'person' | 'feeMonth'>
interface ChargeFilter {
  person: readonly number[]
  feeMonth: { between: readonly [string, string] }
  stage: readonly ['open', 'locked']
}

async function chargedInYuan(work: ProcedureWork, family: Family, where: ChargeFilter): Promise<ChargeOf[]> {
  const by = ['person', 'feeMonth'] as const
  const name = expenseLineOf(family)
  const groups = await work.groups(name, { where, by, sum: ['personalTotal', 'companyTotal'] })
  const charges = groups.map(({ by: { person, feeMonth }, sum }): ChargeOf => ({
    person,
    feeMonth,
    personal: decimal(sum.personalTotal),
    company: decimal(sum.companyTotal),
  }))
  if (family.supplement?.lateFee !== 'daily') return charges
  const ofPersons = { where: { ...where, lateFeeBearer: 'person' as const }, by, sum: ['lateFee'] as const }
  return [
    ...charges,
    ...(await work.groups(name, ofPersons)).map(({ by: { person, feeMonth }, sum }): ChargeOf => ({
      person,
      feeMonth,
      personal: decimal(sum.lateFee),
      company: zero,
    })),
  ]
}

/** Each amount is converted separately, as payroll does, so the database cannot add them up. */
async function chargedAtRates(work: ProcedureWork, family: Family, where: ChargeFilter): Promise<ChargeOf[]> {
  const lines = await work.read(expenseLineOf(family), { where })
  const converted = await inYuan(work, family, lines)
  return lines.map((line): ChargeOf => {
    const items = Object.values(contributionsIn(family, line))
    const lateFee = textIn(line, 'lateFeeBearer') === 'person' ? textIn(line, 'lateFee') : null
    const sum = (amounts: readonly (string | null)[]) =>
      Decimal.sum(0, ...amounts.map((amount) => decimal(converted(line, amount))))
    return {
      person: line.person,
      feeMonth: line.feeMonth,
      personal: sum([...items.map(({ personal }) => personal), lateFee]),
      company: sum(items.map(({ company }) => company)),
    }
  })
}
