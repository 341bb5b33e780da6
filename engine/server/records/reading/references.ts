import { sql } from 'kysely'
import type { Entity, Field, RecordData, ReferenceValue, Value } from '../../../model/model.ts'
import { seesWhole } from '../../identity/access.ts'
import { displaySql } from './formulaSql.ts'
import { type Context, type Db } from '../../runtime.ts'
import { tableOf } from '../../identity/scope.ts'
import { asSeen, textSeen } from './words.ts'

/** Entity → id → the value of a reference to it. */
export type ReferenceValues = Map<string, Map<number, ReferenceValue>>

const references = (context: Context, entity: Entity) =>
  Object.values(entity.fields).flatMap((field) => {
    const target = context.derived.target(field)
    return target && !target.rows ? [{ field, target: target.entity }] : []
  })

/**
 * Replaces the ids in these records by `{ id, code, name }`: one query for each target entity, however many records.
 */
export async function resolveReferences(
  context: Context,
  db: Db,
  entity: Entity,
  records: RecordData[],
): Promise<RecordData[]> {
  const pointing = references(context, entity)
  const wanted = new Map<string, Set<number>>()
  for (const { field, target } of pointing) {
    const ids = wanted.get(target.name) ?? wanted.set(target.name, new Set()).get(target.name)!
    for (const record of records) for (const id of idsOf(record[field.name])) ids.add(id)
  }
  const values = await readReferences(context, db, wanted)
  return records.map((record) => {
    const resolved = { ...record }
    for (const { field, target } of pointing) {
      if (resolved[field.name] !== undefined)
        resolved[field.name] = referenceOf(values, target.name, resolved[field.name])
    }
    return resolved
  })
}

export function referenceOf(values: ReferenceValues, entity: string, value: Value | undefined): Value {
  const referenceTo = (id: number): Value => values.get(entity)?.get(id) ?? { id, code: null, name: '' }
  const ids = idsOf(value)
  return Array.isArray(value) ? ids.map(referenceTo) : ids.length === 0 ? null : referenceTo(ids[0])
}

/** The ids in the value of a reference field, whether they are bare or `{ id }`. */
export const idsOf = (value: Value | undefined): number[] => (Array.isArray(value) ? value.flatMap(idIn) : idIn(value))

function idIn(item: Value | undefined): number[] {
  const id = typeof item === 'object' && item !== null && !Array.isArray(item) ? item.id : item
  // A text that is not a record id is passed on, for the widget to refuse.
  return Number.isSafeInteger(id) ? [id as number] : []
}

interface Named {
  entity: string
  id: number
  name: Value
  code: Value
  path: string[] | null
}

/** Deleted records keep their names. A single query, so that a record with many references waits only once. */
export async function readReferences(
  context: Context,
  db: Db,
  wanted: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<ReferenceValues> {
  const values: ReferenceValues = new Map()
  // Entities without wanted ids are queried too, so that the statement stays the same and is prepared once.
  if ([...wanted.values()].every(({ size }) => size === 0)) return values
  const entityOf = (name: string) => context.derived.catalog.entities[name]
  const asText = (name: string) => isText(context, entityOf(name))
  const [texts, others] = [[...wanted.keys()].filter(asText), [...wanted.keys()].filter((name) => !asText(name))]
  for (const group of [texts, ...others.map((name) => [name])]) {
    if (group.every((name) => wanted.get(name)!.size === 0)) continue
    const parts = group.map((name) => namedSql(context, entityOf(name), [...wanted.get(name)!]))
    const { rows } = await sql<Named>`${sql.join(parts, sql` union all `)}`.execute(db)
    for (const { entity: name, id, name: called, code, path } of rows) {
      const entity = entityOf(name)
      const known = values.get(name) ?? values.set(name, new Map()).get(name)!
      const row = { id, ...(entity.code !== undefined && { [entity.code]: code }), [entity.display]: called }
      const value = referenceValue(context, entity, row)
      known.set(id, path ? { ...value, path: pathSeen(context, entity, path) } : value)
    }
  }
  return values
}

/** Only texts can share a column with those of other entities. */
const isText = ({ derived }: Context, { name, display, code }: Entity) =>
  [display, code ?? display].every((field) => derived.columns[name][field] === 'text')

function namedSql(context: Context, entity: Entity, ids: number[]) {
  const table = tableOf(context, entity)
  const code = entity.code === undefined ? sql`null::text` : sql.ref(`named.${entity.code}`)
  return sql`select ${entity.name}::text as entity, named.id, ${displaySql(context, entity, 'named')} as name,
    ${code} as code, ${entity.tree ? pathSql(context, entity) : sql`null::text[]`} as path
    from ${table} as named where named.id = any(${ids}::bigint[])`
}

/** The names from the root down to the node under `named`. */
function pathSql(context: Context, entity: Entity) {
  const columns = (alias: string) =>
    sql`${sql.ref(`${alias}.${entity.tree!.parent}`)}, ${sql.ref(`${alias}.${entity.display}`)}::text`
  return sql`array(with recursive up(next, name, height) as (
    select ${columns('named')}, 0
    union all
    select ${columns('node')}, up.height + 1 from ${tableOf(context, entity)} as node join up on node.id = up.next
    where up.height < 20
  ) select name from up order by height desc)`
}

const pathSeen = (context: Context, entity: Entity, path: readonly string[]): string[] =>
  path.map((name) => String(asSeen(context, entity, entity.fields[entity.display], name)))

export function referenceValue(context: Context, entity: Entity, row: RecordData): ReferenceValue {
  const shown = (field: Field): string => textSeen(context, entity, field, row[field.name] ?? null)
  // Users who only see a masked code get none.
  const code = entity.code === undefined ? undefined : entity.fields[entity.code]
  const isShown = code && row[code.name] && seesWhole(context, entity, code)
  return { id: row.id!, code: isShown ? shown(code) : null, name: shown(entity.fields[entity.display]) }
}

/** The names from the root down to each of these nodes. */
export async function readPaths(
  context: Context,
  db: Db,
  entity: Entity,
  ids: number[],
): Promise<Map<number, string[]>> {
  const parent = sql.ref(`node.${entity.tree!.parent}`)
  const table = tableOf(context, entity)
  const { rows } = await sql<{ origin: number; path: string[] }>`
    with recursive up(origin, next, name, height) as (
      select node.id, ${parent}, ${sql.ref(`node.${entity.display}`)}::text, 0 from ${table} as node where node.id = any(${ids}::bigint[])
      union all
      select up.origin, ${parent}, ${sql.ref(`node.${entity.display}`)}::text, up.height + 1 from ${table} as node join up on node.id = up.next
      where up.height < 20
    ) select origin, array_agg(name order by height desc) as path from up group by origin`.execute(db)
  return new Map(rows.map((row) => [row.origin, pathSeen(context, entity, row.path)]))
}
