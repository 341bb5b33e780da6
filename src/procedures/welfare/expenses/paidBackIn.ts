import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import { isDifference } from '../handling/backPaid.ts'
import { expenseLineOf, supplementOf, type Family } from '../handling/family.ts'
import { monthKey } from './outstanding.ts'
import { contributionsIn, isNothing } from './paid.ts'

/**
 * The items that back-payments have charged for a month of a person: it is not charged for them again. Those that only
 * add a difference leave the month's own charge as it is.
 */
export async function paidBackIn(
  work: ProcedureWork,
  family: Family,
  persons: readonly (number | null)[],
  months: readonly string[],
): Promise<(person: number | null, month: string) => ReadonlySet<string>> {
  if (family.pages.supplement === null) return () => new Set()
  const lines = await work.read(expenseLineOf(family), {
    where: { person: persons, belongMonth: months, expenseType: 'supplement', stage: ['open', 'locked'] },
  })
  const tickets = await work.read(supplementOf(family), {
    where: { ticketNo: lines.flatMap(({ sourceNo }) => sourceNo ?? []) },
    fields: ['ticketNo', 'supplementType'],
  })
  const differences = new Set(
    tickets.flatMap(({ ticketNo, supplementType }) => (isDifference(supplementType) ? [ticketNo] : [])),
  )
  const whole = lines.filter(({ sourceNo }) => !differences.has(String(sourceNo)))
  const own = groupedBy(whole, ({ person, belongMonth }) => monthKey(person!, belongMonth))
  return (person, month) =>
    new Set(
      (own.get(monthKey(person!, month)) ?? []).flatMap((line) =>
        Object.entries(contributionsIn(family, line)).flatMap(([key, amounts]) =>
          isNothing({ [key]: amounts }) ? [] : [key],
        ),
      ),
    )
}
