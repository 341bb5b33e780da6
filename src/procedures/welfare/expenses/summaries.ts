import type { ProcedureWork, Stored } from '../../../../engine/server/procedure.ts'
import { expenseLineOf, expenseSummaryOf, type Family, type SummaryName } from '../handling/family.ts'

/** The key of a summary. */
export interface SummaryKey {
  feeMonth: string
  account: number
  customer: number | null
  city: string | null
}
type Summary = Pick<Stored<SummaryName>, 'id' | 'status'>

interface Place extends Pick<SummaryKey, 'feeMonth' | 'customer'> {
  account: number | null
}
const keyOf = ({ feeMonth, account, customer }: Place): string => `${feeMonth} ${account} ${customer ?? ''}`

/** The summaries of these lines, created if missing, locked until the transaction ends. */
export async function summariesFor(
  work: ProcedureWork,
  family: Family,
  keys: readonly SummaryKey[],
): Promise<(key: SummaryKey) => Summary> {
  const name = expenseSummaryOf(family)
  const wanted = new Map(keys.map((key) => [keyOf(key), key]))
  const found = await work.read(name, {
    where: { account: keys.map(({ account }) => account), feeMonth: keys.map(({ feeMonth }) => feeMonth) },
    fields: ['feeMonth', 'account', 'customer', 'city', 'status'],
    lock: true,
  })
  const known = new Map<string, Summary>(found.map((summary) => [keyOf(summary), summary]))
  const blank = work.blank(name)
  const made = await work.insert(
    name,
    [...wanted]
      .filter(([key]) => !known.has(key))
      .map(([, { feeMonth, account, customer, city }]) => ({
        ...blank,
        feeMonth,
        account,
        customer,
        city,
        status: 'open' as const,
      })),
    { action: 'generate' },
  )
  for (const summary of made) known.set(keyOf(summary), summary)
  return (key) => known.get(keyOf(key))!
}

/** Whether lines of the summary may still change. */
export const isOpen = ({ status }: Pick<Summary, 'status'>): boolean => openSummary.some((each) => each === status)
export const openSummary = ['open', 'reconciling'] as const

/** Says which months of these accounts are locked, from a month on. */
export async function lockedSince(
  work: ProcedureWork,
  family: Family,
  accounts: readonly (number | null)[],
  month: string,
): Promise<(place: Place) => boolean> {
  const locked = await work.read(expenseSummaryOf(family), {
    where: { account: accounts, feeMonth: { between: [month, null] }, status: { not: openSummary } },
    fields: ['feeMonth', 'account', 'customer'],
  })
  const keys = new Set(locked.map(keyOf))
  return (place) => keys.has(keyOf(place))
}

/** Deletes summaries without lines. */
export async function dropEmpty(work: ProcedureWork, family: Family, ids: readonly (number | null)[]): Promise<void> {
  const summary = ids.filter((id) => id !== null)
  const kept = await work.groups(expenseLineOf(family), { where: { summary }, by: ['summary'] })
  const filled = new Set(kept.map(({ by }) => by.summary))
  await work.delete(
    expenseSummaryOf(family),
    await work.read(expenseSummaryOf(family), {
      where: { id: summary.filter((id) => !filled.has(id)), status: openSummary },
      fields: ['status'],
    }),
  )
}
