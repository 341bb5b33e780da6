import { sql } from 'kysely'
import type { Entity, PrepareResult, RecordData, SuggestRequest, Value } from '../../model/model.ts'
import { demandAny, seesWhole } from '../identity/access.ts'
import { withLookups } from './prepareAction.ts'
import { logListed } from './logOperation.ts'
import { procedureOf } from './procedures.ts'
import { main } from './reading/columnOf.ts'
import { present, readStored } from './reading/read.ts'
import { visibleConditions } from './reading/visibleConditions.ts'
import type { Context, Db } from '../runtime.ts'
import { refuseMissing } from './save.ts'
import { canonicalRecord } from './reading/canonical.ts'
import { onlyVisible, visibleIds } from './visibleReferences.ts'
import { widgetContext } from './reading/words.ts'

/**
 * Suggested values for a form, derived from its values, for users who may save it. Nothing is written. References to
 * records that the user may not see are removed first, those of the stored record too, because a procedure reads
 * whatever they refer to.
 * @throws Refusal permission, unknownRecord, outOfScope, and what the procedure refuses
 */
export async function suggest(
  context: Context,
  entity: Entity,
  { id, values, typed, parameters }: SuggestRequest,
): Promise<PrepareResult> {
  demandAny(context.user, [entity.permissions.create, entity.permissions.update])
  const db = context.runtime.database.kysely
  const stored =
    id === undefined
      ? []
      : await readStored(
          context,
          db,
          entity,
          [sql<boolean>`${sql.ref(`${main}.id`)} = ${id}`, ...visibleConditions(context, entity)],
          { rows: true },
        )
  if (id !== undefined && stored.length === 0) refuseMissing(context, entity)
  const visible = (record: RecordData) => onlyVisible(context, db, entity, canonicalRecord(context, entity, record))
  const records = await Promise.all(stored.map(visible))
  const seen = (await visible(soundValues(context, entity, values))) as PrepareResult['values']
  const form = { typed, parameters: await visibleParameters(context, db, entity, parameters) }
  const result = await procedureOf(
    context,
    entity,
    entity.suggests!.run,
  )({ context, db, entity: entity.name, records, values: seen, form })
  // One procedure may serve several entities: each takes the values that it has fields for.
  const taken = Object.entries((result as unknown as PrepareResult).values).filter(([name]) =>
    Object.hasOwn(entity.fields, name),
  )
  const [shown] = await present(context, db, entity, [
    await withLookups(context, db, entity, Object.fromEntries(taken)),
  ])
  await logListed(context, entity, [shown], id === undefined ? {} : { ids: [id] })
  return { values: withoutMasks(context, entity, shown) }
}

/** Values masked for the user are left out, because the form would save the mask. */
const withoutMasks = (context: Context, entity: Entity, shown: RecordData): PrepareResult['values'] =>
  Object.fromEntries(
    Object.entries(shown).filter(
      ([name]) =>
        !Object.hasOwn(entity.fields, name) ||
        entity.fields[name].computed !== undefined ||
        seesWhole(context, entity, entity.fields[name]),
    ),
  ) as PrepareResult['values']

/**
 * A form may contain invalid values, which it reports itself: the procedure gets the valid ones, and the rest empty.
 */
const soundValues = (context: Context, entity: Entity, values: SuggestRequest['values']): RecordData =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, Value][] => {
      const field = Object.hasOwn(entity.fields, name) ? entity.fields[name] : undefined
      if (!field) return []
      const widget = context.derived.widget(field)
      const normal: Value = widget.normalize(value, field.options)
      const isWrong =
        normal !== null && widget.check(normal, field.options, widgetContext(context, field)) !== undefined
      return [[name, isWrong ? null : value]]
    }),
  )

/** A parameter named like a reference contains ids: `12,13`. */
async function visibleParameters(
  context: Context,
  db: Db,
  entity: Entity,
  parameters: SuggestRequest['parameters'],
): Promise<SuggestRequest['parameters']> {
  const visible = { ...parameters }
  for (const [name, text] of Object.entries(parameters)) {
    const target = Object.hasOwn(entity.fields, name) ? context.derived.target(entity.fields[name]) : undefined
    if (!target || target.rows) continue
    const ids = text
      .split(',')
      .map(Number)
      .filter((id) => Number.isSafeInteger(id) && id > 0)
    const seen = await visibleIds(context, db, target.entity, ids)
    visible[name] = ids.filter((id) => seen.has(id)).join(',')
  }
  return visible
}
