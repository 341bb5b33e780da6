import { textIn, type Values } from '../../../../engine/server/procedure.ts'
import { decimal, money } from '../../money/amounts.ts'
import type { Contribution } from '../contribution.ts'
import type { Enrolment, Family, Line, LineName } from '../handling/family.ts'

type Amounts = Record<string, Contribution>

/** A line's amounts for each item. */
export const contributionsIn = ({ items }: Family, line: Values<LineName>): Record<string, Contribution> =>
  Object.fromEntries(
    items.map(({ key }) => [
      key,
      {
        base: textIn(line, `${key}Base`),
        company: textIn(line, `${key}Company`) ?? '0.00',
        personal: textIn(line, `${key}Personal`) ?? '0.00',
      },
    ]),
  )

/** The totals of these lines for each month to which they belong, by item. */
export function monthTotals(family: Family, lines: readonly Values<LineName>[]): Map<string, Amounts> {
  const months = new Map<string, Amounts>()
  for (const line of lines) {
    const month = String(line.belongMonth)
    const before = months.get(month)
    months.set(month, before ? sum(before, contributionsIn(family, line)) : contributionsIn(family, line))
  }
  return months
}

/**
 * An enrolment in a month that was not charged as it came but paid back, with this line. A month before the enrolment
 * begins has the base that was given for it.
 */
export function asPaidBack(enrolment: Enrolment, line: Line): Enrolment {
  const { belongMonth } = line
  const declaredBase = belongMonth < String(enrolment.startMonth) ? textIn(line, 'declaredBase') : null
  // Not every family has one.
  const given: Record<string, string> = declaredBase === null ? {} : { declaredBase }
  return { ...enrolment, feeFrom: belongMonth, ...given }
}

/** Adds two sets of amounts. */
export const sum = (amounts: Amounts, other: Amounts): Amounts =>
  Object.fromEntries(
    Object.keys(amounts).map((key) => [
      key,
      {
        base: other[key].base ?? amounts[key].base,
        company: money(decimal(amounts[key].company).plus(decimal(other[key].company))),
        personal: money(decimal(amounts[key].personal).plus(decimal(other[key].personal))),
      },
    ]),
  )

export const isNothing = (amounts: Readonly<Amounts>): boolean =>
  Object.values(amounts).every(({ company, personal }) => decimal(company).isZero() && decimal(personal).isZero())
