import { sql } from 'kysely'
import type { Db } from '../runtime.ts'

/** A position in the feed. */
export interface FeedPosition {
  /** The transaction's number, in decimal because it may exceed 2^53. */
  transaction: string
  work: number
}

/** A work, with the records it changed. */
export interface FedWork {
  id: number
  cause: string
  user: number | null
  /** The first work of the same call, where that has one for each record and this is not the first. */
  act: number | null
  at: string
  position: FeedPosition
  changes: FedChange[]
}

interface FedChange {
  entity: string
  id: number
  action: string
  /** The record's revision after it: of two changes of one record, the higher is the later. */
  revision: number | null
}

export const feedStart: FeedPosition = { transaction: '0', work: 0 }

/** Identifies the database in positions that are given out; a restored one has another. */
export async function feedEpoch(db: Db): Promise<string> {
  const { rows } = await sql<{ epoch: string }>`select epoch from system_feed`.execute(db)
  return rows[0].epoch
}

/**
 * The works after a position, in an order that never changes and into which nothing is inserted later. Therefore only
 * works of transactions older than any still running in the cluster: a long transaction delays those that began after
 * it. It is not the order in which they were committed: a transaction that waited for a newer one stands before it.
 */
export async function readFeed(db: Db, after: FeedPosition, limit: number): Promise<FedWork[]> {
  const { rows } = await sql<Omit<FedWork, 'position'> & { transaction: string }>`
    select w.id, w.xid::text as transaction, w.cause, w.user_id as "user", w.act, w.at,
      coalesce((select jsonb_agg(jsonb_build_object('entity', h.entity, 'id', h.record_id, 'action', h.action,
        'revision', (h.changes->>'revision')::integer) order by h.id)
        from system_history as h where h.work = w.id), '[]') as changes
    from system_work as w
    where (w.xid, w.id) > (${after.transaction}::xid8, ${after.work}) and w.xid < pg_snapshot_xmin(pg_current_snapshot())
    order by w.xid, w.id limit ${limit}`.execute(db)
  return rows.map(({ transaction, ...work }) => ({ ...work, position: { transaction, work: work.id } }))
}
