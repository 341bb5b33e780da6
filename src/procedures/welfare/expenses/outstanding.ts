import type { Decimal } from '../../../../engine/expression/index.ts'
import { type FieldName, type Part, type ProcedureWork, type Stored } from '../../../../engine/server/procedure.ts'
import { decimal, zero } from '../../money/amounts.ts'
import { groupedBy } from '../groupedBy.ts'
import { expenseLineOf, familiesOf } from '../handling/family.ts'

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

/** The lines of wages that deduct contributions of a month or a later one. */
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
  /** Of the person's own. */
  personal: Decimal
  /** Not every family's are taken exactly. */
  isOff: boolean
}

/** What people's contributions of these months come to, less what these wages have taken of them: by `monthKey`. */
export async function readOutstanding(
  work: ProcedureWork,
  people: readonly number[],
  { from, to, lines }: { from: string; to: string; lines: readonly WageLine[] },
): Promise<Map<string, Outstanding>> {
  const sums = new Map<string, { month: string; personal: Decimal; company: Decimal }>()
  const add = (month: string, family: string, personal: Decimal, company: Decimal) => {
    const before = sums.get(`${month} ${family}`) ?? { month, personal: zero, company: zero }
    const sum = { month, personal: before.personal.plus(personal), company: before.company.plus(company) }
    sums.set(`${month} ${family}`, sum)
  }
  for (const family of familiesOf(work)) {
    const where = { person: people, feeMonth: { between: [from, to] }, stage: ['open', 'locked'] } as const
    const by = ['person', 'feeMonth'] as const
    const name = expenseLineOf(family)
    for (const { by: of, sum } of await work.groups(name, { where, by, sum: ['personalTotal', 'companyTotal'] }))
      add(monthKey(of.person!, of.feeMonth), family.key, decimal(sum.personalTotal), decimal(sum.companyTotal))
    if (family.supplement?.lateFee !== 'daily') continue
    // Not every family's lines have late fees, so that the types do not know them.
    const lateFee = 'lateFee' as 'total'
    const late = { where: { ...where, lateFeeBearer: 'person' }, by, sum: [lateFee] }
    for (const { by: of, sum } of await work.groups(name, late))
      add(monthKey(of.person!, of.feeMonth), family.key, decimal(sum[lateFee]), zero)
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
    add(monthKey(person, month), by.family, decimal(sum.personal).negated(), decimal(sum.company).negated())
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
