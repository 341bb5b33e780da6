import { Decimal } from '../../../engine/expression/index.ts'
import { procedure, type Part, type ProcedureWork, type Stored, type Values } from '../../../engine/server/procedure.ts'
import { type Amount, decimal, money } from '../money/amounts.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { minus, nothing, type OwnBenefits, plus, readBenefits, restOf, type Share } from './benefitShares.ts'
import { approvedStates } from './payrollData.ts'

type Payroll = Pick<Stored<'payroll'>, 'id' | 'customer' | 'incomeType' | 'payrollMonth'>
const atLeastNothing = ({ benefitDeduct, benefitIncome }: Share): Share => ({
  benefitDeduct: Decimal.max(0, benefitDeduct),
  benefitIncome: Decimal.max(0, benefitIncome),
})

/**
 * The amounts of the customer's benefits in the wages of these people: their own part is deducted after tax, the
 * company's part of taxable ones is income. What other wages of the month do not include yet, and what was confirmed,
 * or taken back (then negative), after the wages of earlier months were approved.
 */
export async function benefitsFor(
  work: ProcedureWork,
  lines: readonly { payroll: Payroll; person: number }[],
): Promise<(payroll: Payroll, person: number) => Share> {
  const wages = lines.filter(({ payroll }) => payroll.incomeType === 'wage')
  const person = [...new Set(wages.map((line) => line.person))]
  const customer = [...new Set(wages.map(({ payroll }) => payroll.customer))]
  const benefitsOf = await readBenefits(work, { person, customer })
  return (payroll, person) =>
    payroll.incomeType === 'wage' ? shareOf(payroll, benefitsOf(person, payroll.customer)) : nothing
}

function shareOf({ id, payrollMonth }: Payroll, own: OwnBenefits): Share {
  const others = groupedBy(
    own.wages.filter(({ payroll }) => payroll !== id),
    (line) => line.payrollMonth!,
  )
  const restIn = (month: string): Share => restOf(month, own, others.get(month) ?? [])
  const rest = restIn(payrollMonth)
  const months = [...others.keys()]
  const earlier = months.filter((month) => month < payrollMonth)
  // An open payroll of an earlier month takes what is left of it itself.
  if (earlier.some((month) => others.get(month)!.some(({ batchStatus }) => !approvedStates.includes(batchStatus!))))
    return atLeastNothing(rest)
  const late = earlier.map(restIn).reduce(plus, nothing)
  const takenLater = months
    .filter((month) => month > payrollMonth)
    .map((month) => moved(restIn(month), own.due.get(month) ?? nothing))
    .reduce(plus, nothing)
  return minus(plus(rest, late), takenLater)
}

/** What a month's wages include for other months: more than its own benefits, or benefits of earlier months given back (negative). */
function moved(rest: Share, due: Share): Share {
  const included = minus(due, rest)
  const taken = (name: keyof Share) =>
    included[name].isNegative() ? included[name] : Decimal.max(0, rest[name].negated())
  return { benefitDeduct: taken('benefitDeduct'), benefitIncome: taken('benefitIncome') }
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
