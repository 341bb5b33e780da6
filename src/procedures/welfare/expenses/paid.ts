import type { Values } from '../../../../engine/server/procedure.ts'
import { decimal, money } from '../../settlement/amounts.ts'
import type { Contribution } from '../contribution.ts'
import type { Family, LineName } from '../handling/family.ts'
import { contributionsIn } from './refunds.ts'

type Amounts = Record<string, Contribution>

/** What these lines come to together in each month to which they belong, by item. */
export function paidIn(family: Family, lines: readonly Values<LineName>[]): Map<string, Amounts> {
  const months = new Map<string, Amounts>()
  for (const line of lines) {
    const month = String(line.belongMonth)
    const before = months.get(month)
    months.set(month, before ? sum(before, contributionsIn(family, line)) : contributionsIn(family, line))
  }
  return months
}

const sum = (one: Amounts, other: Amounts): Amounts =>
  Object.fromEntries(
    Object.keys(one).map((key) => [
      key,
      {
        base: other[key].base ?? one[key].base,
        company: money(decimal(one[key].company).plus(decimal(other[key].company))),
        personal: money(decimal(one[key].personal).plus(decimal(other[key].personal))),
      },
    ]),
  )
