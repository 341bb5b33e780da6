import type { ProcedureWork } from '../../../../engine/server/procedure.ts'
import { groupedBy } from '../groupedBy.ts'
import { enrolmentOf, expenseSummaryOf, type Family } from '../handling/family.ts'
import { renewLines } from './renew.ts'
import type { SummaryKey } from './summaries.ts'

const keyOf = ({ feeMonth, account, customer }: Omit<SummaryKey, 'city' | 'account'> & { account: number | null }) =>
  `${feeMonth} ${account} ${customer ?? ''}`

/**
 * A summary that a single line would start includes everybody of its account and customer from the beginning, so that
 * confirming it leaves nobody out.
 */
export async function beginWhole(work: ProcedureWork, family: Family, keys: readonly SummaryKey[]): Promise<void> {
  const accounts = keys.map(({ account }) => account)
  const there = await work.read(expenseSummaryOf(family), {
    where: { account: accounts, feeMonth: keys.map(({ feeMonth }) => feeMonth) },
    fields: ['feeMonth', 'account', 'customer'],
  })
  const known = new Set(there.map(keyOf))
  const begun = new Map(keys.filter((key) => !known.has(keyOf(key))).map((key) => [keyOf(key), key]))
  if (begun.size === 0) return
  const enrolments = await work.read(enrolmentOf(family), {
    where: { account: accounts, status: { not: 'opening' } },
  })
  for (const feeMonth of groupedBy([...begun.values()], (key) => key.feeMonth).keys())
    await renewLines(
      work,
      family,
      feeMonth,
      enrolments.filter(
        ({ account, customer, startMonth }) =>
          String(startMonth) <= feeMonth && begun.has(keyOf({ feeMonth, account, customer })),
      ),
    )
}
