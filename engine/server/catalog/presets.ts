import { sql } from 'kysely'
import type { Entity, Preset, RecordData, Value } from '../../model/model.ts'
import { systemUser } from '../identity/access.ts'
import { accept } from '../records/accept.ts'
import { growPresets } from './grownPresets.ts'
import { recompute } from '../records/effects.ts'
import type { Context, Db, Runtime } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { createContext } from '../identity/session.ts'
import { canonicalRecord } from '../records/reading/canonical.ts'
import { changeTables } from '../postgres/changeTables.ts'
import { insertRecords } from '../records/write.ts'

/**
 * Adds preset records whose key does not exist yet; the others, even deleted ones, stay as administrators left them,
 * except for permissions that are new in the files. A reference is given by the key or the code of its target.
 */
export const applyPresets = (runtime: Runtime): Promise<number> =>
  changeTables(runtime.database, async (db) => {
    const context = createContext(runtime, systemUser)
    let waiting: { preset: Preset; rows: Rows }[] = []
    // One transaction is one connection, which takes one query at a time.
    for (const preset of context.derived.catalog.presets)
      waiting.push({ preset, rows: await missingRows(context, db, preset) })
    let count = 0
    for (;;) {
      let added = 0
      for (const entry of waiting) {
        const { ready, rest } = await resolve(context, db, entry.preset, entry.rows)
        await insertRecords(context, db, context.derived.catalog.entities[entry.preset.entity], ready)
        entry.rows = rest
        added += ready.length
      }
      count += added
      waiting = waiting.filter(({ rows }) => rows.length > 0)
      if (waiting.length === 0) {
        await growPresets(context, db)
        return count
      }
      if (added === 0) {
        const [{ preset, rows }] = waiting
        throw new Error(`${preset.file}: ${JSON.stringify(rows[0][preset.key])} refers to a record that is not there.`)
      }
    }
  })

type Rows = Preset['rows']

async function missingRows(context: Context, db: Db, { entity: name, key, rows }: Preset): Promise<Rows> {
  const entity = context.derived.catalog.entities[name]
  const known = await idsBy(
    context,
    db,
    entity,
    key,
    rows.map((row) => row[key]),
  )
  return rows.filter((row) => !known.has(String(row[key])))
}

/** The records whose references can all be resolved by now, and the rest. */
async function resolve(
  context: Context,
  db: Db,
  { entity: name }: Preset,
  rows: Rows,
): Promise<{ ready: RecordData[]; rest: Rows }> {
  const entity = context.derived.catalog.entities[name]
  const references = new Map<string, Map<string, number>>()
  for (const field of Object.values(entity.fields)) {
    const target = context.derived.target(field)
    const texts = rows.flatMap<Value>((row) => row[field.name] ?? [])
    if (!target || target.rows || texts.length === 0) continue
    const keys = [
      context.derived.catalog.presets.find((preset) => preset.entity === target.entity.name)?.key,
      target.entity.code,
    ]
    const found = new Map<string, number>()
    for (const key of new Set(keys))
      if (key) for (const [text, id] of await idsBy(context, db, target.entity, key, texts)) found.set(text, id)
    references.set(field.name, found)
  }
  const ready: RecordData[] = []
  const rest: Rows = []
  for (const row of rows) {
    const values = { ...row }
    let complete = true
    for (const [field, ids] of references) {
      const texts = row[field] ?? null
      if (texts === null) continue
      const found = (Array.isArray(texts) ? texts : [texts]).map((text) => ids.get(String(text)))
      if (found.includes(undefined)) complete = false
      else values[field] = (Array.isArray(texts) ? found : found[0]) as Value
    }
    if (!complete) {
      rest.push(row)
      continue
    }
    const { record } = accept(context, entity, {}, null)
    Object.assign(record, canonicalRecord(context, entity, values))
    recompute(context, entity, record)
    ready.push(record)
  }
  return { ready, rest }
}

/** Text of the key → id, deleted records included. */
async function idsBy(
  context: Context,
  db: Db,
  entity: Entity,
  key: string,
  texts: Value[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{
    id: number
    text: string
  }>`select id, ${sql.ref(key)}::text as text from ${tableOf(context, entity)}
    where ${sql.ref(key)}::text = any(${texts.map(String)}::text[]) order by "deletedAt" desc nulls last`.execute(db)
  return new Map(rows.map((row) => [row.text, row.id]))
}
