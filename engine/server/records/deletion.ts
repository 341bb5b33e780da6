import { sql } from 'kysely'
import type { Entity, RecordData } from '../../model/model.ts'
import { isTrue, scopeOf } from './effects.ts'
import { Refusal } from '../errors.ts'
import { byName } from './lockTogether.ts'
import { main } from './reading/columnOf.ts'
import { readStored } from './reading/read.ts'
import { referredAmong } from './referred.ts'
import type { Context, Db } from '../runtime.ts'
import { canonicalRecord } from './reading/canonical.ts'

interface Going {
  entity: Entity
  record: RecordData
}

/**
 * A record and those deleted with it, referring ones first: records whose reference to one of these declares
 * `deletedWith`. All are locked. @throws Refusal inUse if anything else refers to one of them.
 */
export async function deletedTogether(context: Context, db: Db, entity: Entity, record: RecordData): Promise<Going[]> {
  const going: Going[] = []
  const known = new Map<string, Set<number>>()
  const add = async (deleted: Going): Promise<void> => {
    const ids = known.get(deleted.entity.name) ?? known.set(deleted.entity.name, new Set()).get(deleted.entity.name)!
    if (ids.has(deleted.record.id!)) return
    ids.add(deleted.record.id!)
    for (const other of await following(context, db, deleted)) await add(other)
    going.push(deleted)
  }
  await add({ entity, record })
  for (const [name, ids] of known) {
    if ((await referredAmong(context, db, context.derived.catalog.entities[name], [...ids], known)).length > 0)
      throw new Refusal('inUse')
  }
  return going
}

async function following(context: Context, db: Db, { entity, record }: Going): Promise<Going[]> {
  const found: Going[] = []
  const incoming = context.derived.incoming[entity.name].toSorted((a, b) => byName(a.entity, b.entity))
  for (const { entity: other, field } of incoming) {
    if (field.deletedWith === undefined) continue
    const rows = await readStored(
      context,
      db,
      other,
      [sql<boolean>`${sql.ref(`${main}.${field.name}`)} = ${record.id} and ${sql.ref(`${main}.deletedAt`)} is null`],
      { order: sql.ref(`${main}.id`), lock: true, rows: true },
    )
    const records = rows.map((row) => canonicalRecord(context, other, row))
    found.push(
      ...records
        .filter((each) => isTrue(context, other, field.deletedWith, scopeOf(context, other, each, each)))
        .map((each) => ({ entity: other, record: each })),
    )
  }
  return found
}
