import type { Entity, FieldProblem, RecordData } from '../../model/model.ts'
import { Refusal, invalid } from '../errors.ts'
import type { Context, Db } from '../runtime.ts'
import { constraintName } from '../postgres/constraintName.ts'
import { holdItems } from '../postgres/uniqueItems.ts'
import { uniqueProblem } from './unique.ts'

/** Items of lists that are unique over all records. @throws Refusal invalid. */
export async function takeItems(
  context: Context,
  db: Db,
  entity: Entity,
  pairs: readonly { record: RecordData; old: RecordData | null }[],
): Promise<void> {
  const taken = await holdItems(context, db, entity, pairs)
  if (taken) throw invalid([uniqueProblem(taken.field, taken.field.name, taken.item)])
}

/**
 * If another user was faster with a unique value, that is a problem of the field, like one found by the check. A number
 * that a rule or a procedure has computed may be too large for its column.
 */
export async function guarded<T>(context: Context, entity: Entity, query: Promise<T>): Promise<T> {
  try {
    return await query
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string }
    if (code === '22003') throw new Refusal('tooLarge')
    if (code !== '23505') throw error
    const table = context.derived.catalog.tables[entity.name]
    const columns = table.unique.find(
      (each) => constraintName(table.name, each.columns, 'unique') === constraint,
    )?.columns
    const field =
      columns &&
      entity.fields[
        columns.findLast((name) => entity.fields[name]?.unique || entity.fields[name]?.uniqueWithin) ??
          columns[columns.length - 1]
      ]
    throw field ? invalid([uniqueProblem(field)] satisfies FieldProblem[]) : new Refusal('busy')
  }
}
