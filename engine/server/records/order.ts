import { sql } from 'kysely'
import type { Entity, Value } from '../../model/model.ts'
import { demand } from '../identity/access.ts'
import { Refusal } from '../errors.ts'
import { main } from './reading/columnOf.ts'
import { readStored } from './reading/read.ts'
import { visibleConditions } from './reading/visibleConditions.ts'
import { tableOf } from '../identity/scope.ts'
import { lockRecord, updateRecordsOf } from './save.ts'
import type { Work } from './Work.ts'

export interface OrderRequest {
  id: number
  parent: number | null
  before: number | null
}

/** Leaves room between two neighbours for those inserted later. */
const step = 10

/** Moves a tree node before another child of that parent, or to the end. @throws as an update. */
export async function orderRecord(
  work: Work,
  entity: Entity,
  { id, parent, before }: OrderRequest,
): Promise<{ id: number; revision: number }> {
  const { context, db } = work
  demand(context.user, entity.permissions.update)
  const { parent: above, order } = entity.tree!
  // Locked in one order, so that two works on the same nodes cannot deadlock.
  await sql`select from ${tableOf(context, entity)} where id = ${id} or ${sql.ref(above)} is not distinct from ${parent}::bigint
    order by id for update`.execute(db)
  const moved = await lockRecord(context, db, entity, id)
  const siblings = (
    await readStored(
      context,
      db,
      entity,
      [
        sql<boolean>`${sql.ref(`${main}.${above}`)} is not distinct from ${parent}::bigint`,
        ...visibleConditions(context, entity),
      ],
      { order: sql`${sql.ref(`${main}.${order!}`)} nulls last, ${sql.ref(`${main}.id`)}`, lock: true },
    )
  ).filter((sibling) => sibling.id !== id)
  const place = before === null ? siblings.length : siblings.findIndex((sibling) => sibling.id === before)
  if (place < 0) throw new Refusal('unknownRecord')
  const requests = siblings.toSpliced(place, 0, moved).flatMap((node, index) => {
    const values: Record<string, Value> = {
      ...(node.id === id && { [above]: parent }),
      ...(node[order!] !== (index + 1) * step && { [order!]: (index + 1) * step }),
    }
    return Object.keys(values).length === 0 ? [] : [{ id: node.id, revision: node.revision, values }]
  })
  const saved = await updateRecordsOf(work, entity, requests)
  return { id, revision: saved.find((result) => result.id === id)!.revision }
}
