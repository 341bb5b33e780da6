import { extname } from 'node:path'
import { sql } from 'kysely'
import { inputs } from '../../expression/verdict.ts'
import type { Entity, Field, FieldProblem, FileValue, Label, RecordData, Value } from '../../model/model.ts'
import { fill, problems as messages } from '../errors.ts'
import { isComparable } from './reading/filters.ts'
import { offeredBy } from './reading/offered.ts'
import { allOf, main, visibleConditions } from './reading/read.ts'
import { idsOf } from './reading/references.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { fileIdOf } from '../files/UploadedFiles.ts'
import { canonicalValue, isEqual, isRecord } from './reading/canonical.ts'
import { isTried, noteTries } from './maskedTries.ts'
import { takenValues, uniqueProblem, type Wanted } from './unique.ts'

/** A record as it would be saved. */
export interface Proposed {
  entity: Entity
  record: RecordData
  old: RecordData | null
  /** Restricts the check to these fields. */
  fields?: readonly string[]
  /** It has no other problems. */
  isGood?: boolean
}

/** A value that a save would write, and its place: `contacts.0.mobile`. */
interface Written {
  entity: Entity
  field: Field
  path: string
  value: Value
  record: RecordData
  old: RecordData | null
}

/** A written value of one of the records. */
interface Placed extends Written {
  of: Proposed
}

interface Found {
  at: Placed
  problem: FieldProblem
}

/**
 * Checks what only the database knows of changed values: references exist, unique values are free, a tree stays a tree,
 * files exist. One query for each field, however many records and rows.
 * @param held locks referenced records until the transaction ends
 */
export async function verify(
  context: Context,
  db: Db,
  all: readonly Proposed[],
  held: boolean,
): Promise<FieldProblem[][]> {
  const groups = new Map<string, Placed[]>()
  const order = new Map<Placed, number>()
  for (const proposed of all) {
    for (const written of writtenValues(context, proposed.entity, proposed.record, proposed.old, '')) {
      const placed = { ...written, of: proposed }
      order.set(placed, order.size)
      const key = `${placed.entity.name}.${placed.field.name}`
      const group = groups.get(key)
      if (group) group.push(placed)
      else groups.set(key, [placed])
    }
  }
  const isAsked = ({ path, of: { fields } }: Placed) => !fields || fields.includes(path.split('.')[0])
  const found: Found[] = []
  const refused = new Map<Proposed, Set<string>>()
  for (const group of groups.values()) {
    const target = context.derived.target(group[0].field)
    // Nobody chose a looked-up value.
    if (!target || target.rows || group[0].field.computed) continue
    for (const one of await verifyReferences(context, db, target.entity, group, held)) {
      const { of, path } = one.at
      refused.set(of, (refused.get(of) ?? new Set()).add(path))
      if (isAsked(one.at)) found.push(one)
    }
  }
  // Nothing is looked up through a refused reference: finding something would reveal that the record exists.
  const leadsSomewhere = ({ of, path, entity, field: { uniqueWithin } }: Placed) => {
    const paths = refused.get(of)
    const isRefused = (name: string) => paths?.has(path.replace(/[^.]+$/, name)) === true
    return !paths?.has(path) && (uniqueWithin === undefined || !madeOf(entity, uniqueWithin).some(isRefused))
  }
  const tried: Placed[][] = []
  for (const every of groups.values()) {
    const group = every.filter((one) => isAsked(one) && leadsSomewhere(one))
    if (group.length === 0) continue
    const { field, entity: owner } = group[0]
    if (owner.tree?.parent === field.name) found.push(...(await verifyTree(context, db, group)))
    if (field.unique || field.uniqueWithin) {
      if (isTried(context, owner, field)) tried.push(group)
      else found.push(...(await verifyUnique(context, db, group, held)))
    }
    if (context.derived.widget(field).files) found.push(...(await verifyFiles(context, db, group)))
  }
  // A check without writing reveals nothing about values that the user sees masked.
  if (held) found.push(...(await verifyTried(context, db, tried, new Set(found.map(({ at }) => at.of)))))
  const problems = new Map<Proposed, FieldProblem[]>(all.map((of) => [of, []]))
  for (const { at, problem: one } of found.toSorted((a, b) => order.get(a.at)! - order.get(b.at)!))
    problems.get(at.of)!.push(one)
  return all.map((of) => problems.get(of)!)
}

/** A field and those that it is computed from. */
function madeOf(entity: Entity, name: string): string[] {
  const { computed } = entity.fields[name]
  return [name, ...(computed?.kind === 'formula' ? inputs(computed.formula, entity) : [])]
}

const known = new WeakMap<Entity['fields'], readonly Field[]>()

