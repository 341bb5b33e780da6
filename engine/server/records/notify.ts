import { sql } from 'kysely'
import { inEvery } from '../../model/language.ts'
import type { Entity, Label, Notify } from '../../model/model.ts'
import { fill } from '../errors.ts'
import { messageEntity, messageFields } from '../identity/identity.ts'
import { main } from './reading/columnOf.ts'
import { readStored } from './reading/read.ts'
import type { Context, Db } from '../runtime.ts'
import { canonicalRecord } from './reading/canonical.ts'
import { textOf } from './reading/words.ts'
import { byEntity, type Change } from './Change.ts'
import { deliver, send, type RecordNotice, type AddressedRecord, addressedRecordOf } from './deliver.ts'
import { isTrue, scopeOf } from './effects.ts'
import type { Work } from './Work.ts'

interface Notice extends AddressedRecord {
  /** Its place among the entity's declarations. */
  name: string
}

/** Sends the messages that these changes declare. */
export async function notify(work: Work, changes: readonly Change[]): Promise<void> {
  for (const [entity, group] of byEntity(changes)) {
    const recordNotices = group.flatMap((change) =>
      noticesOf(work.context, change).map((notice) => ({ record: change.record, notice })),
    )
    await notifyAll(work, entity, recordNotices)
  }
}

/**
 * Sends messages for each record. Those that an entity declares are collected while rows are imported, to send one for
 * each notice; others have a text of their own and are sent at once.
 */
export async function notifyAll(
  { context, db }: Work,
  entity: Entity,
  recordNotices: readonly RecordNotice[],
): Promise<void> {
  const declared = new Map(context.work?.batch ? declaredNotices(entity).map(({ name, notice }) => [notice, name]) : [])
  const kept = recordNotices.flatMap(({ record, notice }) => {
    const name = declared.get(notice)
    return name === undefined ? [] : [{ name, ...addressedRecordOf(notice, record) }]
  })
  await keepNotices(context, db, entity, kept)
  await deliver(
    context,
    db,
    entity,
    recordNotices.filter(({ notice }) => !declared.has(notice)),
  )
}

function noticesOf(context: Context, { entity, record, old, changed, effects }: Change) {
  if (effects.every((effect) => effect.notify.length === 0)) return []
  const scope = scopeOf(context, entity, record, old, changed)
  return [...new Set(effects.flatMap((effect) => effect.notify))].filter((notice) =>
    isTrue(context, entity, notice.when, scope),
  )
}

/** Every notice of an entity's operations, by a name that stays valid while an import is being written. */
const declaredNotices = ({ saves, states, actions }: Entity) =>
  [
    ...saves.map((effect, index) => ({ name: `save ${index}`, effect })),
    ...states.flatMap(({ transitions }) => Object.entries(transitions).map(([name, effect]) => ({ name, effect }))),
    ...Object.entries(actions).map(([name, effect]) => ({ name, effect })),
  ].flatMap(({ name, effect }) => effect.notify.map((notice, index) => ({ name: `${name} ${index}`, notice })))

async function keepNotices(context: Context, db: Db, entity: Entity, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return
  const batch = context.work!.batch!
  await sql`insert into system_notice (batches, batch_id, entity, name, record_id, receivers)
    select ${batch.entity}, ${batch.id}, ${entity.name}, name, id, receivers
    from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb) as kept (name text, id bigint, receivers bigint[])`.execute(
    db,
  )
}

/** Sends the messages collected for an import; for a single record as if it had been saved alone. */
export async function deliverKept(
  context: Context,
  db: Db,
  batch: { entity: string; id: number; file: string },
): Promise<void> {
  const { rows } = await sql<{ entity: string; name: string; records: AddressedRecord[] }>`with kept as (
      delete from system_notice where batches = ${batch.entity} and batch_id = ${batch.id} returning *)
    select entity, name, jsonb_agg(jsonb_build_object('id', record_id, 'receivers', receivers) order by record_id) as records
    from kept group by entity, name order by entity, name`.execute(db)
  for (const { entity: entityName, name, records } of rows) {
    const entity = context.derived.catalog.entities[entityName]
    const declared = entity && declaredNotices(entity).find((notice) => notice.name === name)
    // After a change of the schema files a collected notice may no longer exist.
    if (!declared) continue
    if (records.length > 1)
      await send(context, db, entity, declared.notice, [
        { records, texts: summaryOf(context, entity, declared.notice, batch.file) },
      ])
    else {
      const [record] = await readStored(context, db, entity, [
        sql<boolean>`${sql.ref(`${main}.id`)} = ${records[0].id}`,
      ])
      await deliver(context, db, entity, [
        { record: canonicalRecord(context, entity, record), notice: declared.notice },
      ])
    }
  }
}

/** "Customer to approve (12)", with the file, and where they are listed. */
function summaryOf(context: Context, entity: Entity, { type }: Notify, file: string) {
  const { catalog } = context.derived
  const field = catalog.entities[messageEntity].fields[messageFields.type]
  const label = inEvery(catalog.app.languages, (language) => textOf({ ...context, language }, field, type))
  const list = Object.values(catalog.screens).find(({ menu, entity: listed }) => menu && listed === entity.name)
  const title = fill({ cn: '{label}：{n}条', en: '{label} ({n})' }, { label })
  const content: Label = { cn: `来自导入文件：${file}`, en: `From the imported file ${file}` }
  return { title, content, link: list?.route ?? null }
}
