import { decimal, money } from '../money/amounts.ts'
import type { Contribution } from './contribution.ts'

type Amounts = Readonly<Record<string, Contribution>>

/** Per item new − old: what a change of a month that is locked already comes to. The base is the new one. */
export function difference(old: Amounts, now: Amounts): Record<string, Contribution> {
  return Object.fromEntries(
    [...new Set([...Object.keys(old), ...Object.keys(now)])].map((key) => {
      const minus = (side: 'company' | 'personal') => money(decimal(now[key]?.[side]).minus(decimal(old[key]?.[side])))
      return [key, { base: now[key]?.base ?? null, company: minus('company'), personal: minus('personal') }]
    }),
  )
}

/** The same amounts the other way round: what comes back of a month that is locked already. */
export const refund = (locked: Amounts): Record<string, Contribution> =>
  Object.fromEntries(
    Object.entries(locked).map(([key, { base, company, personal }]) => [
      key,
      { base, company: money(decimal(company).negated()), personal: money(decimal(personal).negated()) },
    ]),
  )

/** What a month of somebody's is due, and what the bureau's table says of it, known by the same key. */
export interface Due {
  key: string
  total: string
}
export type ReconcileStatus = 'matched' | 'different' | 'missing' | 'extra'
export interface Compared<D extends Due, A extends Due> {
  status: ReconcileStatus
  diff: string
  due: D | null
  actual: A | null
}

/**
 * Every row of the bureau's table against what is due, and after them what the table does not have: first of those the
 * ones that were reported after the cut-off, which it cannot have yet.
 */
export function reconcile<D extends Due & { reportedLate: boolean }, A extends Due>(
  due: readonly D[],
  table: readonly A[],
): Compared<D, A>[] {
  const open = new Map(due.map((line) => [line.key, line]))
  const found = table.map((actual): Compared<D, A> => {
    const line = open.get(actual.key) ?? null
    open.delete(actual.key)
    const diff = decimal(actual.total).minus(decimal(line?.total))
    return { status: !line ? 'extra' : diff.isZero() ? 'matched' : 'different', diff: money(diff), due: line, actual }
  })
  const missing = [...open.values()].sort((a, b) => Number(b.reportedLate) - Number(a.reportedLate))
  return [
    ...found,
    ...missing.map((line): Compared<D, A> => ({
      status: 'missing',
      diff: money(decimal(line.total).negated()),
      due: line,
      actual: null,
    })),
  ]
}

/** So small a difference is taken as the bureau has it. */
export const isTolerated = (diff: string, tolerance: string): boolean =>
  decimal(diff).abs().lessThanOrEqualTo(tolerance)
