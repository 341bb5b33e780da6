import { Decimal } from '../../../engine/expression/index.ts'
import type { Part, ProcedureWork, Stored } from '../../../engine/server/procedure.ts'
import { decimal, zero } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'

/** What a line includes for benefits: deducted after tax, and added to income. */
export type Share = Record<'benefitDeduct' | 'benefitIncome', Decimal>

export const nothing: Share = { benefitDeduct: zero, benefitIncome: zero }
export const plus = (share: Share, other: Share): Share => ({
  benefitDeduct: share.benefitDeduct.plus(other.benefitDeduct),
  benefitIncome: share.benefitIncome.plus(other.benefitIncome),
})
export const minus = (share: Share, other: Share): Share => ({
  benefitDeduct: share.benefitDeduct.minus(other.benefitDeduct),
  benefitIncome: share.benefitIncome.minus(other.benefitIncome),
})

const lineFields = [
  'person',
  'payroll',
  'customer',
  'payrollMonth',
  'batchStatus',
  'benefitDeduct',
  'benefitIncome',
] as const satisfies readonly (keyof Stored<'payrollLine'>)[]
export type BenefitLine = Part<'payrollLine', (typeof lineFields)[number]>

export const benefitKey = (person: number, customer: number): string => `${person} ${customer}`

/** What one person has of one customer's benefits. */
export interface OwnBenefits {
  /** Month → the sum of its benefits. */
  due: ReadonlyMap<string, Share>
  /** Month → what was paid or collected for it outside wages. */
  settled: ReadonlyMap<string, Share>
  wages: readonly BenefitLine[]
}

/** The benefits and the wages of these people at these customers, by `benefitKey`. */
export async function readBenefits(
  work: ProcedureWork,
  { person, customer }: { person: readonly number[]; customer: readonly number[] },
): Promise<(person: number, customer: number) => OwnBenefits> {
  const benefits = await work.read('otherBenefit', {
    where: { person, customer, stage: 'confirmed' },
    fields: ['person', 'customer', 'feeMonth', 'personalAmount', 'companyAmount', 'taxable'],
  })
  const settled = await work.read('undeducted', {
    where: { person, customer, ofBenefits: true, settledOn: { empty: false } },
    fields: ['person', 'customer', 'feeMonth', 'amount'],
  })
  const wages = await work.read('payrollLine', {
    where: {
      person,
      customer,
      incomeType: 'wage',
      batchStatus: { not: 'void' },
      lineStatus: { not: 'removed' },
      // People without benefits, now and before, are left out.
      anyOf: [
        { person: [...benefits, ...settled].map((each) => each.person) },
        { benefitDeduct: { between: ['0.01', null] } },
        { benefitIncome: { between: ['0.01', null] } },
        { benefitDeduct: { between: [null, '-0.01'] } },
        { benefitIncome: { between: [null, '-0.01'] } },
      ],
    },
    fields: lineFields,
    order: 'id',
  })
  const [given, paid, taken] = [
    groupedBy(benefits, (each) => benefitKey(each.person!, each.customer)),
    groupedBy(settled, (each) => benefitKey(each.person, each.customer!)),
    groupedBy(wages, (each) => benefitKey(each.person, each.customer!)),
  ]
  return (person, customer) => {
    const key = benefitKey(person, customer)
    return {
      due: byMonth(given.get(key) ?? [], ({ personalAmount, companyAmount, taxable }) => ({
        benefitDeduct: decimal(personalAmount),
        benefitIncome: taxable ? decimal(companyAmount) : zero,
      })),
      settled: byMonth(paid.get(key) ?? [], ({ amount }) => ({ ...nothing, benefitDeduct: decimal(amount) })),
      wages: taken.get(key) ?? [],
    }
  }
}

const byMonth = <T extends { feeMonth: string }>(rows: readonly T[], shareOf: (row: T) => Share): Map<string, Share> =>
  new Map(
    [...groupedBy(rows, ({ feeMonth }) => feeMonth)].map(([month, own]) => [month, own.map(shareOf).reduce(plus)]),
  )

/** The part of the month's benefits that these wages do not include and that has not been settled. */
export function restOf(
  month: string,
  { due, settled }: Pick<OwnBenefits, 'due' | 'settled'>,
  lines: readonly BenefitLine[],
): Share {
  // Wages from before this was recorded include the benefits of their month.
  if (lines.some(({ benefitDeduct }) => benefitDeduct === null)) return nothing
  const included = lines.map((line): Share => ({
    benefitDeduct: decimal(line.benefitDeduct),
    benefitIncome: decimal(line.benefitIncome),
  }))
  return minus(due.get(month) ?? nothing, included.reduce(plus, settled.get(month) ?? nothing))
}
