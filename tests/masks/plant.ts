/** Records of every entity, written without any rules, with a unique value in each sensitive field. */
import { sql } from 'kysely'
import type { Entity, Field, RecordData, Value } from '../../engine/model/model.ts'
import { searchColumn, searchTextOf } from '../../engine/server/records/reading/search.ts'
import type { Database } from '../../engine/server/postgres/database.ts'
import type { TestServer } from '../server.ts'

/** A unique value in one field of one record; anywhere else, it has leaked. */
export interface Mark {
  entity: string
  field: string
  id: number
  /** As stored. */
  value: Value
  /** Any of these texts in an answer reveals it. */
  texts: string[]
}

export interface Planted {
  /** Entity → the id of its record. */
  ids: ReadonlyMap<string, number>
  records: ReadonlyMap<string, RecordData>
  marks: Mark[]
  /** The works that changed them: each a few, because a history counts what else its work changed. */
  works: number[]
}

interface PlantOptions {
  /** Distinguishes sets: their ids, unique values, and choices. */
  place: number
  /** The owner of the records, and their department. */
  owner: number
  department: number
}

/** Entities that configure the product itself: made-up records would change the test's server. */
const isOfTheHouse = ({ name, single, engine }: Entity) =>
  single || engine !== undefined || ['menu', 'dictionaryItem', 'user', 'role', 'department'].includes(name)

export const plantedEntities = ({ runtime }: TestServer): Entity[] =>
  Object.values(runtime.derived.catalog.entities).filter((entity) => !isOfTheHouse(entity))

const firstId = (place: number) => 1_000_000 * place

let count = 0
/** Unique marks: none is part of another or of any other text or number. */
export const marked = (type: string) => {
  count += 1
  if (type === 'date') return new Date(Date.UTC(2700, 0, count)).toISOString().slice(0, 10)
  if (type.startsWith('numeric')) return `73${String(count).padStart(5, '0')}.${String(count % 90).padStart(2, '7')}`
  return `MK${String(count).padStart(6, '0')}PLANTEDVALUE${String(count).padStart(4, '0')}`
}

async function insertWork({ kysely }: Database, user: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into system_work (cause, user_id, at)
    values ('form', ${user}, now()) returning id`.execute(kysely)
  return Number(rows[0].id)
}

/** One record of each entity; each refers to the others of its set. */
export async function plant(server: TestServer, { place, owner, department }: PlantOptions): Promise<Planted> {
  const { derived, database } = server.runtime
  const entities = plantedEntities(server)
  const ids = new Map(entities.map(({ name }, index) => [name, firstId(place) + index]))
  const known = new Map<string, number>([...ids, ['user', owner], ['department', department]])
  const records = new Map<string, RecordData>()
  const marks: Mark[] = []
  for (const entity of entities) {
    const id = ids.get(entity.name)!
    const columns = derived.columns[entity.name]
    const record: RecordData = { id }
    for (const field of Object.values(entity.fields)) {
      const type = columns[field.name]
      if (type === undefined) continue
      const isMarked = field.sensitive && !derived.widget(field).protect && field.computed === undefined
      const mark = isMarked ? markOf(server, field, type) : undefined
      if (mark) marks.push({ entity: entity.name, field: field.name, id, ...mark })
      const value = mark ? mark.value : plainValue(server, entity, field, { type, place, known })
      if (value !== null) record[field.name] = value
    }
    records.set(entity.name, record)
    await insert(server, entity, { id })
  }
  const works: number[] = []
  // Referenced records come first.
  for (const [index, [name, { id, ...record }]] of [...records].entries()) {
    if (index % 10 === 0) works.unshift(await insertWork(database, owner))
    const entity = derived.catalog.entities[name]
    const words = searchTextOf(server.context(), entity, record)
    const columns = derived.columns[name]
    const values = { ...record, ...(words !== null && { [searchColumn]: words }) }
    const sets = Object.entries(values).map(
      ([column, value]) => sql`${sql.ref(column)} = ${kept(columns[column] ?? 'text', value)}`,
    )
    if (sets.length > 0)
      await sql`update ${sql.table(derived.catalog.tables[name].name)} set ${sql.join(sets)} where id = ${id}`.execute(
        database.kysely,
      )
    const fields = Object.fromEntries(Object.entries(record).map(([field, value]) => [field, [null, value]]))
    await sql`insert into system_history (entity, area, record_id, action, user_id, at, work, changes)
      values (${name}, ${entity.area}, ${id}, 'update', ${owner}, now(), ${works[0]}, ${JSON.stringify({ from: 0, revision: 1, fields })}::jsonb)`.execute(
      database.kysely,
    )
  }
  return { ids, records, marks, works }
}

const kept = (type: string, value: unknown) =>
  sql`${type === 'jsonb' ? JSON.stringify(value) : value}::${sql.raw(type)}`

export async function insert(
  { runtime: { derived, database } }: TestServer,
  entity: Entity,
  record: RecordData,
): Promise<void> {
  const columns = derived.columns[entity.name]
  const entries = Object.entries(record)
  await sql`insert into ${sql.table(derived.catalog.tables[entity.name].name)}
    (${sql.join(entries.map(([name]) => sql.ref(name)))}, revision)
    values (${sql.join(entries.map(([name, value]) => kept(columns[name] ?? 'bigint', value)))}, 1)`.execute(
    database.kysely,
  )
}

function markOf({ runtime: { derived } }: TestServer, field: Field, type: string): Pick<Mark, 'value' | 'texts'> {
  const text = marked(type)
  if (type.startsWith('numeric')) {
    const value = Number(text).toFixed(2)
    return { value, texts: [value, value.replace(/\B(?=(\d{3})+(?=\.))/g, ',')] }
  }
  if (derived.widget(field).files)
    return {
      value: [{ url: `/api/files/${text}/a.png`, name: `${text}.png`, size: 1, status: 'success' }],
      texts: [text],
    }
  if (type.endsWith('[]')) return { value: [text], texts: [text] }
  if (type === 'text' || type === 'date') return { value: text, texts: [text] }
  throw new Error(`No mark is known for a sensitive field of the type ${field.type} (${type})`)
}

function plainValue(
  { runtime: { derived } }: TestServer,
  entity: Entity,
  field: Field,
  { type, place, known }: { type: string; place: number; known: ReadonlyMap<string, number> },
): Value {
  const widget = derived.widget(field)
  if (widget.protect || field.computed !== undefined) return null
  const target = derived.target(field)
  if (target) {
    const id = target.entity === entity ? undefined : known.get(target.entity.name)
    return id === undefined ? null : target.many ? [id] : id
  }
  const dictionary = widget.dictionary?.(field.options)
  if (dictionary !== undefined) {
    const { choices } = derived.catalog.dictionaries[dictionary]
    const choice = choices[place % choices.length]?.value ?? null
    return choice === null ? null : type.endsWith('[]') ? [choice] : choice
  }
  if (type === 'jsonb' || type.endsWith('[]')) return null
  if (type.startsWith('timestamp')) return '2026-03-01 10:00:00'
  if (type === 'date') return `2026-0${(place % 3) + 1}-10`
  if (type === 'boolean') return place % 2 === 0
  if (type.startsWith('numeric')) return '1'
  if (/^(bigint|integer|smallint)$/.test(type)) return place
  if (type.startsWith('char(7)')) return '2026-03'
  return type === 'text' ? `${entity.name}.${field.name}.${place}` : null
}
