import { sql } from 'kysely'
import { grants, type Entity, type Preset, type RecordData, type Value } from '../../model/model.ts'
import { engineMessages } from '../identity/identity.ts'
import { apply } from '../records/apply.ts'
import { recompute } from '../records/effects.ts'
import { deliver } from '../records/deliver.ts'
import { main } from '../records/reading/columnOf.ts'
import { readStored } from '../records/reading/read.ts'
import type { Context, Db } from '../runtime.ts'
import { canonicalRecord } from '../records/reading/canonical.ts'

/** The type of message about a preset record that was extended by the files; a product without this type sends none. */
const grownMessage = engineMessages.grown

/**
 * Adds permissions and choices to preset records that the files did not have at the last start. Additions are recorded
 * in the history and administrators are notified; what they take away again stays away, because the files are then no
 * longer new.
 * @returns how many records were extended
 */
export async function growPresets(outer: Context, db: Db): Promise<number> {
  const context: Context = { ...outer, work: { cause: 'system' } }
  let grown = 0
  for (const preset of context.derived.catalog.presets) {
    const entity = context.derived.catalog.entities[preset.entity]
    const fields = growing(context, entity, preset)
    if (fields.length === 0) continue
    const stored = await storedRows(context, db, entity)
    const before = await declaredBefore(db, preset)
    for (const row of preset.rows) {
      const record = stored.find((each) => each[preset.key] === row[preset.key])
      if (!record) continue
      const changes = Object.fromEntries(
        fields.flatMap((field): [string, Value][] => {
          const declared = texts(row[field])
          const known = before.get(`${String(row[preset.key])} ${field}`)
          // Without a stored state, anything that no record has counts as new.
          const isNew = (item: string) =>
            known ? !known.includes(item) : !stored.some((each) => texts(each[field]).some((own) => isAlike(own, item)))
          const own = texts(record[field])
          const added = declared.filter((item) => isNew(item) && !own.some((pattern) => grants(pattern, item)))
          return added.length > 0 ? [[field, [...own, ...added]]] : []
        }),
      )
      if (Object.keys(changes).length === 0) continue
      await change(context, db, entity, record, changes)
      grown++
    }
    await keepDeclared(db, preset, fields)
  }
  return grown
}

/** List fields that the files can extend: permissions and values of a dictionary. */
const growing = (context: Context, { fields }: Entity, { rows, key }: Preset): string[] =>
  Object.values(fields)
    .filter((field) => {
      const widget = context.derived.widget(field)
      const isListed = widget.permissions?.(field.options) ?? widget.dictionary?.(field.options) !== undefined
      return field.name !== key && isListed && rows.some((row) => Array.isArray(row[field.name]))
    })
    .map(({ name }) => name)

const texts = (value: Value | undefined): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []

/** Whether they are permissions of the same entity, or the same value. */
const isAlike = (item: string, other: string): boolean =>
  item.split(':').slice(0, 2).join(':') === other.split(':').slice(0, 2).join(':')

async function storedRows(context: Context, db: Db, entity: Entity): Promise<RecordData[]> {
  const rows = await readStored(context, db, entity, [sql<boolean>`${sql.ref(`${main}.deletedAt`)} is null`], {
    lock: true,
  })
  return rows.map((row) => canonicalRecord(context, entity, row))
}

async function change(
  context: Context,
  db: Db,
  entity: Entity,
  record: RecordData,
  changes: Record<string, Value>,
): Promise<void> {
  const old = { ...record }
  const count = Object.keys(changes).reduce(
    (sum, name) => sum + texts(changes[name]).length - texts(old[name]).length,
    0,
  )
  Object.assign(record, changes)
  recompute(context, entity, record)
  await apply({ context, db }, [{ entity, record, old, action: 'update', effects: [], changed: Object.keys(changes) }])
  const messages = Object.values(context.derived.catalog.dictionaries).some(({ choices }) =>
    choices.some(({ value }) => value === grownMessage),
  )
  const notice = {
    type: grownMessage,
    title: {
      cn: `配置文件新增的权限已授予：{${entity.display}}`,
      en: `Permissions new in the schema files were granted to {${entity.display}}`,
    },
    content: {
      cn: `新增${count}项；如不需要，请在编辑中取消勾选，以后不会再次授予`,
      en: `${count} in all. Untick those that are not wanted; they will not be granted again`,
    },
  }
  if (messages) await deliver(context, db, entity, [{ record, notice }])
}

async function declaredBefore(db: Db, { entity }: Preset): Promise<Map<string, string[]>> {
  const { rows } = await sql<{
    key: string
    field: string
    declared: string[]
  }>`select key, field, said as declared from system_preset where entity = ${entity}`.execute(db)
  return new Map(rows.map(({ key, field, declared }) => [`${key} ${field}`, declared]))
}

async function keepDeclared(db: Db, { entity, key, rows }: Preset, fields: readonly string[]): Promise<void> {
  const declared = rows.flatMap((row) =>
    fields.map((field) => ({ key: String(row[key]), field, declared: texts(row[field]) })),
  )
  await sql`insert into system_preset (entity, key, field, said)
    select ${entity}, item->>'key', item->>'field', item->'declared' from jsonb_array_elements(${JSON.stringify(declared)}::jsonb) as item
    on conflict (entity, key, field) do update set said = excluded.said`.execute(db)
}
