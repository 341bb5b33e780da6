import { checkRecord } from '../../expression/verdict.ts'
import type { Entity, FieldProblem, RecordData, Value } from '../../model/model.ts'
import { accept, verdictContext } from '../records/accept.ts'
import { problemsOf } from '../records/judge.ts'
import type { Context } from '../runtime.ts'
import type { Work } from '../records/Work.ts'
import { widgetContext } from '../records/reading/words.ts'

/** What a new record begins with. */
export const blank = (context: Context, entity: Entity): RecordData => accept(context, entity, {}, null).record

/** A new record of what was asked for, with its defaults, and what is wrong with these fields. */
export async function drafted(
  { context, db }: Work,
  entity: Entity,
  values: RecordData,
  fields: readonly string[],
): Promise<{ record: RecordData; problems: FieldProblem[] }> {
  const { record, problems } = accept(context, entity, values as Record<string, Value>, null)
  const [judged] = await problemsOf(context, db, [{ entity, record, old: null, already: problems, fields }])
  return { record, problems: [...problems, ...judged] }
}

/** What the rules say of a new record of which everything is given, also what the system writes otherwise. */
export function verdictOn({ context }: Pick<Work, 'context'>, entity: Entity, record: RecordData): FieldProblem[] {
  const given = Object.entries(entity.fields).map(([name, field]) => [name, { ...field, readOnly: false }])
  return checkRecord({ ...entity, fields: Object.fromEntries(given) }, record, verdictContext(context, null))
}

/** What the widget of a field says of a value. */
export function problemIn(
  { context }: Pick<Work, 'context'>,
  entity: Entity,
  name: string,
  value: Value,
): Omit<FieldProblem, 'field'> | undefined {
  const field = entity.fields[name]
  return context.derived.widget(field).check(value, field.options, widgetContext(context, field)) ?? undefined
}
