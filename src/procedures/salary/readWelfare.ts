import type { Context, Db } from '../../../engine/server/runtime.ts'

/** What one item of a welfare family comes to for a person in a month: back-payments, differences and refunds included. */
export interface WelfareItem {
  /** A value of the dictionary `feeItem`. */
  item: string
  personal: string
  company: string
  /** Of the personal amount, what tax law deducts as a statutory contribution, within its cap, … */
  statutory: string
  /** … or as another deduction. */
  other: string
}
export interface PersonWelfare {
  items: readonly WelfareItem[]
  /** May its amounts still change? */
  open: boolean
}

/** The welfare of these people in a month; whoever has none is not there. */
export async function readWelfare(_context: Context, _db: Db, _people: readonly number[], _month: string): Promise<ReadonlyMap<number, PersonWelfare>> {
  return new Map()
}
