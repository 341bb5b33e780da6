import { Decimal } from '../../../engine/expression/index.ts'
import { procedure, type Part, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { type Amount, decimal, money, zero } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { approvedStates } from './payrollData.ts'

type Payroll = Pick<Stored<'payroll'>, 'id' | 'customer' | 'incomeType' | 'payrollMonth'>
/** What a line includes for benefits: deducted after tax, and added to income. */
export type Share = Record<keyof typeof sideOf, Decimal>

const sideOf = { benefitDeduct: 'afterTaxDeduct', benefitIncome: 'otherPreTax' } as const
const nothing: Share = { benefitDeduct: zero, benefitIncome: zero }
const plus = (one: Share, other: Share): Share => ({
  benefitDeduct: one.benefitDeduct.plus(other.benefitDeduct),
  benefitIncome: one.benefitIncome.plus(other.benefitIncome),
})
const minus = (one: Share, other: Share): Share => ({
  benefitDeduct: one.benefitDeduct.minus(other.benefitDeduct),
  benefitIncome: one.benefitIncome.minus(other.benefitIncome),
})
const atLeastNothing = ({ benefitDeduct, benefitIncome }: Share): Share => ({
  benefitDeduct: Decimal.max(0, benefitDeduct),
  benefitIncome: Decimal.max(0, benefitIncome),
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
type Line = Part<'payrollLine', (typeof lineFields)[number]>

/**
 * What the benefits of the customer come to in the wages of these people: their own part is deducted after tax, the
 * company's part of taxable ones is income. What other wages of the month do not include yet, and what was confirmed, or
 * taken back (then negative), after the wages of earlier months were approved.
 */
export async function benefitsFor(
  work: ProcedureWork,
  lines: readonly { payroll: Payroll; person: number }[],
): Promise<(payroll: Payroll, person: number) => Share> {
  const wages = lines.filter(({ payroll }) => payroll.incomeType === 'wage')
  const person = [...new Set(wages.map((line) => line.person))]
  const customer = [...new Set(wages.map(({ payroll }) => payroll.customer))]
  const benefits = await work.read('otherBenefit', {
    where: { person, customer, stage: 'confirmed' },
    fields: ['person', 'customer', 'feeMonth', 'personalAmount', 'companyAmount', 'taxable'],
  })
  const there = await work.read('payrollLine', {
    where: {
      person,
      customer,
      incomeType: 'wage',
      batchStatus: { not: 'void' },
      lineStatus: { not: 'removed' },
      // People without benefits, now and before, are left out.
      anyOf: [
        { person: benefits.map((one) => one.person) },
        { benefitDeduct: { between: ['0.01', null] } },
        { benefitIncome: { between: ['0.01', null] } },
        { benefitDeduct: { between: [null, '-0.01'] } },
        { benefitIncome: { between: [null, '-0.01'] } },
      ],
    },
    fields: lineFields,
  })
  const given = groupedBy(benefits, (one) => keyOf(one.person!, one.customer))
  const taken = groupedBy(there, (one) => keyOf(one.person, one.customer!))
  return ({ id, incomeType, payrollMonth, customer: of }, one) => {
    if (incomeType !== 'wage') return nothing
    const key = keyOf(one, of)
    const others = (taken.get(key) ?? []).filter(({ payroll }) => payroll !== id)
    return shareOf(
      payrollMonth,
      monthsOf(given.get(key) ?? []),
      groupedBy(others, (line) => line.payrollMonth!),
    )
  }
}

const keyOf = (person: number, customer: number): string => `${person} ${customer}`

type Benefit = Part<'otherBenefit', 'feeMonth' | 'personalAmount' | 'companyAmount' | 'taxable'>
/** Month → what its benefits come to. */
const monthsOf = (benefits: readonly Benefit[]): Map<string, Share> =>
  new Map(
    [...groupedBy(benefits, ({ feeMonth }) => feeMonth)].map(([month, own]) => [
      month,
      own
        .map(({ personalAmount, companyAmount, taxable }): Share => ({
          benefitDeduct: decimal(personalAmount),
          benefitIncome: taxable ? decimal(companyAmount) : zero,
        }))
        .reduce(plus),
    ]),
  )

function shareOf(
  payrollMonth: string,
  benefits: ReadonlyMap<string, Share>,
  others: ReadonlyMap<string, readonly Line[]>,
): Share {
  const restOf = (month: string): Share => {
    const lines = others.get(month) ?? []
    // Wages from before this was recorded include the benefits of their month.
    if (lines.some(({ benefitDeduct }) => benefitDeduct === null)) return nothing
    const included = lines.map((line): Share => ({
      benefitDeduct: decimal(line.benefitDeduct),
      benefitIncome: decimal(line.benefitIncome),
    }))
    return minus(benefits.get(month) ?? nothing, included.reduce(plus, nothing))
  }
  const own = restOf(payrollMonth)
  const months = [...others.keys()]
  const earlier = months.filter((month) => month < payrollMonth)
  // An open payroll of an earlier month takes what is left of it itself.
  if (earlier.some((month) => others.get(month)!.some(({ batchStatus }) => !approvedStates.includes(batchStatus!))))
    return atLeastNothing(own)
  const late = earlier.map(restOf).reduce(plus, nothing)
  const takenLater = months
    .filter((month) => month > payrollMonth)
    .map((month) => moved(restOf(month), benefits.get(month) ?? nothing))
    .reduce(plus, nothing)
  return minus(plus(own, late), takenLater)
}

/** What wages of a month include for other months: beyond its benefits, or given back of earlier ones (negative). */
function moved(rest: Share, due: Share): Share {
  const included = minus(due, rest)
  const of = (name: keyof Share) =>
    included[name].isNegative() ? included[name] : Decimal.max(0, rest[name].negated())
  return { benefitDeduct: of('benefitDeduct'), benefitIncome: of('benefitIncome') }
}

/** The fields of a new line; what was entered otherwise stays. */
export const begunWith = (
  share: Share,
  { afterTaxDeduct, otherPreTax }: Partial<Record<'afterTaxDeduct' | 'otherPreTax', Amount>> = {},
): Values<'payrollLine'> => ({
  afterTaxDeduct: afterTaxDeduct ?? someOf(share.benefitDeduct),
  otherPreTax: otherPreTax ?? someOf(share.benefitIncome),
  benefitDeduct: money(share.benefitDeduct),
  benefitIncome: money(share.benefitIncome),
})

const someOf = (amount: Decimal): Amount => (amount.isZero() ? null : money(amount))

type Following = Part<'payrollLine', 'afterTaxDeduct' | 'otherPreTax' | 'benefitDeduct' | 'benefitIncome'>
/** The fields of a line, after its benefits have changed by so much; those from before this was recorded stay. */
export function followingBenefits(line: Following, share: Share): Values<'payrollLine'> {
  if (line.benefitDeduct === null) return {}
  const deducted = decimal(line.afterTaxDeduct).plus(share.benefitDeduct).minus(decimal(line.benefitDeduct))
  const added = decimal(line.otherPreTax).plus(share.benefitIncome).minus(decimal(line.benefitIncome))
  const changed = (before: Amount, now: Decimal) => (decimal(before).equals(now) ? before : someOf(now))
  return {
    afterTaxDeduct: changed(line.afterTaxDeduct, Decimal.max(Decimal.min(0, share.benefitDeduct), deducted)),
    otherPreTax: changed(line.otherPreTax, added),
    benefitDeduct: money(share.benefitDeduct),
    benefitIncome: money(share.benefitIncome),
  }
}

/** For added lines, unless entered otherwise. */
export const proposeBenefits = procedure<'payrollLine'>(async (work, { records }) => {
  const payrolls = await work.byId(
    'payroll',
    records.map(({ payroll }) => payroll),
    { fields: ['customer', 'incomeType', 'payrollMonth'] },
  )
  const payrollOf = (record: Stored<'payrollLine'>) => payrolls.get(record.payroll)!
  const wages = records.filter((record) => payrollOf(record).incomeType === 'wage')
  const shareFor = await benefitsFor(
    work,
    wages.map((record) => ({ payroll: payrollOf(record), person: record.person })),
  )
  await work.changeAll(
    'payrollLine',
    wages.map((record) => ({ record, values: begunWith(shareFor(payrollOf(record), record.person), record) })),
  )
})