/** For most fields the database knows nothing beyond the record. */
function askedAbout({ derived }: Context, { fields, tree }: Entity): readonly Field[] {
  let asked = known.get(fields)
  if (!asked) {
    asked = Object.values(fields).filter(
      (field) =>
        derived.target(field) ||
        field.unique ||
        field.uniqueWithin !== undefined ||
        derived.widget(field).files ||
        tree?.parent === field.name,
    )
    known.set(fields, asked)
  }
  return asked
}

/** The values that only the database can check. */
function writtenValues(
  context: Context,
  entity: Entity,
  record: RecordData,
  old: RecordData | null,
  prefix: string,
): Written[] {
  return askedAbout(context, entity).flatMap((field): Written[] => {
    const value = record[field.name] ?? null
    const target = context.derived.target(field)
    if (target?.rows) {
      const before = (old?.[field.name] ?? []) as RecordData[]
      // If it is not a list of rows, that is already a problem.
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
 * Checks that they exist, are offered, and visible to the user; existing references may stay. They are locked until the
 * transaction ends: deleting one, or changing whether it is offered, locks it too, so that one of the two transactions
 * sees the other's change.
 */
async function verifyReferences(
  context: Context,
  db: Db,
  target: Entity,
  group: readonly Placed[],
  held: boolean,
): Promise<Found[]> {
  const { field } = group[0]
  const added = group.map((at) => {
    const before = new Set(idsOf(at.old?.[field.name]))
    return { at, ids: idsOf(at.value).filter((id) => !before.has(id)) }
  })
  const ids = [...new Set(added.flatMap((one) => one.ids))]
  if (ids.length === 0) return []
  const conditions = [
    sql<boolean>`${sql.ref(`${main}.id`)} = any(${ids}::bigint[])`,
    ...visibleConditions(context, target),
    ...offeredBy(context, field),
  ]
  const { rows } = await sql<{
    id: number
  }>`select ${sql.ref(`${main}.id`)} as id from ${tableOf(context, target)} as ${sql.ref(main)}
    where ${allOf(conditions)} order by ${sql.ref(`${main}.id`)} ${held ? sql`for key share of ${sql.ref(main)}` : sql``}`.execute(
    db,
  )
  const offered = new Set(rows.map((row) => row.id))
  return added
    .filter(({ ids: theirs }) => theirs.some((id) => !offered.has(id)))
    .map(({ at }) => ({ at, problem: problem(at.path, 'reference', messages.reference, { label: field.label }) }))
}

/**
 * The values that refer to records which the user may see, rows included; existing references may stay. Options are not
 * checked, because a form keeps values that are disabled by now. One query for each entity, however many rows.
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
 * The records without new references that the user may not see, if something is looked up through them. One query for
 * each entity referred to.
 */
export async function withoutHidden(
  context: Context,
  db: Db,
  entity: Entity,
  records: readonly Pick<Proposed, 'record' | 'old'>[],
): Promise<RecordData[]> {
  const looked = new Set(
    Object.values(entity.fields).flatMap(({ computed }) => (computed?.kind === 'lookup' ? [computed.by] : [])),
  )
  const fields = Object.values(entity.fields).flatMap((field) => {
    const target = context.derived.target(field)?.entity
    return target && looked.has(field.name) && !field.computed ? [{ field, target }] : []
  })
  const shown = records.map(({ record }) => ({ ...record }))
  const added = records.flatMap(({ record, old }, index) =>
    fields.flatMap(({ field, target }) => {
      if (!Object.hasOwn(record, field.name)) return []
      const value = canonicalValue(context, field, record[field.name])
      const before = new Set(idsOf(old?.[field.name]))
      const ids = idsOf(value).filter((id) => !before.has(id))
      return ids.length === 0 ? [] : [{ field, value, before, ids, target, shown: shown[index] }]
    }),
  )
  for (const target of new Set(added.map((one) => one.target))) {
    const group = added.filter((one) => one.target === target)
    const ids = [...new Set(group.flatMap((one) => one.ids))].filter(Number.isSafeInteger)
    const visible = await visibleIds(context, db, target, ids)
    for (const { field, value, before, shown: record } of group) {
      const seen = idsOf(value).filter((id) => before.has(id) || visible.has(id))
      record[field.name] = Array.isArray(value) ? seen : (seen[0] ?? null)
    }
  }
  return shown
}

/** Those of the ids whose records exist and are visible to the user. */
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

/** No node may become its own ancestor, even if several move at once, and the maximum depth holds. */
async function verifyTree(context: Context, db: Db, group: readonly Placed[]): Promise<Found[]> {
  const { entity, field } = group[0]
  const { parent, depth } = entity.tree!
  const table = tableOf(context, entity)
  const above = sql.ref(`node.${parent}`)
  const ids = group.map(({ record }) => record.id ?? null)
  const { rows } = await sql<{ ancestors: number[]; height: number }>`
    with recursive given as materialized (
      select place, id, parent
      from unnest(${ids}::bigint[], ${group.map(({ value }) => value)}::bigint[]) with ordinality as given (id, parent, place)
    ), up(place, id, step) as (
      select place, parent, 1 from given
      union select up.place, above.id, up.step + 1 from up join ${table} as node on node.id = up.id
        left join given as moved on moved.id = node.id
        cross join lateral (select case when moved.id is null then ${above} else moved.parent end as id) as above
        where above.id is not null and up.step < 50
    ), down(place, id, step) as (
      select place, id, 1 from given
      union select down.place, below.id, down.step + 1 from down cross join lateral (
        select node.id from ${table} as node where ${above} = down.id and node."deletedAt" is null
          and not exists (select 1 from given where given.id = node.id)
        union all select given.id from given where given.parent = down.id and given.id is not null) as below
        where down.step < 50
    ) select (select array_agg(id) from up where up.place = given.place) as ancestors,
        (select max(step) from down where down.place = given.place) as height
      from given order by place`.execute(db)
  return group.flatMap((at, index) => {
    const { ancestors, height } = rows[index]
    if (at.record.id !== undefined && ancestors.includes(at.record.id))
      return [{ at, problem: problem(at.path, 'tree-cycle', messages.treeCycle, { label: field.label }) }]
    return ancestors.length + height > depth
      ? [{ at, problem: problem(at.path, 'tree-depth', messages.treeDepth, { depth }) }]
      : []
  })
}

/**
 * Unique overall, or among the records with the same value of `uniqueWithin`, where empty is a group too. Sensitive
 * values are only compared among visible records until they are written.
 */
async function verifyUnique(context: Context, db: Db, group: readonly Placed[], held: boolean): Promise<Found[]> {
  const { entity, field } = group[0]
  const within = field.uniqueWithin
  // Rows are compared by their own check, because all rows of one parent are available there.
  if (within && within === entity.rowOf?.by) return []
  const wanted = group.flatMap((of): Wanted<Placed>[] => {
    const { record, value } = of
    if (!within) return [{ of, field, value, id: record.id }]
    const around = canonicalValue(context, entity.fields[within], record[within] ?? null)
    // A value that does not fit the column's type is reported at its own field.
    if (around !== null && !isComparable(context.derived.columns[entity.name][within], around)) return []
    return [{ of, field, value, id: record.id, within: around }]
  })
  const among = field.sensitive && !held ? visibleConditions(context, entity) : []
  const taken = await takenValues(context, db, entity, wanted, among)
  return taken.map(({ of: at, item }) => ({ at, problem: uniqueProblem(field, at.path, item) }))
}

/** Values that the user only sees masked are compared last, and only for records that would otherwise be created. */
async function verifyTried(
  context: Context,
  db: Db,
  groups: readonly Placed[][],
  wrong: ReadonlySet<Proposed>,
): Promise<Found[]> {
  const good = groups.map((group) => group.filter(({ of }) => of.isGood !== false && !wrong.has(of)))
  const byRecord = new Map<Proposed, Set<Field>>()
  for (const { of, field } of good.flat()) byRecord.set(of, (byRecord.get(of) ?? new Set()).add(field))
  const tried = [...byRecord].map(([{ entity, old }, fields]) => ({ entity, fields, id: old?.id ?? 0 }))
  await noteTries(context, db, tried)
  const found: Found[] = []
  for (const group of good) if (group.length > 0) found.push(...(await verifyUnique(context, db, group, true)))
  return found
}

async function verifyFiles(context: Context, db: Db, group: readonly Placed[]): Promise<Found[]> {
  const { field } = group[0]
  const pathOf = ({ url }: FileValue) => fileIdOf(url) ?? ''
  const paths = group.flatMap((one) => (one.value as FileValue[]).map(pathOf))
  const { rows } = await sql<{
    path: string
    name: string
    size: number
  }>`select path, name, size from system_file where path = any(${paths}::text[])`.execute(db)
  const known = new Map(rows.map((row) => [row.path, row]))
  // The widget checked the name and size that the client gave, so they must be true.
  const isTrue = (file: FileValue) => {
    const stored = known.get(pathOf(file))
    return stored?.size === file.size && extname(stored.name).toLowerCase() === extname(file.name).toLowerCase()
  }
  return group
    .filter((one) => !(one.value as FileValue[]).every(isTrue))
    .map((at) => ({ at, problem: problem(at.path, 'file', messages.file, { label: field.label }) }))
}
