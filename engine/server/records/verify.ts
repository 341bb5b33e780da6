import { extname } from 'node:path'
import { sql } from 'kysely'
import { inputs } from '../../expression/conditions.ts'
import type { Entity, FieldProblem, FileValue } from '../../model/model.ts'
import { problems as messages } from '../errors.ts'
import { offeredBy } from './reading/offered.ts'
import { main } from './reading/columnOf.ts'
import { allOf, visibleConditions } from './reading/visibleConditions.ts'
import { idsOf } from './reading/references.ts'
import type { Context, Db } from '../runtime.ts'
import { tableOf } from '../identity/scope.ts'
import { fileIdOf } from '../files/UploadedFiles.ts'
import { isTried } from './maskedTries.ts'
import { writtenValues, problemAt, type Proposed, type Placed, type Found } from './writtenValues.ts'
import { verifyTree } from './verifyTree.ts'
import { verifyUnique, verifyTried } from './verifyUnique.ts'

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
    for (const placed of writtenValues(context, proposed)) {
      order.set(placed, order.size)
      const key = `${placed.entity.name}.${placed.field.name}`
      const group = groups.get(key)
      if (group) group.push(placed)
      else groups.set(key, [placed])
    }
  }
  const isIncluded = ({ path, proposed: { fields } }: Placed) => !fields || fields.includes(path.split('.')[0])
  const found: Found[] = []
  const refused = new Map<Proposed, Set<string>>()
  for (const group of groups.values()) {
    const target = context.derived.target(group[0].field)
    // Nobody chose a looked-up value.
    if (!target || target.rows || group[0].field.computed) continue
    for (const reference of await verifyReferences(context, db, target.entity, group, held)) {
      const { proposed, path } = reference.at
      refused.set(proposed, (refused.get(proposed) ?? new Set()).add(path))
      if (isIncluded(reference.at)) found.push(reference)
    }
  }
  // Nothing is looked up through a refused reference: finding something would reveal that the record exists.
  const leadsSomewhere = ({ proposed, path, entity, field: { uniqueWithin } }: Placed) => {
    const paths = refused.get(proposed)
    const isRefused = (name: string) => paths?.has(path.replace(/[^.]+$/, name)) === true
    return !paths?.has(path) && (uniqueWithin === undefined || !madeOf(entity, uniqueWithin).some(isRefused))
  }
  const tried: Placed[][] = []
  for (const every of groups.values()) {
    const group = every.filter((placed) => isIncluded(placed) && leadsSomewhere(placed))
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
  if (held) found.push(...(await verifyTried(context, db, tried, new Set(found.map(({ at }) => at.proposed)))))
  const problems = new Map<Proposed, FieldProblem[]>(all.map((proposed) => [proposed, []]))
  for (const { at, problem: fieldProblem } of found.toSorted((a, b) => order.get(a.at)! - order.get(b.at)!))
    problems.get(at.proposed)!.push(fieldProblem)
  return all.map((proposed) => problems.get(proposed)!)
}

/** A field and those that it is computed from. */
function madeOf(entity: Entity, name: string): string[] {
  const { computed } = entity.fields[name]
  return [name, ...(computed?.kind === 'formula' ? inputs(computed.formula, entity) : [])]
}

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
  const ids = [...new Set(added.flatMap((each) => each.ids))]
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
    .map(({ at }) => ({ at, problem: problemAt(at.path, 'reference', messages.reference, { label: field.label }) }))
}

async function verifyFiles(context: Context, db: Db, group: readonly Placed[]): Promise<Found[]> {
  const { field } = group[0]
  const pathOf = ({ url }: FileValue) => fileIdOf(url) ?? ''
  const paths = group.flatMap((placed) => (placed.value as FileValue[]).map(pathOf))
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
    .filter((placed) => !(placed.value as FileValue[]).every(isTrue))
    .map((at) => ({ at, problem: problemAt(at.path, 'file', messages.file, { label: field.label }) }))
}
