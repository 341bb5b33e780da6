import type { Field } from '../../model/model.ts'
import { isComparable } from './reading/filters.ts'
import { visibleConditions } from './reading/visibleConditions.ts'
import type { Context, Db } from '../runtime.ts'
import { canonicalValue } from './reading/canonical.ts'
import { noteTries } from './maskedTries.ts'
import { takenValues, uniqueProblem, type Wanted } from './unique.ts'
import type { Placed, Found, Proposed } from './writtenValues.ts'

/**
 * Unique overall, or among the records with the same value of `uniqueWithin`, where empty is a group too. Sensitive
 * values are only compared among visible records until they are written.
 */
export async function verifyUnique(
  context: Context,
  db: Db,
  group: readonly Placed[],
  held: boolean,
): Promise<Found[]> {
  const { entity, field } = group[0]
  const within = field.uniqueWithin
  // Rows are compared by their own check, because all rows of one parent are available there.
  if (within && within === entity.rowOf?.by) return []
  const wanted = group.flatMap((placed): Wanted<Placed>[] => {
    const { record, value } = placed
    if (!within) return [{ owner: placed, field, value, id: record.id }]
    const around = canonicalValue(context, entity.fields[within], record[within] ?? null)
    // A value that does not fit the column's type is reported at its own field.
    if (around !== null && !isComparable(context.derived.columns[entity.name][within], around)) return []
    return [{ owner: placed, field, value, id: record.id, within: around }]
  })
  const among = field.sensitive && !held ? visibleConditions(context, entity) : []
  const taken = await takenValues(context, db, entity, wanted, among)
  return taken.map(({ owner: at, item }) => ({ at, problem: uniqueProblem(field, at.path, item) }))
}

/** Values that the user only sees masked are compared last, and only for records that would otherwise be created. */
export async function verifyTried(
  context: Context,
  db: Db,
  groups: readonly Placed[][],
  wrong: ReadonlySet<Proposed>,
): Promise<Found[]> {
  const good = groups.map((group) => group.filter(({ proposed }) => proposed.isGood !== false && !wrong.has(proposed)))
  const byRecord = new Map<Proposed, Set<Field>>()
  for (const { proposed, field } of good.flat())
    byRecord.set(proposed, (byRecord.get(proposed) ?? new Set()).add(field))
  const tried = [...byRecord].map(([{ entity, old }, fields]) => ({ entity, fields, id: old?.id ?? 0 }))
  await noteTries(context, db, tried)
  const found: Found[] = []
  for (const group of good) if (group.length > 0) found.push(...(await verifyUnique(context, db, group, true)))
  return found
}
