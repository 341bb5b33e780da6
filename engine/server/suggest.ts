import { sql } from 'kysely'
import type { Entity, PrepareResult, SuggestRequest } from '../schema/model.ts'
import { demandAny } from './access.ts'
import { withLookups } from './call.ts'
import { procedureOf } from './effects.ts'
import { main, present, readStored, visibleConditions } from './read.ts'
import type { Context } from './runtime.ts'
import { refuseMissing } from './save.ts'
import { canonicalRecord } from './stored.ts'

/**
 * What a form is to take, worked out of what it holds, for whoever may save it. Nothing is written.
 * @throws Refusal permission, unknownRecord, outOfScope, and what the procedure refuses
 */
export async function suggest(context: Context, entity: Entity, { id, values, typed, parameters }: SuggestRequest): Promise<PrepareResult> {
  demandAny(context.user, [entity.permissions.create, entity.permissions.update])
  const db = context.runtime.database.kysely
  const stored = id === undefined ? [] : await readStored(context, db, entity, [sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`, ...visibleConditions(context, entity)], { rows: true })
  if (id !== undefined && stored.length === 0) await refuseMissing(context, db, entity, id)
  const records = stored.map((record) => canonicalRecord(context, entity, record))
  const given = canonicalRecord(context, entity, Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(entity.fields, name))))
  const result = await procedureOf(context, entity, entity.suggests!.run)({ context, db, entity: entity.name, records, values: given as PrepareResult['values'], form: { typed, parameters } })
  const [shown] = await present(context, db, entity, [await withLookups(context, db, entity, (result as unknown as PrepareResult).values)])
  return { values: shown as PrepareResult['values'] }
}
