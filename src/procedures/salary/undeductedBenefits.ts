import type { Decimal } from '../../../engine/expression/index.ts'
import { procedure, type ProcedureWork, type Stored } from '../../../engine/server/procedure.ts'
import { money } from '../money/amounts.ts'
import { followContributions } from '../welfare/expenses/undeductedContributions.ts'
import { groupedBy } from '../welfare/groupedBy.ts'
import { benefitKey, type BenefitLine, type OwnBenefits, readBenefits, restOf } from './benefitShares.ts'
import { approvedStates } from './payrollData.ts'
import { updateUndeductedAmounts } from './updateUndeductedAmounts.ts'

/** Whose benefits, of which customer; nobody's, or no customer's, are skipped. */
export type Whose = Pick<Stored<'undeducted'>, 'customer'> & { person: number | null }

/**
 * Updates the list of what people still owe, or are owed, of the benefits of months with approved wages. The customer's
 * next wages include it, or it is settled by hand: a person who has left may have no further wages.
 */
export async function followBenefits(work: ProcedureWork, whose: readonly Whose[]): Promise<void> {
  const people = [...new Set(whose.flatMap(({ person }) => person ?? []))]
  if (people.length === 0) return
  const customers = [...new Set(whose.flatMap(({ customer }) => customer ?? []))]
  const where = { person: people, customer: customers }
  const former = await work.read('undeducted', { where: { ...where, ofBenefits: true, settledOn: { empty: true } } })
  const benefitsOf = await readBenefits(work, where)
  const pairs = groupedBy(whose.filter(isWhole), ({ person, customer }) => benefitKey(person, customer))
  const wanted = [...pairs.values()].flatMap(([{ person, customer }]) =>
    owedOf(benefitsOf(person, customer)).map(({ month, payroll, amount }) => {
      const values = { person, payroll, feeMonth: month, amount: money(amount), ofBenefits: true }
      return [keyOf({ person, customer, feeMonth: month }), values] as const
    }),
  )
  await updateUndeductedAmounts(work, {
    former: former.filter((row) => pairs.has(benefitKey(row.person, row.customer!))),
    wanted: new Map(wanted),
    keyOf,
  })
}

const isWhole = (whose: Whose): whose is { person: number; customer: number } =>
  whose.person !== null && whose.customer !== null
const keyOf = ({ person, customer, feeMonth }: Whose & { feeMonth: string }): string =>
  `${person} ${customer} ${feeMonth}`

interface Owed {
  month: string
  /** The last approved payroll of the month. */
  payroll: number
  amount: Decimal
}

/** By month with approved wages; what wages of a month include for earlier ones is offset against the earliest. */
function owedOf(own: OwnBenefits): Owed[] {
  const approved = own.wages.filter(({ batchStatus }) => approvedStates.includes(batchStatus!))
  const months = [...groupedBy(approved, (line) => line.payrollMonth!)].sort(([a], [b]) => (a < b ? -1 : 1))
  const open: Owed[] = []
  for (const [month, lines] of months) {
    let amount = restOf(month, own, lines).benefitDeduct
    for (const owed of open) {
      if (amount.isZero() || owed.amount.isNegative() === amount.isNegative()) continue
      const both = owed.amount.plus(amount)
      const isSpent = both.isZero() || both.isNegative() === owed.amount.isNegative()
      ;[owed.amount, amount] = isSpent ? [both, amount.minus(amount)] : [both.minus(both), both]
    }
    if (!amount.isZero()) open.push({ month, payroll: lastOf(lines), amount })
  }
  return open.filter(({ amount }) => !amount.isZero())
}

const lastOf = (lines: readonly BenefitLine[]): number => lines.at(-1)!.payroll

/** What was settled is owed again; by now the amount may be another, or none. */
export const undoSettlement = procedure<'undeducted'>(async (work, { records }) => {
  const values = { settledOn: null, settledRemark: null }
  await work.changeAll(
    'undeducted',
    records.map((record) => ({ record, values })),
  )
  await followBenefits(
    work,
    records.filter(({ ofBenefits }) => ofBenefits === true),
  )
  for (const { ofBenefits, person, feeMonth } of records)
    if (ofBenefits !== true) await followContributions(work, [person], { from: feeMonth, to: feeMonth })
})

/** So many people at a time, because all wages of each are read. */
const together = 1000

/** Fills the list on a database from before it knew benefits: everything since has followed its changes. */
export const fillUndeductedBenefits = procedure<'parameter'>(async (work) => {
  const where = { incomeType: 'wage', batchStatus: approvedStates, lineStatus: { not: 'removed' } } as const
  const amounts = { anyOf: [{ benefitDeduct: { not: '0.00' } }, { benefitIncome: { not: '0.00' } }] } as const
  const lines = await work.groups('payrollLine', { where: { ...where, ...amounts }, by: ['person', 'customer'] })
  const benefits = await work.groups('otherBenefit', { where: { stage: 'confirmed' }, by: ['person', 'customer'] })
  const whose = [...lines, ...benefits].map(({ by }) => by)
  for (let at = 0; at < whose.length; at += together) await followBenefits(work, whose.slice(at, at + together))
})
