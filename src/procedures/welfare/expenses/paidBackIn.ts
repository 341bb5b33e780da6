import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import { isDifference } from '../handling/backPaid.ts'
import { expenseLineOf, backPaymentOf, type Family, type Line } from '../handling/family.ts'
import { monthKey } from './outstanding.ts'
import { contributionsIn, isNothing } from './lineAmounts.ts'

/** The items that back-payments have charged for a month of a person: it is not charged for them again. */
export type PaidBack = (
  person: number | null,
  month: string,
  /** Whether the month has a charge of its own: a difference to it leaves it as it is. */
  isCharged: boolean,
) => ReadonlySet<string>

export async function paidBackIn(
  work: ProcedureWork,
  family: Family,
  persons: readonly (number | null)[],
  months: readonly string[],
): Promise<PaidBack> {
  if (family.pages.supplement === null) return () => new Set()
  const lines = await work.read(expenseLineOf(family), {
    where: { person: persons, belongMonth: months, expenseType: 'supplement', stage: ['open', 'locked'] },
  })
  const tickets = await work.read(backPaymentOf(family), {
    where: { ticketNo: lines.flatMap(({ sourceNo }) => sourceNo ?? []) },
    fields: ['ticketNo', 'supplementType'],
  })
  const differences = new Set(
    tickets.flatMap(({ ticketNo, supplementType }) => (isDifference(supplementType) ? [ticketNo] : [])),
  )
  const own = groupedBy(lines, ({ person, belongMonth }) => monthKey(person!, belongMonth))
  return (person, month, isCharged) => {
    const whole = (own.get(monthKey(person!, month)) ?? []).filter(
      ({ sourceNo }) => !isCharged || !differences.has(String(sourceNo)),
    )
    return new Set(whole.flatMap((line) => chargedItems(family, line)))
  }
}

const chargedItems = (family: Family, line: Line): string[] =>
  Object.entries(contributionsIn(family, line)).flatMap(([key, amounts]) =>
    isNothing({ [key]: amounts }) ? [] : [key],
  )
