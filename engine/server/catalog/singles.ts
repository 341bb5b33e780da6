import { sql } from 'kysely'
import type { Entity } from '../../model/model.ts'
import { accept } from '../records/accept.ts'
import { recompute } from '../records/effects.ts'
import { Refusal } from '../errors.ts'
import { noteChange } from '../records/overlayVersion.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { insertRecords } from '../records/write.ts'

/**
 * The single record of each single-record entity: created with the defaults, and completed with those of required
 * fields that were added later.
 */
export async function applySingles(context: Context, db: Db): Promise<void> {
  for (const entity of Object.values(context.derived.catalog.entities).filter(({ single }) => single)) {
    const { record } = accept(context, entity, {}, null)
    const id = await findSingle(context, db, entity)
    if (id === undefined) {
      recompute(context, entity, record)
      await insertRecords(context, db, entity, [record])
      await noteChange(db, entity)
      continue
    }
    for (const { name, required } of Object.values(entity.fields)) {
      const value = record[name] ?? null
      if (!required || value === null || context.derived.columns[entity.name][name] === undefined) continue
      const type = context.derived.columns[entity.name][name]
      const given = type.startsWith('json') ? JSON.stringify(value) : value
      const { numAffectedRows = 0n } = await sql`update ${tableOf(context, entity)} set ${sql.ref(name)} = ${given}
        where id = ${id} and ${sql.ref(name)} is null`.execute(db)
      if (numAffectedRows > 0n) await noteChange(db, entity)
    }
  }
}

async function findSingle(context: Context, db: Db, entity: Entity): Promise<number | undefined> {
  const {
    rows: [row],
  } = await sql<{
    id: number
  }>`select id from ${tableOf(context, entity)} where "deletedAt" is null order by id limit 1`.execute(db)
  return row?.id
}

/** The id of an entity's single record. @throws Refusal unknownRecord. */
export async function singleId(context: Context, entity: Entity): Promise<number> {
  const id = await findSingle(context, context.runtime.database.kysely, entity)
  if (id === undefined) throw new Refusal('unknownRecord')
  return id
}
