import type { Decimal } from '../../../engine/expression/index.ts'
import { type Amount, decimal } from '../money/amounts.ts'

export type TaxTable = 'cumulative' | 'bonus' | 'labor'

/** One row of a tax table, in force from a month on until a later version of the whole table, or until its law ends. */
export interface TaxBracket {
  table: TaxTable
  upTo: Amount
  rate: string
  quick: string
  effectiveFrom: string
  effectiveTo: string | null
}

/** No tax table is in force in a month: one has to be entered. */
export class NoBracket extends Error {
  constructor(
    readonly table: TaxTable,
    readonly month: string,
  ) {
    super(`No tax table "${table}" is in force in ${month}`)
  }
}

/**
 * The bracket of an amount, in the newest version of the table in force in the month.
 * @throws NoBracket if there is none.
 */
export function bracketOf(
  brackets: readonly TaxBracket[],
  { table, month, amount }: { table: TaxTable; month: string; amount: Decimal },
): TaxBracket {
  const known = brackets.filter(
    (bracket) =>
      bracket.table === table &&
      bracket.effectiveFrom <= month &&
      (bracket.effectiveTo === null || month <= bracket.effectiveTo),
  )
  const version = known
    .map(({ effectiveFrom }) => effectiveFrom)
    .sort()
    .at(-1)
  const rising = known
    .filter(({ effectiveFrom }) => effectiveFrom === version)
    .sort((a, b) => limitOf(a).comparedTo(limitOf(b)))
  const found = rising.find((bracket) => amount.lte(limitOf(bracket)))
  if (!found) throw new NoBracket(table, month)
  return found
}

const limitOf = ({ upTo }: TaxBracket): Decimal => decimal(upTo ?? 'Infinity')
