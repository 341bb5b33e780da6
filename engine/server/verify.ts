import { extname } from 'node:path'
import { sql } from 'kysely'
import type { Entity, Field, FieldProblem, FileValue, Label, RecordData, Value } from '../schema/model.ts'
import { fill, problems as messages } from './errors.ts'
import { declaredConditions } from './filters.ts'
import { allOf, main, visibleConditions } from './read.ts'
import { idsOf } from './references.ts'
import type { Context, Db } from './runtime.ts'
import { type Condition, tableOf } from './scope.ts'
import { isSound } from './sound.ts'
import { fileIdOf } from './storage.ts'
import { canonicalValue, isEqual, isRecord } from './stored.ts'
import { hasUniqueItems, takenItem } from './uniqueItems.ts'

/** A value that a save would write, and where it stands: `contacts.0.mobile`. */
interface Written {
  entity: Entity
  field: Field
  path: string
  value: Value
  record: RecordData
  old: RecordData | null
}

/**
 * What only the database knows of the values that changed: references lead somewhere, what is unique is free, a tree
 * stays a tree, files exist. One query for each field, however many rows.
 */
export async function verify(
  context: Context,
  db: Db,
  entity: Entity,
  record: RecordData,
  old: RecordData | null,
  fields?: readonly string[],
): Promise<FieldProblem[]> {
  const written = writtenValues(context, entity, record, old, '')
  const isAsked = ({ path }: Written) => !fields || fields.includes(path.split('.')[0])
  const groups = new Map<string, Written[]>()
  for (const one of written) {
    const key = `${one.entity.name}.${one.field.name}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  const found: FieldProblem[] = []
  const refused = new Set<string>()
  for (const group of groups.values()) {
    const target = context.derived.target(group[0].field)
    if (!target || target.rows) continue
    const problems = await verifyReferences(context, db, target.entity, group)
    for (const { field: path } of problems) refused.add(path)
    found.push(...problems.filter(({ field: path }) => group.some((one) => one.path === path && isAsked(one))))
  }
  // A refused reference is not looked through: what is found beside it would reveal that the record exists.
  const leadsSomewhere = ({ path, field }: Written) =>
    !refused.has(path) && (field.uniqueWithin === undefined || !refused.has(path.replace(/[^.]+$/, field.uniqueWithin)))
  for (const all of groups.values()) {
    const group = all.filter((one) => isAsked(one) && leadsSomewhere(one))
    if (group.length === 0) continue
    const { field, entity: owner } = group[0]
    if (owner.tree?.parent === field.name) found.push(...(await verifyTree(context, db, group[0])))
    if (field.unique || field.uniqueWithin) found.push(...(await verifyUnique(context, db, group)))
    if (context.derived.widget(field).files) found.push(...(await verifyFiles(context, db, group)))
  }
  const order = new Map(written.map(({ path }, index) => [path, index]))
  return found.toSorted((a, b) => order.get(a.field)! - order.get(b.field)!)
}

function writtenValues(
  context: Context,
  entity: Entity,
  record: RecordData,
  old: RecordData | null,
  prefix: string,
): Written[] {
  return Object.values(entity.fields).flatMap((field): Written[] => {
    const value = record[field.name] ?? null
    const target = context.derived.target(field)
    if (target?.rows) {
      const before = (old?.[field.name] ?? []) as RecordData[]
      // What is no list of rows is in the wrong already.
      const rows = Array.isArray(value) && value.every((row) => isRecord(row)) ? (value as RecordData[]) : []
      return rows.flatMap((row, index) => {
        const former = row.id === undefined ? null : (before.find(({ id }) => id === row.id) ?? null)
        return writtenValues(context, target.entity, row, former, `${prefix}${field.name}.${index}.`)
      })
    }
    // A record that moves to another parent meets other siblings.
    const moved = field.uniqueWithin !== undefined && !isEqual(record[field.uniqueWithin], old?.[field.uniqueWithin])
    if (value === null || (isEqual(value, old?.[field.name]) && !moved)) return []
    return [{ entity, field, path: prefix + field.name, value, record, old }]
  })
}

const problem = (
  path: string,
  code: string,
  message: Label,
  parameters: Record<string, Label | number | string>,
): FieldProblem => ({ field: path, code, message: fill(message, parameters) })

/**
 * They exist, are offered, and the user may see them; those that were there before may stay. They are held until the
 * transaction ends: whoever deletes one, or changes whether it is offered, locks it too, so that one of the two sees
 * what the other has done.
 */
async function verifyReferences(context: Context, db: Db, target: Entity, group: Written[]): Promise<FieldProblem[]> {
  const { field } = group[0]
  const added = group.map((one) => {
    const before = new Set(idsOf(one.old?.[field.name]))
    return { ...one, ids: idsOf(one.value).filter((id) => !before.has(id)) }
  })
  const ids = [...new Set(added.flatMap((one) => one.ids))]
  if (ids.length === 0) return []
  const conditions = [
    sql<boolean>`${sql.ref(`${main}.id`)} = any(${ids}::bigint[])`,
    ...visibleConditions(context, target),
    ...declaredConditions(context, target, main, target.offered),
    ...declaredConditions(context, target, main, field.options.filter),
  ]
  const { rows } = await sql<{
    id: number
  }>`select ${sql.ref(`${main}.id`)} as id from ${tableOf(context, target)} as ${sql.ref(main)}
    where ${allOf(conditions)} order by ${sql.ref(`${main}.id`)} for key share of ${sql.ref(main)}`.execute(db)
  const offered = new Set(rows.map((row) => row.id))
  return added
    .filter((one) => one.ids.some((id) => !offered.has(id)))
    .map((one) => problem(one.path, 'reference', messages.reference, { label: field.label }))
}

/**
 * The values as far as the user may see what they refer to, in rows too; what the stored record refers to already may
 * stay. What is offered is not asked: a form keeps what is disabled by now. One query for each entity, however many
 * rows.
 */
export async function onlyVisible(
  context: Context,
  db: Db,
  entity: Entity,
  values: RecordData,
  old: RecordData | null,
): Promise<RecordData> {
  const kept = structuredClone(values)
  const added = writtenValues(context, entity, kept, old, '').flatMap(({ field, value, record, old: former }) => {
    const target = context.derived.target(field)?.entity
    return target ? [{ field, value, record, target, before: new Set(idsOf(former?.[field.name])) }] : []
  })
  for (const target of new Set(added.map((one) => one.target))) {
    const group = added.filter((one) => one.target === target)
    const visible = await visibleIds(
      context,
      db,
      target,
      group.flatMap(({ value }) => idsOf(value)),
    )
    for (const { field, value, record, before } of group) {
      const stay = idsOf(value).filter((id) => before.has(id) || visible.has(id))
      record[field.name] = Array.isArray(value) ? stay : (stay.at(0) ?? null)
    }
  }
  return kept
}

/**
 * The record without new references that the user may not see, if something is looked up through them. One query for
 * each entity referred to.
 */
export async function withoutHidden(
  context: Context,
  db: Db,
  entity: Entity,
  record: RecordData,
  old: RecordData | null,
): Promise<RecordData> {
  const looked = new Set(
    Object.values(entity.fields).flatMap(({ computed }) => (computed?.kind === 'lookup' ? [computed.by] : [])),
  )
  const added = Object.values(entity.fields).flatMap((field) => {
    const target = context.derived.target(field)
    if (!target || !looked.has(field.name) || field.computed || !Object.hasOwn(record, field.name)) return []
    const value = canonicalValue(context, field, record[field.name])
    const before = new Set(idsOf(old?.[field.name]))
    const ids = idsOf(value).filter((id) => !before.has(id))
    return ids.length === 0 ? [] : [{ field, value, before, ids, target: target.entity }]
  })
  const shown = { ...record }
  for (const target of new Set(added.map((one) => one.target))) {
    const group = added.filter((one) => one.target === target)
    const ids = group.flatMap((one) => one.ids).filter(Number.isSafeInteger)
    const visible = await visibleIds(context, db, target, ids)
    for (const { field, value, before } of group) {
      const seen = idsOf(value).filter((id) => before.has(id) || visible.has(id))
      shown[field.name] = Array.isArray(value) ? seen : (seen[0] ?? null)
    }
  }
  return shown
}

/** Those of the ids whose records are there and seen by the user. */
export async function visibleIds(
  context: Context,
  db: Db,
  entity: Entity,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const conditions = [
    sql<boolean>`${sql.ref(`${main}.id`)} = any(${[...ids]}::bigint[])`,
    ...visibleConditions(context, entity),
  ]
  const { rows } = await sql<{
    id: number
  }>`select ${sql.ref(`${main}.id`)} as id from ${tableOf(context, entity)} as ${sql.ref(main)} where ${allOf(conditions)}`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

async function verifyTree(
  context: Context,
  db: Db,
  { entity, field, path, value, record }: Written,
): Promise<FieldProblem[]> {
  const { parent, depth } = entity.tree!
  const table = tableOf(context, entity)
  const above = sql.ref(`node.${parent}`)
  const { rows } = await sql<{ ancestors: number[]; height: number }>`
    with recursive up(id, place) as (
      select ${value}::bigint, 1
      union select ${above}, place + 1 from ${table} as node join up on node.id = up.id where ${above} is not null and place < 50
    ), down(id, place) as (
      select ${record.id ?? null}::bigint, 1
      union select node.id, place + 1 from ${table} as node join down on ${above} = down.id where node."deletedAt" is null and place < 50
    ) select (select array_agg(id) from up) as ancestors, (select max(place) from down) as height`.execute(db)
  const [{ ancestors, height }] = rows
  if (record.id !== undefined && ancestors.includes(record.id))
    return [problem(path, 'tree-cycle', messages.treeCycle, { label: field.label })]
  return ancestors.length + height > depth ? [problem(path, 'tree-depth', messages.treeDepth, { depth })] : []
}

/** Alone, or among the records with the same value of `uniqueWithin`; an empty one there is a group too. */
async function verifyUnique(context: Context, db: Db, group: Written[]): Promise<FieldProblem[]> {
  const { entity, field } = group[0]
  const within = field.uniqueWithin
  // Rows are compared with each other by their own check: the rows of one parent are all here.
  if (within && within === entity.rowOf?.by) return []
  const found: FieldProblem[] = []
  for (const { value, record, path } of group) {
    // An invalid reference is reported at its field.
    if (within && (record[within] ?? null) !== null && typeof record[within] !== 'number') continue
    if (hasUniqueItems(context, entity, field)) {
      const item = await takenItem(db, entity, field, value, record.id)
      if (item !== undefined) found.push(uniqueProblem(field, path, item))
    } else if (!(await isFree(context, db, entity, field, value, record.id, within && record[within])))
      found.push(uniqueProblem(field, path))
  }
  return found
}

/** Has no other record this canonical value, of those with the same value of `uniqueWithin`? */
async function isFree(
  context: Context,
  db: Db,
  entity: Entity,
  field: Field,
  value: Value,
  id: number | undefined,
  within: Value | undefined,
  among: readonly Condition[] = [],
): Promise<boolean> {
  const type = context.derived.columns[entity.name][field.name]
  const column = (name: string) => sql.ref(`${main}.${name}`)
  const conditions = [
    sql<boolean>`${column(field.name)} = ${value}::${sql.raw(type)}`,
    sql<boolean>`${column('deletedAt')} is null`,
    ...among,
  ]
  if (field.uniqueWithin)
    conditions.push(sql<boolean>`${column(field.uniqueWithin)} is not distinct from ${within ?? null}::bigint`)
  if (id !== undefined) conditions.push(sql<boolean>`${column('id')} <> ${id}`)
  const { rows } =
    await sql`select 1 from ${tableOf(context, entity)} as ${sql.ref(main)} where ${allOf(conditions)} limit 1`.execute(
      db,
    )
  return rows.length === 0
}

/**
 * Checks a single value as it is typed, among the records that the user sees; others are only reported by a save.
 * Values that the widget would refuse belong to no record.
 */
export async function verifyFree(
  context: Context,
  db: Db,
  entity: Entity,
  field: Field,
  text: string,
  id?: number,
  within?: number,
): Promise<boolean> {
  const typed = hasUniqueItems(context, entity, field) ? listOf(text) : text
  const value = canonicalValue(context, field, typed)
  const told = {
    label: field.label,
    dictionary: (name: string) => context.derived.catalog.dictionaries[name],
    now: () => context.now,
  }
  if (
    value === null ||
    context.derived
      .widget(field)
      .check(context.derived.widget(field).normalize(typed, field.options), field.options, told)
  )
    return true
  const among = visibleConditions(context, entity)
  if (!hasUniqueItems(context, entity, field)) return isFree(context, db, entity, field, value, id, within, among)
  return (await takenItem(db, entity, field, value, id, visibleIn(context, entity, among))) === undefined
}

/** Subquery for the ids of the records that the user sees. */
const visibleIn = (context: Context, entity: Entity, among: readonly Condition[]) =>
  sql`select ${sql.ref(`${main}.id`)} from ${tableOf(context, entity)} as ${sql.ref(main)} where ${allOf(among)}`

/** A list travels as JSON text. */
function listOf(text: string): Value {
  try {
    const value = JSON.parse(text) as Value
    return Array.isArray(value) && isSound(value) ? value : text
  } catch {
    return text
  }
}

/** `item`: the one of a list that another record has. */
export const uniqueProblem = (field: Field, path = field.name, item?: string): FieldProblem =>
  item === undefined
    ? problem(path, 'unique', messages.unique, { label: field.label })
    : problem(path, 'unique', messages.uniqueItem, { label: field.label, item })

async function verifyFiles(context: Context, db: Db, group: Written[]): Promise<FieldProblem[]> {
  const { field } = group[0]
  const pathOf = ({ url }: FileValue) => fileIdOf(url) ?? ''
  const paths = group.flatMap((one) => (one.value as FileValue[]).map(pathOf))
  const { rows } = await sql<{
    path: string
    name: string
    size: number
  }>`select path, name, size from system_file where path = any(${paths}::text[])`.execute(db)
  const known = new Map(rows.map((row) => [row.path, row]))
  // The widget judged by what the client said of name and size: it must have said what is true.
  const isTrue = (file: FileValue) => {
    const stored = known.get(pathOf(file))
    return stored?.size === file.size && extname(stored.name).toLowerCase() === extname(file.name).toLowerCase()
  }
  return group
    .filter((one) => !(one.value as FileValue[]).every(isTrue))
    .map((one) => problem(one.path, 'file', messages.file, { label: field.label }))
}
