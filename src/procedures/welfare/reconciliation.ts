import { decimal, money } from '../money/amounts.ts'
import type { Contribution } from './contribution.ts'

type Amounts = Readonly<Record<string, Contribution>>

/** New minus old for each item: the effect of a change on a locked month. The base is the new one. */
export function difference(old: Amounts, now: Amounts): Record<string, Contribution> {
  return Object.fromEntries(
    [...new Set([...Object.keys(old), ...Object.keys(now)])].map((key) => {
      const minus = (side: 'company' | 'personal') => money(decimal(now[key]?.[side]).minus(decimal(old[key]?.[side])))
      return [key, { base: now[key]?.base ?? null, company: minus('company'), personal: minus('personal') }]
    }),
  )
}

/** The negated amounts: the refund of a locked month. */
export const refund = (locked: Amounts): Record<string, Contribution> =>
  Object.fromEntries(
    Object.entries(locked).map(([key, { base, company, personal }]) => [
      key,
      { base, company: money(decimal(company).negated()), personal: money(decimal(personal).negated()) },
    ]),
  )

/** What is due for a person's month, and the bureau's figures for it, with the same key. */
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
 * Compares every row of the bureau's table with what is due, followed by what the table lacks: first those reported
 * after the cut-off, which it cannot have yet.
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

/** Whether a difference is small enough to accept the bureau's figure. */
export const isTolerated = (diff: string, tolerance: string): boolean =>
  decimal(diff).abs().lessThanOrEqualTo(tolerance)
