import { sql } from 'kysely'
import { accept } from '../../../../engine/server/accept.ts'
import { recompute } from '../../../../engine/server/records/effects.ts'
import { writeHistories } from '../../../../engine/server/records/history.ts'
import type { Context, Db } from '../../../../engine/server/runtime.ts'
import { insertRecords, softDelete } from '../../../../engine/server/records/write.ts'
import type { RecordData } from '../../../../engine/schema/model.ts'
import { column, entityOf, isAnyOf, readAll } from '../../settlement/stored.ts'
import { expenseLineOf, expenseSummaryOf, type Family } from '../handling/family.ts'

/** What there is one summary of. */
export interface SummaryKey {
  feeMonth: string
  account: number
  customer: number | null
  city: string | null
}
const keyOf = ({ feeMonth, account, customer }: RecordData | SummaryKey): string =>
  `${String(feeMonth)} ${String(account)} ${String(customer ?? '')}`

/** Summaries that lines of these go to, made where there is none yet, locked until the transaction ends. */
export async function summariesFor(
  context: Context,
  db: Db,
  family: Family,
  keys: readonly SummaryKey[],
): Promise<(key: SummaryKey) => RecordData> {
  const entity = entityOf(context, expenseSummaryOf(family))
  const wanted = new Map(keys.map((key) => [keyOf(key), key]))
  const found =
    wanted.size === 0
      ? []
      : await readAll(
          context,
          db,
          entity.name,
          [
            isAnyOf(
              'account',
              keys.map(({ account }) => account),
            ),
            sql<boolean>`${column('feeMonth')} = any(${[...new Set(keys.map(({ feeMonth }) => feeMonth))]}::text[])`,
          ],
          ['feeMonth', 'account', 'customer', 'city', 'status', 'summaryNo'],
          true,
        )
  const known = new Map(found.map((summary) => [keyOf(summary), summary]))
  const made = [...wanted]
    .filter(([key]) => !known.has(key))
    .map(([, key]): RecordData => {
      const record: RecordData = { ...accept(context, entity, {}, null).record, ...key, status: 'open' }
      recompute(context, entity, record)
      return record
    })
  await insertRecords(context, db, entity, made)
  await writeHistories(
    context,
    db,
    entity,
    made.map((record) => ({ action: 'generate', record, old: null })),
  )
  for (const summary of made) known.set(keyOf(summary), summary)
  return (key) => known.get(keyOf(key))!
}

/** May lines of the summary still change? */
export const isOpen = ({ status }: RecordData): boolean => status === 'open' || status === 'reconciling'

/** A summary of which no line is left is none. */
export async function dropEmpty(context: Context, db: Db, family: Family, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const kept = new Set(
    (await readAll(context, db, expenseLineOf(family), [isAnyOf('summary', ids)], ['summary'])).map(
      ({ summary }) => summary,
    ),
  )
  const empty = await readAll(
    context,
    db,
    expenseSummaryOf(family),
    [
      isAnyOf(
        'id',
        ids.filter((id) => !kept.has(id)),
      ),
      sql<boolean>`${column('status')} in ('open', 'reconciling')`,
    ],
    ['status'],
  )
  await softDelete(
    context,
    db,
    entityOf(context, expenseSummaryOf(family)),
    empty.map(({ id }) => id!),
  )
}
